/** The script with the figures that the first screens do not need, and what the build has computed for them. */
import computed from "virtual:computed";
import { late } from "./figures/late.js";

/** @type {any} */ (globalThis).geluPart("later", { figures: late, computed });
