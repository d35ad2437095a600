/** Runs before the first paint: the language and the theme of the page, so that nothing flashes. Small and blocking. */
import "./bareobjects.js";
import { languageFor } from "./language.js";
import { firstQuery } from "./saved.js";
import { sayIfStill } from "./still.js";

const root = document.documentElement;
const query = new URLSearchParams(firstQuery());
// Of a repeated key the last counts, as in state.js.
const lastOf = (/** @type {string} */ key) => query.getAll(key).pop() ?? null;
root.dataset.js = "";
root.lang = languageFor(lastOf("lang"), navigator.languages) === "zh" ? "zh-CN" : "en";
const theme = lastOf("theme");
if (theme === "light" || theme === "dark") root.dataset.theme = theme;
if (lastOf("presenter") === "1") root.dataset.presenter = "";
// Who comes back to a place in the page has to find it where it was.
const [visit] = performance.getEntriesByType("navigation");
if (/** @type {PerformanceNavigationTiming | undefined} */ (visit)?.type === "navigate") root.dataset.fresh = "";
// What a link leads to is at its place once all before it is laid out.
const lead = () => {
  root.dataset.led = "";
};
if (location.hash.length > 1) lead();
addEventListener(
  "click",
  ({ target }) => {
    if (target instanceof Element && target.closest('a[href^="#"]')) lead();
  },
  true,
);
// Of the handout's scripts that one knows which unfolds them.
addEventListener("load", () => document.getElementById("folded") ?? sayIfStill());
