/** Labels of the full figure `curves`; labels.js takes them in. */
import { takeLabels } from "./labels.js";

export const playgroundLabels = /** @type {const} */ ({
  atMost: ["最多差 {error}", "at most {error} in size"],
  compared: ["两个函数相减", "Difference of"],
  comparedWith: ["减去", "minus"],
  equalInView: ["在图中处处相等", "equal everywhere in view"],
  largestAt: ["图中，在 *x*\u00a0=\u00a0{x}", "in view, at *x*\u00a0=\u00a0{x}"],
  noComparison: ["（不比较）", "(no comparison)"],
  ordersShown: ["阶数（可多选）", "Orders (any of them)"],
  oneOrderStays: ["至少要留一项。", "One of them has to stay."],
  presets: ["预设", "Presets"],
  presetApproximations: ["两种近似", "Approximations"],
  presetGates: ["门", "Gates"],
  presetRelu: ["ReLU 一族", "ReLU family"],
  presetStart: ["起点", "Start"],
  presetTail: ["左尾", "Left tail"],
  presetTurns: ["转弯", "Turns"],
  presetTwelve: ["十二条", "All twelve"],
});

takeLabels(playgroundLabels);
