/** Runs before the first paint: the language and the theme of the page, so that nothing flashes. Small and blocking. */
import { languageFor } from "./language.js";

const root = document.documentElement;
const query = new URLSearchParams(location.search);
root.dataset.js = "";
root.lang = languageFor(query.get("lang"), navigator.languages) === "zh" ? "zh-CN" : "en";
const theme = query.get("theme");
if (theme === "light" || theme === "dark") root.dataset.theme = theme;
