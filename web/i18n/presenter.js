/** Labels of presenter mode and the worksheet. */
import { takeLabels } from "./labels.js";

export const presenterLabels = /** @type {const} */ ({
  answerWord: ["答案", "Answer"],
  blanked: ["屏幕已变黑，按任意键恢复。", "The screen is dark. Any key brings it back."],
  leavePresenter: ["退出", "Leave"],
  lessonAddress: ["讲义在 {address}", "The lesson: {address}"],
  nextStep: ["下一步", "Next step"],
  ofMinutes: ["{minutes} 分钟", "{minutes} min"],
  presenter: ["讲台", "Present"],
  presenterLine: ["讲台", "Presenter"],
  presentRoute: ["讲 {minutes} 分钟", "Present {minutes} minutes"],
  previousStep: ["上一步", "Previous step"],
  printWithKey: ["连答案一起打印", "Print it with the answers"],
  printWorksheet: ["打印练习单", "Print the worksheet"],
  stepSaid: ["第 {at} 步，共 {all} 步：{title}", "Step {at} of {all}: {title}"],
});

takeLabels(presenterLabels);
