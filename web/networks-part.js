/** The script with the kernels that train networks, for the page and for its workers. */
import kernels from "virtual:gelu.wasm";
import worker from "virtual:worker";

/** @type {any} */ (globalThis).geluPart("networks", { kernels, worker });
