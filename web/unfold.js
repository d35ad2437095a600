/**
 * The handout's other scripts lie in it packed (web/build/fold.mjs), and the rules that only they need of its style sheets:
 * as one script they are put where a script belongs, and the sheets made whole. The page's policy has the hashes of what comes
 * out. Before that the file is kept as it came, for copies of it (handout.js); only head.js has been at its first tag.
 */
import { fromLetters, SEPARATOR, sumOf } from "./letters.js";
import { unpackLzma } from "./lzma.js";
import { sayIfStill } from "./still.js";

const HTML_TAG = '<html lang="zh-CN">';
Object.assign(globalThis, {
  geluSource: `<!doctype html>\n${document.documentElement.outerHTML.replace(/^<html[^>]*>/, HTML_TAG)}\n`,
});

/** @param {Element} sheet @param {string} rest an empty line for each rule that the sheet has (web/build/sheets.mjs) */
function complete(sheet, rest) {
  const rules = (sheet.textContent ?? "").split("\n").values();
  const whole = document.createElement("style");
  whole.textContent = rest
    .split("\n")
    .map((rule) => rule || rules.next().value)
    .join("\n");
  sheet.replaceWith(whole);
}

function unfold() {
  const folded = /** @type {HTMLScriptElement} */ (document.getElementById("folded"));
  const bytes = unpackLzma(fromLetters(folded.text), Number(folded.dataset.size));
  // Sheets that the policy then refuses would take the place of good ones.
  if (sumOf(bytes) !== Number(folded.dataset.sum)) throw new Error("this file came damaged");
  const [code, ...rests] = new TextDecoder().decode(bytes).split(SEPARATOR);
  document.querySelectorAll("style[data-part]").forEach((sheet, i) => {
    complete(sheet, rests[i]);
  });
  const script = document.createElement("script");
  script.text = code;
  folded.replaceWith(script);
}

// The text is painted first. A file that came damaged, or a browser too old for what it asks, throws.
setTimeout(() => {
  try {
    unfold();
  } finally {
    sayIfStill();
  }
});
