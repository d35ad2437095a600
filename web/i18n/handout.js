/** Labels of the handout's own menu. */
import { takeLabels } from "./labels.js";

export const handoutLabels = /** @type {const} */ ({
  blank: ["留空", "Left blank"],
  printFile: ["打印讲义", "Print the handout"],
  printed: ["印出来", "Printed"],
  printedAnswers: ["打印时，题目的答案", "On paper, the answers to the questions are"],
  saveCopy: ["按现在的样子存一份", "Save a copy as it is now"],
  saveCopyHelp: [
    "语言、*x*、每张图的设置、答过的题都留在副本里。把副本发给别人，打开就是现在的样子。",
    "Language, *x*, the settings of each figure and the answers given stay in the copy. Whoever opens it sees what you see.",
  ],
  startingPoints: ["从哪里看起", "Where to start"],
  thisFile: ["本文件", "This file"],
});

takeLabels(handoutLabels);
