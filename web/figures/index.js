/** The list of figures: a new one is one file and one line here. */
import { curves } from "./curves.js";
import { errors } from "./errors.js";
import { gradients } from "./gradients.js";

export const figures = [curves, gradients, errors];
