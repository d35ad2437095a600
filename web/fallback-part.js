/** The script with the kernels in JavaScript, for pages where wasm is refused. */
import instantiate from "virtual:gelu-fallback";

/** @type {any} */ (globalThis).geluPart("fallback", instantiate);
