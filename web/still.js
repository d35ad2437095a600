/** Says in a page whose scripts did not come, or broke down, why nothing in it moves; pictures, tables and text are there. */

const WORDS = [
  ["zh-CN", "这一页的脚本没能运行，图停在最初的样子；文字、图和表都在。重新载入，或者换新一些的浏览器，也许就好了。"],
  [
    "en",
    "The scripts of this page did not run: its figures stay as first drawn, and text, pictures and tables are all here. Loading it again, or a newer browser, may help.",
  ],
];

/** To be asked once the page's own script should have run: the first thing it does is to receive parts (parts.js). */
export function sayIfStill() {
  // The page that chooses among embeds has no figures, and no such script.
  if ("geluPart" in globalThis || document.querySelector("figure[data-figure]") === null) return;
  // Where the handout's script came to nothing before the page had loaded, it is asked a second time.
  if (document.querySelector("main > .still")) return;
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
