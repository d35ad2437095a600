/** What the site offers to download: the handout as one file and, in each language, on paper; and the line that says so. */
import { span } from "./page.mjs";

/** @typedef {{ name: string, bytes: Buffer }} Download */

/** Where the skeleton has the line. */
export const PLACE = "<!-- build: downloads -->\n";

const LINE = /<p class="downloads">.*<\/p>\n/;

/** @param {string} page of the site */
export const withoutDownloads = (page) => page.replace(LINE, "");

/**
 * @param {Download[]} downloads the file, and the PDFs in Chinese and in English; none without `package`
 * @returns {string} the line
 */
export function downloadsLine(downloads) {
  if (downloads.length === 0) return "";
  const [file, zhPdf, enPdf] = downloads;
  const link = (/** @type {Download} */ { name }, /** @type {string} */ text) => `<a href="${name}" download>${text}</a>`;
  const size = (/** @type {Download} */ { bytes }) => `${(bytes.length / 1e6).toFixed(1)}\u00a0MB`;
  return `<p class="downloads">${span({
    zh: `带走讲义：${link(file, "单个网页文件，断网也能用")}（${size(file)}），${link(zhPdf, "打印用的 PDF")}（${size(zhPdf)}）。`,
    en: `Take the lesson along: ${link(file, "one file that needs no network")} (${size(file)}), ${link(enPdf, "a PDF for paper")} (${size(enPdf)}).`,
  })}</p>\n`;
}
