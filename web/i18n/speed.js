/** Labels of the figure `speed`; labels.js takes them in. */
import { takeLabels } from "./labels.js";

export const speedLabels = /** @type {const} */ ({
  clockStep: ["时钟一步", "One step of the clock"],
  clockTooCoarse: [
    "这个浏览器的时钟一步走 {step} ms，比一帧还粗，一样也量不准，所以没有结果。换一个浏览器，或者放宽它的隐私设置再量。",
    "The clock of this browser moves in steps of {step} ms, too coarse for any of this to be timed, so there is no result. Another browser, or weaker privacy settings, will do.",
  ],
  errorColumn: ["离 GELU 最远", "Farthest from GELU"],
  fastTier: ["C 内核，快速档", "C kernel, fast tier"],
  formulaColumn: ["算式", "Formula"],
  fromHalf: ["中间一半，从", "Middle half, from"],
  measure: ["开始量", "Measure"],
  measureAgain: ["再量一次", "Measure again"],
  measuring: [
    "正在量：{entries} 样轮流上，每轮换一样打头；先热身，让浏览器把代码编译好。",
    "Measuring: {entries} contestants in turn, each round another one first; before that a warm-up, in which the browser compiles them.",
  ],
  measuredHow: [
    "量的是每遍 {n} 个 float32：{entries} 样轮流上，{done} 轮，每样每轮连算约 {turn} ms，取中位数；条下的细线是中间一半的读数，不短于时钟的一步。{backend}，{browser}。",
    "Timed: passes over {n} float32 numbers, {entries} contestants in turn, round by round ({done} in all), about {turn} ms of passes a turn, the median of them. The thin line under a bar is the middle half of the readings, and no shorter than a step of the clock. {backend}, {browser}.",
  ],
  measuredPartly: ["停在了第 {done} 轮，原定 {rounds} 轮。", "Stopped after {done} of {rounds} rounds."],
  measureStopped: ["停下了，还没有量到一轮。", "Stopped before the first round was complete."],
  noTimesYet: ["用时还没有量", "No times yet"],
  notMeasured: [
    "误差是算得出来的，已经在这里。用时只能在你的机器上量：按“开始量”，大约 {seconds} 秒，页面照常可用。",
    "The errors can be computed, and here they are. The times have to be measured, on your machine: press Measure; it takes about {seconds} seconds, and the page stays usable.",
  ],
  nsColumn: ["ns / 个", "ns each"],
  numbersAPass: ["每遍多少个数", "Numbers a pass"],
  oneTier: ["不分档", "one tier"],
  onlyRounding: ["只差舍入", "rounding only"],
  perExact: ["精确式的 {ratio} 倍", "{ratio} × exact"],
  plainJavaScript: ["纯 JavaScript", "Plain JavaScript"],
  plainOverKernel: ["精确式：JavaScript ÷ C", "Exact: JavaScript ÷ C"],
  ratioColumn: ["÷ 精确式", "÷ exact"],
  roundOf: ["第 {round} 轮，共 {rounds} 轮", "Round {round} of {rounds}"],
  roundedTier: ["C 内核，正确舍入", "C kernel, correctly rounded"],
  rounds: ["轮数", "Rounds"],
  roundsDone: ["量了 {rounds} 轮", "Rounds measured: {rounds}"],
  speedSentence: [
    "量完了：精确式的用时是 tanh 式的 {rounded} 倍（正确舍入）、{fast} 倍（快速档）、{plain} 倍（纯 JavaScript）。",
    "Done: the exact form takes {rounded} times as long as the tanh form correctly rounded, {fast} times in the fast tier, {plain} times in plain JavaScript.",
  ],
  toHalf: ["到", "to"],
  warmingUp: ["热身", "Warming up"],
  exactOverTanh: ["精确 ÷ tanh，{tier}", "Exact ÷ tanh, {tier}"],
  tierFast: ["快速档", "fast tier"],
  tierPlain: ["JavaScript", "JavaScript"],
  tierRounded: ["正确舍入", "rounded"],
});

takeLabels(speedLabels);
