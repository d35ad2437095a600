/** The list of figures: a new one is one file and one line here. */
import { admission } from "./admission.js";
import { curves } from "./curves.js";
import { errors } from "./errors.js";
import { gates } from "./gates.js";
import { gradients } from "./gradients.js";
import { models } from "./models.js";
import { table } from "./table.js";

export const figures = [admission, curves, gates, gradients, errors, table, models];
