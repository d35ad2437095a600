/** Labels of controls and messages: each row is [中文, English]; {name} is filled in, *x* is a variable. */

const firstLabels = /** @type {const} */ ({
  absolute: ["绝对", "Absolute"],
  absoluteError: ["绝对误差", "Absolute error"],
  allowedRange: ["请填 {min} 到 {max} 之间的数。", "A number from {min} to {max}, please."],
  anotherCrowd: ["换一群人", "Draw another crowd"],
  backToText: ["回到题目", "Back to the text"],
  boxZoom: ["框选放大", "Zoom to a box"],
  claimedBound: ["所说的上限", "claimed bound"],
  contents: ["目录", "Contents"],
  copied: ["已复制", "Copied"],
  copy: ["复制", "Copy"],
  copyLink: ["复制链接", "Copy link"],
  crowd: ["人数", "Crowd"],
  csv: ["CSV", "CSV"],
  dataTable: ["数据表", "Data table"],
  drawOrChoose: ["在格子里画，或者选一条", "Draw on the plot, or choose one"],
  embed: ["嵌入", "Embed"],
  errorIs: ["误差 {error}", "error {error}"],
  errorKind: ["误差", "Error"],
  failed: ["没成，请再试", "Failed: try again"],
  failedFor: ["没成，请再试（{reason}）", "Failed: try again ({reason})"],
  figureFailed: ["这张图停住了：{reason}", "This figure has stopped: {reason}"],
  firstDerivative: ["一阶导数", "First derivative"],
  fromNormal: ["N(0, 1)", "N(0, 1)"],
  fullScreen: ["全屏", "Full screen"],
  functionMean: ["{name} 的均值", "mean of {name}"],
  functions: ["函数", "Functions"],
  gateAlone: ["只看门", "The gate"],
  gateTimesX: ["门 × *x*", "Gate × *x*"],
  guessedRight: [
    "猜对了：GELU′ 在左边低到 {low}，在右边高到 {high}，最后回到 1。",
    "Right: GELU′ goes down to {low} on the left, up to {high} on the right, and settles at 1.",
  ],
  guessedWrong: [
    "不是这条（虚线）。真的 GELU′ 在左边低到 {low}，在右边高到 {high}，最后回到 1。",
    "Not that one (dashed). GELU′ goes down to {low} on the left, up to {high} on the right, and settles at 1.",
  ],
  highestAt: ["最高 {y}，在 *x* = {x}", "highest, {y}, at *x* = {x}"],
  hundredPercent: ["误差 100\u202f%", "error 100\u202f%"],
  inJavaScript: ["由 JavaScript 计算：数字相同，慢一些", "Computed in JavaScript: same numbers, slower"],
  input: ["输入", "Input"],
  inThisCrowd: ["这群人里", "In this crowd"],
  language: ["语言", "Language"],
  letThrough: ["放行 {share}", "{share} let through"],
  letThroughBar: ["放行", "let through"],
  linear: ["线性", "Linear"],
  linearScale: ["线性轴", "linear scale"],
  logarithmic: ["对数", "Logarithmic"],
  logarithmicScale: ["对数轴", "log scale"],
  lowestAt: ["最低 {y}，在 *x* = {x}", "lowest, {y}, at *x* = {x}"],
  leaveFullScreen: ["退出全屏", "Leave full screen"],
  meanIs: ["均值 {mean}", "mean {mean}"],
  loading: ["正在载入。", "Loading."],
  more: ["更多", "More"],
  moveX: ["移动 x", "Move x"],
  ofFirstDerivative: ["一阶导数的", "of the first derivative"],
  ofValue: ["函数值的", "of the value"],
  oneX: ["一个 *x*", "One *x*"],
  order: ["阶数", "Order"],
  panLeft: ["左移", "Move left"],
  panRight: ["右移", "Move right"],
  passesWhole: ["全部放行", "let through whole"],
  png: ["PNG", "PNG"],
  predictGradient: ["先猜一猜：GELU′ 长什么样？", "First a guess: what does GELU′ look like?"],
  program: ["程序", "Program"],
  relative: ["相对", "Relative"],
  relativeError: ["相对误差", "Relative error"],
  relativeErrorIs: ["相对误差 {error}", "relative error {error}"],
  reset: ["重置", "Reset"],
  scale: ["纵轴", "Vertical axis"],
  score: ["分数", "Score"],
  scoreAbove: ["比 *x* 高", "above *x*"],
  scoreBelow: ["比 *x* 低的人", "score below *x*"],
  scrollsSideways: ["可以左右滚动", "scrolls sideways"],
  secondDerivative: ["二阶导数", "Second derivative"],
  sections: ["章节", "Sections"],
  selected: ["已选中，请自己复制", "Selected, to be copied by hand"],
  settings: ["设置", "Settings"],
  shapeBump: ["中间一个包，两头是 0", "a bump in the middle, 0 at both ends"],
  shapeOvershoot: ["先低于 0，再越过 1，最后回到 1", "first below 0, then above 1, at last 1"],
  shapeS: ["S 形，从 0 升到 1", "an S from 0 up to 1"],
  shapeStep: ["在 0 处从 0 跳到 1", "a step from 0 to 1 at 0"],
  shareBeaten: ["胜过的比例", "share beaten"],
  shown: ["看什么", "Show"],
  showTruth: ["看答案", "Show it"],
  sketched: [
    "你画的是虚线，平均差 {difference}。真的 GELU′ 在左边低到 {low}，在右边高到 {high}，最后回到 1。",
    "Your drawing is dashed; on average it is {difference} off. GELU′ goes down to {low} on the left, up to {high} on the right, and settles at 1.",
  ],
  skip: ["跳过", "Skip"],
  squeezed: ["压进 0 与 1 之间", "squeezed into (0, 1)"],
  step: ["阶跃", "step"],
  stopped: ["全部拦下", "stopped"],
  svg: ["SVG", "SVG"],
  theme: ["外观", "Appearance"],
  themeAuto: ["自动", "Auto"],
  themeDark: ["深色", "Dark"],
  themeLight: ["浅色", "Light"],
  tryAgain: ["再试一次", "Try again"],
  value: ["函数值", "Value"],
  variableX: ["*x*", "*x*"],
  wholeRange: ["原范围", "Whole range"],
  window: ["横轴范围", "Range of *x*"],
  workedPoints: ["三个例子", "Worked points"],
  zoom: ["缩放", "Zoom"],
  zoomIn: ["放大", "Zoom in"],
  zoomOut: ["缩小", "Zoom out"],
});

/**
 * Those of the figures that come later, too.
 * @typedef {keyof (typeof firstLabels
 *   & typeof import("./coin.js").coinLabels
 *   & typeof import("./dead.js").deadLabels
 *   & typeof import("./depth.js").depthLabels
 *   & typeof import("./embed.js").embedLabels
 *   & typeof import("./handout.js").handoutLabels
 *   & typeof import("./panel.js").panelLabels
 *   & typeof import("./playground.js").playgroundLabels
 *   & typeof import("./presenter.js").presenterLabels
 *   & typeof import("./pressed.js").pressedLabels
 *   & typeof import("./quiz.js").quizLabels
 *   & typeof import("./race.js").raceLabels
 *   & typeof import("./rounding.js").roundingLabels
 *   & typeof import("./speed.js").speedLabels)} Label
 */

/**
 * With those of the figures that come later, once they are here.
 * @type {Record<Label, readonly [string, string]>}
 */
export const labels = /** @type {any} */ ({ ...firstLabels });

/** What a script that comes later brings. @param {Record<string, readonly [string, string]>} more */
export const takeLabels = (more) => void Object.assign(labels, more);

/** @typedef {"zh" | "en"} Language */

/**
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/**
 * A label in both languages.
 * @param {Label} key
 * @param {Record<string, string | number>} [values]
 */
export function bilingualText(key, values = {}) {
  const [zh, en] = labels[key];
  return { zh: fill(zh, values), en: fill(en, values) };
}

/**
 * A label in one language.
 * @param {Language} language
 * @returns {(key: Label, values?: Record<string, string | number>) => string}
 */
export function translator(language) {
  return (key, values = {}) => bilingualText(key, values)[language];
}
