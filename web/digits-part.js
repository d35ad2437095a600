/** The script with the handwritten digits. */
import digits from "virtual:digits";

/** @type {any} */ (globalThis).geluPart("digits", digits);
