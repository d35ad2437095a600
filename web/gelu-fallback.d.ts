/** The kernels of gelu.wasm in JavaScript. gelu.js loads this file where wasm is refused; see LoadOptions.fallback. */
import type { Fallback } from "./gelu.js";

declare const start: Fallback;
export default start;
