/** Labels of the figure `speed`; labels.js takes them in. */
import { takeLabels } from "./labels.js";

export const speedLabels = /** @type {const} */ ({
  clockStep: ["时钟一步", "One step of the clock"],
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
  plainJavaScript: ["纯 JavaScript", "Plain JavaScript"],
  plainOverKernel: ["精确式：JavaScript ÷ C", "Exact: JavaScript ÷ C"],
  ratioColumn: ["÷ 精确式", "÷ exact"],
  roundedTier: ["C 内核，正确舍入", "C kernel, correctly rounded"],
  rounds: ["轮数", "Rounds"],
  toHalf: ["到", "to"],
  warmingUp: ["热身", "Warming up"],
  exactOverTanh: ["精确 ÷ tanh，{tier}", "Exact ÷ tanh, {tier}"],
  tierFast: ["快速档", "fast tier"],
  tierPlain: ["JavaScript", "JavaScript"],
  tierRounded: ["正确舍入", "rounded"],
});

takeLabels(speedLabels);
