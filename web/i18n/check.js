/** Labels of what "check your own" answers, in the figure `table`. */
import { takeLabels } from "./labels.js";

export const checkLabels = /** @type {const} */ ({
  andMore: ["……另有 {rest} 行", "… and {rest} more"],
  checkSentence: [
    "比较了 {rows} 行，最差 {worst} ULP，{within} 行在 1 ULP 以内",
    "{rows} rows compared, worst {worst} ULP, {within} within 1 ULP",
  ],
  comparisonCsv: ["比较结果 CSV", "Comparison as CSV"],
  correctlyRounded: ["正确舍入", "Correctly rounded"],
  fileNotRead: ["文件 {name} 读不出来。", "The file {name} could not be read."],
  fileTooLarge: ["文件 {name} 超过 2 MB，没有读。", "The file {name} is larger than 2 MB and was not read."],
  incomparable: ["对不上", "differs"],
  line: ["行", "Line"],
  linesNotRead: ["这些行没有读进来，其余照比：", "These lines were not read; the rest is compared:"],
  manyFields: [
    "第 {line} 行：“{word}”里的数太多，分不清哪个是 *x*、哪个是值（小数逗号请配分号，或者加一行列名）",
    "Line {line}: too many numbers in “{word}” to tell *x* from the value (decimal commas need semicolons between, other columns a head)",
  ],
  noX: ["第 {line} 行：“{word}”没有对应的 *x*", "Line {line}: no *x* in the table for “{word}”"],
  noY: ["第 {line} 行：只有 *x*，没有值", "Line {line}: no value beside *x*"],
  notANumber: ["第 {line} 行：“{word}”不是数", "Line {line}: “{word}” is not a number"],
  notRead: ["没读进来", "Not read"],
  nothingCompared: ["没有一行可以比。", "No line to compare."],
  ours: ["本页的", "Ours"],
  rowsCompared: ["比较的行", "Rows compared"],
  sameAsOurs: ["与本页一模一样", "Same as ours"],
  theirs: ["你的", "Yours"],
  tooMany: ["第 {line} 行起没有读：最多 100 000 行", "From line {line} on nothing was read: 100,000 rows at most"],
  withinUlp: ["1 ULP 以内", "Within 1 ULP"],
  worstFirst: ["最差的在最前。", "The worst come first."],
  worstOf: ["共 {all} 行，只列最差的 {shown} 行；CSV 里全有。", "The worst {shown} of {all} rows; the CSV has all of them."],
  worstUlp: ["最差（ULP）", "Worst (ULP)"],
});

takeLabels(checkLabels);
