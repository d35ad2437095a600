/** The same kernels off the main thread. The first message is the wasm, the others are calls (host.js) with an id. */
import { createHost } from "./host.js";
import { GeluError } from "./kernels.js";
import { startKernels } from "./startkernels.js";

const scope = /** @type {any} */ (globalThis);
/** @type {ReturnType<typeof createHost> | null} */
let host = null;

/** The page puts the kernels in JavaScript before this script when it has learnt that they are needed. */
function fallback() {
  if (scope.geluFallback === undefined) throw new GeluError("refused", "this worker may not run wasm");
  return scope.geluFallback;
}

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  const { id } = data;
  try {
    if (host === null) {
      // As long as this end of it lives, so does the worker.
      scope.alive = data.alive;
      host = createHost(await startKernels({ wasm: data.wasm, fallback }));
      scope.postMessage({ id, result: null });
    } else {
      scope.postMessage({ id, result: host(data) });
    }
  } catch (error) {
    const { message, code } = /** @type {{ message: string, code?: string }} */ (error);
    scope.postMessage({ id, error: { message, code } });
  }
};
