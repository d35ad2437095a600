/** The script with the kernels that train networks, for the page and for its workers, the whole library over them, and what starts them. */
import kernels from "virtual:gelu.wasm";
import worker from "virtual:worker";
import { loadGelu } from "./kernels.js";
import { localRemote, startWorkers } from "./remotes.js";

/** @type {any} */ (globalThis).geluPart("networks", { kernels, worker, loadGelu, startWorkers, localRemote });
