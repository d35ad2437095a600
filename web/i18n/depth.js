/** Labels of figure `depth`. Its sentences are in figures/depth/text.js. */
import { takeLabels } from "./labels.js";

export const depthLabels = /** @type {const} */ ({
  gainCustom: ["自定", "Custom"],
  gainItself: ["增益", "Gain"],
  gainHe: ["√2（He）", "√2 (He)"],
  gainOfWeights: ["权重的增益", "Gain of the weights"],
  gainUnit: ["各自配", "Matched"],
  gradientBack: ["梯度，往回", "Gradient, back"],
  greatestOf: ["{name}，最大", "{name}, greatest"],
  layerCount: ["{layers} 层", "{layers} layers"],
  layerNorm: ["LayerNorm", "LayerNorm"],
  layers: ["层数", "Layers"],
  layersPassed: ["走过层数", "Layers passed"],
  layerReached: ["层", "Layer"],
  leastOf: ["{name}，最小", "{name}, least"],
  medianOfNetworks: ["{name}，中位数", "{name}, median"],
  moveLayer: ["移到第几层", "Move along the layers"],
  networks: ["网络个数", "Networks"],
  off: ["无", "Off"],
  on: ["有", "On"],
  oneLayer: ["1 层", "1 layer"],
  residualPath: ["残差", "Residual path"],
  signalForward: ["信号，往前", "Signal, forward"],
  theGradient: ["梯度 {value}", "gradient {value}"],
  theSignal: ["信号 {value}", "signal {value}"],
  width: ["宽度", "Width"],
});

takeLabels(depthLabels);
