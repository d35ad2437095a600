/** Words of figure `ffn`, which come with its script: each row is [中文, English]; {name} is filled in, *x* is a variable. */

const firstWords = /** @type {const} */ ({
  activation: ["激活函数", "Activation"],
  activationsOf: ["激活，每个词元", "activations, each token"],
  backward: ["反向", "Backward"],
  backwardOperations: ["反向的运算，每个词元", "operations backward, each token"],
  between: ["另 {count} 项合计", "{count} more terms, together"],
  bytesKept: ["反向要留的 *x* 与 *z*（{tokens} 个词元）", "*x* and *z* kept for the way back ({tokens} tokens)"],
  bytesWeights: ["权重占内存（float32）", "memory of the weights (float32)"],
  computing: [
    "正在抽 {weights} 个权重，再让 {tokens} 个词元走一遍……",
    "Drawing {weights} weights, then sending {tokens} tokens through …",
  ],
  counts: ["数一数", "The count"],
  csv: ["矩阵 CSV", "Matrices as CSV"],
  csvVectors: ["向量 CSV", "Vectors as CSV"],
  exactZeros: ["正好为 0 的隐藏值", "hidden values exactly 0"],
  forward: ["前向", "Forward"],
  forwardOperations: ["前向的运算，每个词元（一次乘加算两次）", "operations forward, each token (a multiply-add is two)"],
  fullSequence: ["前向的运算，整段 {sequence} 个词元", "operations forward, a full sequence of {sequence} tokens"],
  hiddenUnit: ["隐藏单元 {unit}", "hidden unit {unit}"],
  hiddenWidth: ["隐藏宽度 *h*", "Hidden width *h*"],
  inputUnit: ["输入分量 {unit}", "component {unit} of *x*"],
  invented: [
    "权重是抽的，不是训练出来的：正态，方差 *W*₁ 为 1/*d*，*W*₂ 为 1/*h*；偏置起初是 0。*x* 取自 N(0, 1)，像刚经过 LayerNorm；*dy* 也取自 N(0, 1)，代替后面各层送回的梯度。",
    "The weights are drawn, not trained: normal, with variance 1/*d* for *W*₁ and 1/*h* for *W*₂; biases start at 0. *x* is from N(0, 1), as if fresh from LayerNorm, and so is *dy*, in place of the gradient that later layers would send.",
  ],
  inLayers: ["{layers} 层合计", "in {layers} layers"],
  matrices: ["矩阵", "Matrices"],
  measure: ["在这台机器上量一量", "Measure on this machine"],
  network: ["网络", "Network"],
  outputUnit: ["输出分量 {unit}", "component {unit} of *y*"],
  parameters: ["参数", "parameters"],
  pass: ["方向", "Pass"],
  preActivationsOf: ["{tokens} 个词元 × {hidden} 个单元的净输入 *z*", "pre-activations *z* of {tokens} tokens × {hidden} units"],
  preset: ["网络大小", "Size"],
  presetBert: ["BERT-base 768 → 3072 → 768", "BERT-base 768 → 3072 → 768"],
  presetGpt2: ["GPT-2 small 768 → 3072 → 768", "GPT-2 small 768 → 3072 → 768"],
  presetTiny: ["小网络 4 → 16 → 4", "Tiny 4 → 16 → 4"],
  presetTinyOwn: ["小网络 {d} → {hidden} → {d}", "Tiny {d} → {hidden} → {d}"],
  presetVit: ["ViT-B 768 → 3072 → 768", "ViT-B 768 → 3072 → 768"],
  ratio: ["隐藏宽度是宽度的几倍", "hidden width over width"],
  reluWould: ["换成 ReLU：", "ReLU would make it "],
  rounded: [
    "写出来的数舍入到四位小数，计算用全部数位；手算末位差一点，是舍入。",
    "Written to four decimals, computed with all digits: by hand the last one may come out differently.",
  ],
  seed: ["种子", "Seed"],
  slopeZeros: ["正好为 0 的斜率", "slopes exactly 0"],
  time: ["每个词元用时", "Time per token"],
  token: ["看第几个词元", "Token shown"],
  tokens: ["词元数", "Tokens"],
  tokenShort: ["词元 {token}", "token {token}"],
  unit: ["看哪个数", "Number shown"],
  view: ["画成", "Drawn as"],
  width: ["宽度 *d*", "Width *d*"],
});

/** @typedef {keyof (typeof firstWords & typeof import("./ffnpressed.js").pressedWords)} Word */

/** With those that come with a press. @type {Record<Word, readonly [string, string]>} */
const words = /** @type {any} */ ({ ...firstWords });

/** What a script that comes later brings. @param {Partial<Record<Word, readonly [string, string]>>} more */
export const takeWords = (more) => void Object.assign(words, more);

/**
 * @param {Word} key
 * @param {Record<string, string | number>} [values]
 * @returns {{ zh: string, en: string }}
 */
export function both(key, values = {}) {
  const fill = (/** @type {string} */ text) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
  const [zh, en] = words[key];
  return { zh: fill(zh), en: fill(en) };
}
