/** The figures further down, which come with a script of their own. */
import { cards } from "./cards.js";
import { coin } from "./coin.js";
import { dead } from "./dead.js";
import { depth } from "./depth.js";
import { errors } from "./errors.js";
import { ffn } from "./ffn.js";
import { fit } from "./fit.js";
import { gates } from "./gates.js";
import { gradients } from "./gradients.js";
import { judge } from "./judge.js";
import { models } from "./models.js";
import { playground } from "./playground.js";
import { precision } from "./precision.js";
import { race } from "./race.js";
import { speed } from "./speed.js";
import { table } from "./table.js";

export const late = [
  ...[coin, gates, fit, gradients, depth, errors, precision, speed, ffn, dead, race, table, models, playground, judge, cards],
];
