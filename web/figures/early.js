/** The figures of the first screens, which come with the page's first script. */
import { admission } from "./admission.js";
import { curves } from "./curves.js";

export const early = [admission, curves];
