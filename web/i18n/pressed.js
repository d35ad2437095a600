/** Labels of what figures show once somebody has pressed something in them. */
import { takeLabels } from "./labels.js";

export const pressedLabels = /** @type {const} */ ({
  andMore: ["……另有 {rest} 行", "… and {rest} more"],
  checkSentence: [
    "比较了 {rows} 行，最差 {worst} ULP，{within} 行在 1 ULP 以内",
    "{rows} rows compared, worst {worst} ULP, {within} within 1 ULP",
  ],
  clockTooCoarse: [
    "这个浏览器的时钟一步走 {step} ms，比一帧还粗，一样也量不准，所以没有结果。换一个浏览器，或者放宽它的隐私设置再量。",
    "The clock of this browser moves in steps of {step} ms, too coarse for any of this to be timed, so there is no result. Another browser, or weaker privacy settings, will do.",
  ],
  comparisonCsv: ["比较结果 CSV", "Comparison as CSV"],
  computedHere: ["在你这里算的，用了 {workers} 个线程。", "Computed here; workers: {workers}."],
  computedHereLocal: ["在你这里算的，在页面自己的线程上分小段。", "Computed here, in small slices of the page’s own thread."],
  computedOther: ["与事先算好的那次不同！", "It differs from the run computed beforehand!"],
  computedSame: ["与事先算好的那次逐位相同。", "Bit for bit the same as the run computed beforehand."],
  correctlyRounded: ["正确舍入", "Correctly rounded"],
  deadComputedHere: ["在这个页面里刚刚算出", "Computed in this page just now"],
  deadLargestPreActivation: ["最大净输入", "largest pre-activation"],
  deadLargestSlope: ["最大 |act′|", "largest |act′|"],
  deadStoppedAt: [
    "{name} 在第 {step} 步停下：损失或某个权重不再是有限的数。图上是停下之前的。",
    "{name} stopped at step {step}: a loss or a weight was no longer finite. What is shown is from before. ",
  ],
  deadUnit: ["单元", "unit"],
  deadUnitTable: [
    "最大净输入与最大 |act′|，都取遍训练集的 {count} 个数字",
    "The largest pre-activation and the largest |act′| over the {count} training digits",
  ],
  failedAt: [
    "{list}：数值不再有限，图上是最后有限的结果。",
    "{list}: no finite numbers any more. What is shown of them is the last that was finite.",
  ],
  failedOne: [
    "{fn} 在第 {epoch} 轮第 {step} 步溢出（种子 {seed}）",
    "{fn} overflowed at step {step}, in epoch {epoch} (seed {seed})",
  ],
  failedStep: ["第 {step} 步溢出", "overflow at step {step}"],
  fileNotRead: ["文件 {name} 读不出来。", "The file {name} could not be read."],
  fileTooLarge: ["文件 {name} 超过 2 MB，没有读。", "The file {name} is larger than 2 MB and was not read."],
  incomparable: ["对不上", "differs"],
  line: ["行", "Line"],
  linesNotRead: ["这些行没有读进来，其余照比：", "These lines were not read; the rest is compared:"],
  manyFields: [
    "第 {line} 行：“{word}”里的数太多，分不清哪个是 *x*、哪个是值（小数逗号请配分号，或者加一行列名）",
    "Line {line}: too many numbers in “{word}” to tell *x* from the value (decimal commas need semicolons between, other columns a head)",
  ],
  measuredHow: [
    "量的是每遍 {n} 个 float32：{entries} 样轮流上，{done} 轮，每样每轮连算约 {turn} ms，取中位数；条下的细线是中间一半的读数，不短于时钟的一步。{backend}，{browser}。",
    "Timed: passes over {n} float32 numbers, {entries} contestants in turn, round by round ({done} in all), about {turn} ms of passes a turn, the median of them. The thin line under a bar is the middle half of the readings, and no shorter than a step of the clock. {backend}, {browser}.",
  ],
  measuredPartly: ["停在了第 {done} 轮，原定 {rounds} 轮。", "Stopped after {done} of {rounds} rounds."],
  noX: ["第 {line} 行：“{word}”没有对应的 *x*", "Line {line}: no *x* in the table for “{word}”"],
  noY: ["第 {line} 行：只有 *x*，没有值", "Line {line}: no value beside *x*"],
  notANumber: ["第 {line} 行：“{word}”不是数", "Line {line}: “{word}” is not a number"],
  notRead: ["没读进来", "Not read"],
  nothingCompared: ["没有一行可以比。", "No line to compare."],
  ours: ["本页的", "Ours"],
  perExact: ["精确式的 {ratio} 倍", "{ratio} × exact"],
  roundOf: ["第 {round} 轮，共 {rounds} 轮", "Round {round} of {rounds}"],
  roundsDone: ["量了 {rounds} 轮", "Rounds measured: {rounds}"],
  rowsCompared: ["比较的行", "Rows compared"],
  sameAsOurs: ["与本页一模一样", "Same as ours"],
  speedSentence: [
    "量完了：精确式的用时是 tanh 式的 {rounded} 倍（正确舍入）、{fast} 倍（快速档）、{plain} 倍（纯 JavaScript）。",
    "Done: the exact form takes {rounded} times as long as the tanh form correctly rounded, {fast} times in the fast tier, {plain} times in plain JavaScript.",
  ],
  theirs: ["你的", "Yours"],
  timeLeft: ["大约还要 {seconds} 秒", "about {seconds} s left"],
  tooMany: ["第 {line} 行起没有读：最多 100 000 行", "From line {line} on nothing was read: 100,000 rows at most"],
  withinUlp: ["1 ULP 以内", "Within 1 ULP"],
  worstFirst: ["最差的在最前。", "The worst come first."],
  worstOf: ["共 {all} 行，只列最差的 {shown} 行；CSV 里全有。", "The worst {shown} of {all} rows; the CSV has all of them."],
  worstUlp: ["最差（ULP）", "Worst (ULP)"],
});

takeLabels(pressedLabels);
