/** Runs before the first paint of an embedded figure: language, theme, and how much of it is shown. */
import "../head.js";
import { optionsOf } from "./options.js";

const root = document.documentElement;
const { options, kept } = optionsOf(root.dataset.query ?? location.search);
Object.assign(root.dataset, options, { kept });
