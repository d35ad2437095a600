/** Says in a page whose scripts did not come, or broke down, why nothing in it moves; pictures, tables and text are there. */

const WORDS = [
  ["zh-CN", "这一页的脚本没能运行，图都停在最初的样子，文字、图和表不受影响。换一个新一些的浏览器，或者重新载入，也许就好了。"],
  [
    "en",
    "The scripts of this page did not run, so its figures stay as they were drawn at first; text, pictures and tables are all " +
      "here. A newer browser, or loading the page again, may help.",
  ],
];

/** To be asked once the page's own script should have run: the first thing it does is to receive parts (parts.js). */
export function sayIfStill() {
  // The page that chooses among embeds has no figures, and no such script.
  if ("geluPart" in globalThis || document.querySelector("figure[data-figure]") === null) return;
  const box = document.createElement("div");
  box.className = "still";
  box.setAttribute("role", "alert");
  for (const [lang, words] of WORDS) {
    const sentence = document.createElement("p");
    sentence.lang = lang;
    sentence.textContent = words;
    box.append(sentence);
  }
  document.querySelector("main")?.prepend(box);
}
