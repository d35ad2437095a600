/** Labels of the figure `coin`; labels.js takes them in. */
import { takeLabels } from "./labels.js";

export const coinLabels = /** @type {const} */ ({
  anotherLots: ["换一副签", "New lots"],
  atStandardErrors: ["平均离它 {off} 个标准误", "mean {off} standard errors off"],
  drawOnce: ["抽一次", "Draw once"],
  drawsAllZero: ["*x* = 0，放进来也是 0", "*x* = 0: let in or not, it is 0"],
  keptOut: ["拦下 {count} 次", "kept out: {count}"],
  letIn: ["放进 {count} 次", "let in: {count}"],
  letInOf: ["放进来的", "Let in"],
  meanOf: ["{draws} 次的平均", "mean of {draws}"],
  meanSoFar: ["平均", "Mean"],
  run: ["连续抽", "Run"],
  standardErrorIs: ["标准误 {error}", "standard error {error}"],
  drawAnew: ["从头抽", "Start over"],
  stop: ["停", "Stop"],
  walkOfMean: ["在这个 *x*，平均值随抽签次数怎么走", "At this *x*: the mean, draw by draw"],
});

takeLabels(coinLabels);
