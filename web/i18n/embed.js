/** Labels of an embedded figure and of the panel that makes the code for it. */
import { takeLabels } from "./labels.js";

export const embedLabels = /** @type {const} */ ({
  asInLesson: ["图的初始状态", "As the figure starts"],
  asItStands: ["讲义里现在的状态", "As it stands in the lesson now"],
  asPreviewed: ["预览里调好的状态", "As set in the preview"],
  copyCode: ["复制代码", "Copy the code"],
  codeElement: ["元素", "Element"],
  codeElementNote: [
    "页面允许脚本时用它：高度自动跟随，属性改了图就跟着变，读者一动就发出 change 事件。",
    "For pages that allow scripts: the height follows by itself, attributes can be changed at any time, and a change event tells what the reader has set.",
  ],
  codeFrame: ["iframe", "iframe"],
  codeFrameNote: [
    "推荐。沙箱让图碰不到你的页面；宿主若听高度消息（H5P、LTI、Open edX），高度会自动调整。",
    "The usual choice. The sandbox keeps the figure away from your page; hosts that listen for its height (H5P, LTI, Open edX) adjust it.",
  ],
  codeLink: ["链接", "Link"],
  codeLinkNote: [
    "给只收网址的地方：LMS 的“网址”资源、Notion、幻灯片。",
    "For places that take an address: the URL resource of an LMS, Notion, slides.",
  ],
  codePlain: ["简易 iframe", "Plain iframe"],
  codePlainNote: [
    "有的编辑器（如 Canvas）会删掉它不认识的属性，这一份只留必需的。",
    "Some editors, Canvas among them, strip attributes that they do not know; this one has only what is needed.",
  ],
  controlsFull: ["全部", "All of it"],
  controlsMin: ["图和读数", "Readouts"],
  controlsNone: ["只有图", "Plot"],
  embedding: ["把图放进别的网页", "Put a figure into another page"],
  figureTitle: ["标题", "Title"],
  heightNote: [
    "高度 {height} 像素是在 {width} 像素宽的栏里量的。换一种栏宽，需要的高度可能不同，装不下就在框里滚动；“元素”会自己跟着变。",
    " The height, {height} px, is what the figure needs in a column {width} px wide. In a narrower one it may need more, and scrolls inside its frame; the element follows by itself.",
  ],
  growingNote: [
    "高度 {height} 像素是 {width} 像素宽的栏里所需的一倍半：答了题，图会变长。还装不下就在框里滚动；“元素”会自己跟着变。",
    " The height, {height} px, is half as much again as the figure needs in a column {width} px wide: answers make it longer. What needs more scrolls inside its frame; the element follows by itself.",
  ],
  theFigure: ["图", "Figure"],
  previewFailed: ["预览没能载入：{reason}", "The preview did not load: {reason}"],
  previewOf: ["预览：在这里调好的，会写进代码", "Preview: what you set here goes into the code"],
  shownParts: ["显示", "Shown"],
  stateOf: ["初始状态", "Starts"],
  theCode: ["代码", "Code"],
  transparent: ["透明背景", "Transparent ground"],
  transparentNote: [
    "图衬在你的网页上，所以明暗由你来定，不跟随读者的系统。",
    "The figure stands on your page, so light or dark is yours to choose and does not follow the reader’s system.",
  ],
  widthOf: ["你的栏宽（像素）", "Your column, in px"],
});

takeLabels(embedLabels);
