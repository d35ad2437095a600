/** All figures: a new one is one file and one line in late.js. */
import { early } from "./early.js";
import { late } from "./late.js";

export const figures = [...early, ...late];
