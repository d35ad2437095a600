/** Labels of the figures `fit` and `precision`; labels.js takes them in. */
import { takeLabels } from "./labels.js";

export const roundingLabels = /** @type {const} */ ({
  bestOf: ["最佳的{name}", "Best {name}"],
  bestSummary: ["最大误差 {error}，走了 {steps} 步", "largest error {error}, after {steps} steps"],
  cancel: ["取消", "Cancel"],
  digitsLeft: ["减过以后只剩 {digits} 位二进制数字", "binary digits that the sum keeps: {digits}"],
  exactlyZero: ["恰好是 0", "exactly 0"],
  fitCubic: ["tanh 式，三次项", "tanh form, cubic"],
  fitError: ["与目标之差", "difference from its target"],
  fitFor: ["让谁的最大误差最小", "Whose largest error to make least"],
  fitGate: ["门 σ(*kx*)", "Gate σ(*kx*)"],
  fitOutput: ["输出 *x* σ(*kx*)", "Output *x* σ(*kx*)"],
  fitPair: ["tanh 式，两个系数", "tanh form, both"],
  fromHereLeft: ["{x} 以左", "left of {x}"],
  formula: ["怎么写", "Written with"],
  inFormat: ["在 {format} 里逐步舍入后的相对误差，对数轴", "relative error in {format}, each step rounded, log scale"],
  largestErrorBy: ["最大误差，随{name}而变", "Largest error as {name} moves"],
  largestIs: ["最大 {error}", "largest {error}"],
  lostInSum: ["加 1 以后恰好是 0：有效数字一位不剩", "adding 1 leaves exactly 0: every digit is lost"],
  numberFormat: ["数的格式", "Number format"],
  overflowed: ["超出 {format} 的最大数 {largest}", "beyond {largest}, the largest number of {format}"],
  overflows: ["{step} 溢出", "{step} overflows"],
  searchBest: ["搜索最佳值", "Search for the best"],
  searchCancelled: ["搜索已取消，系数回到原来的值", "Search cancelled, back to what was set"],
  searchGaveWay: ["参数或目标改了，搜索停下", "Search stopped: a parameter or the target was changed"],
  subnormal: ["次正规数，只剩 {digits} 位二进制数字", "subnormal, binary digits left: {digits}"],
  trueValue: ["准确值", "True value"],
  underflowed: ["不超过 {format} 最小的数的一半，成了 0", "no more than half the smallest number of {format}: flushed to 0"],
  withErf: ["1 + erf", "1 + erf"],
  withErfc: ["erfc", "erfc"],
  withSigmoid: ["sigmoid", "sigmoid"],
  withTanh: ["1 + tanh", "1 + tanh"],
});

takeLabels(roundingLabels);
