/** The figures further down, which come with a script of their own. */
import { dead } from "./dead.js";
import { depth } from "./depth.js";
import { errors } from "./errors.js";
import { ffn } from "./ffn.js";
import { gates } from "./gates.js";
import { gradients } from "./gradients.js";
import { models } from "./models.js";
import { race } from "./race.js";
import { table } from "./table.js";

export const late = [gates, gradients, depth, errors, ffn, dead, race, table, models];
