/** The script with the kernels that train networks, for the page and for its workers, and the whole library over them. */
import kernels from "virtual:gelu.wasm";
import worker from "virtual:worker";
import { loadGelu } from "./kernels.js";

/** @type {any} */ (globalThis).geluPart("networks", { kernels, worker, loadGelu });
