/** Words of what figure `ffn` shows once something was pressed in it. */
import { takeWords } from "./ffn.js";

export const pressedWords = /** @type {const} */ ({
  activationAlone: ["只算激活", "the activation alone"],
  alone: ["一次一个词元", "one token at a time"],
  heat: [
    "深为正，浅为负，介于其间的灰是 0 附近；{name} 的颜色：正好为 0。",
    "Dark is positive, light negative, the grey between near 0; in the colour of {name}: exactly 0.",
  ],
  measureAgain: ["再量一次", "Measure again"],
  measured: [
    "都在本页的线程之外量，各 {rounds} 轮取中位数，每轮至少 {least} 毫秒；括号里是最快与最慢。调用和进出的拷贝都算在内。一次一个词元，每个都要读遍全部权重；一起走，就摊开了。",
    "Measured off the page’s own thread: the median of {rounds} rounds of {least} ms or more each, in brackets the fastest and the slowest. The call and the copies in and out count. Alone, each token has all the weights read for itself; together they share.",
  ],
  measuredHere: [
    "都在本页的线程上量，各 {rounds} 轮取中位数，每轮至少 {least} 毫秒；括号里是最快与最慢。调用和进出的拷贝都算在内。",
    "Measured on the page’s own thread: the median of {rounds} rounds of {least} ms or more each, in brackets the fastest and the slowest. The call and the copies in and out count.",
  ],
  measuring: ["正在量：第 {round} 轮，共 {rounds} 轮", "Measuring: round {round} of {rounds}"],
  sampled: ["每 {step} 行、每 {step} 列取一个", "every {step}th row and column"],
  together: ["{tokens} 个词元一起", "{tokens} tokens at once"],
});

takeWords(pressedWords);
