/** The script with what figures need once somebody has pressed something in them; it finds in later.js what they share. */
import "./i18n/ffnpressed.js";
import "./i18n/pressed.js";
import { clockStep, race, timingOf, turnFor } from "./components/measure.js";
import { createAnswers } from "./figures/checked.js";
import { unitNumbers, unitRows } from "./figures/dead/numbers.js";
import { createTraining } from "./figures/dead/training.js";
import { createLarge } from "./figures/ffn/large.js";
import { createHeatMaps, createTables } from "./figures/ffn/matrices.js";
import { measure as measureFfn } from "./figures/ffn/timing.js";
import { createSearcher } from "./figures/fit/search.js";
import { createRun } from "./figures/race/training.js";
import { paintBars } from "./figures/speedpicture.js";
import { contestants } from "./figures/timed.js";

const ofSpeed = { clockStep, race, timingOf, turnFor, contestants, paintBars };
const ofDead = { createTraining, unitNumbers, unitRows };
const ofFfn = { createLarge, createHeatMaps, createTables, measureFfn };

/** @type {any} */ (globalThis).geluPart("pressed", {
  ...ofSpeed,
  ...ofFfn,
  ...ofDead,
  ...{ createAnswers, createSearcher, createRun },
});
