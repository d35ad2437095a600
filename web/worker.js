/** The same kernels off the main thread. The first message brings the wasm, the others are calls (host.js) with an id. */
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

/**
 * A lock that is free again once this worker has died.
 * @param {string} name
 * @returns {Promise<boolean>} whether it is held: not where the host has no address of its own
 */
const holdForLife = (name) =>
  new Promise((resolve) => {
    const hold = async () => {
      await navigator.locks.request(name, () => {
        resolve(true);
        return new Promise(() => {});
      });
    };
    hold().catch(() => resolve(false));
  });

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  const { id } = data;
  try {
    if (host === null) {
      host = createHost(await startKernels({ wasm: data.wasm, fallback }));
      scope.postMessage({ id, result: await holdForLife(data.life) });
    } else {
      scope.postMessage({ id, result: host(data) });
    }
  } catch (error) {
    const { message, code } = /** @type {{ message: string, code?: string }} */ (error);
    scope.postMessage({ id, error: { message, code } });
  }
};
