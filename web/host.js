/** Calls of the library by message: what a worker does with them, and the page itself where no worker can start. */

/**
 * An object of the library (Trainer, Ffn, Fit) gets a number by which later calls name it; 0 is the library.
 * @typedef {{ object: number, method: string, args: unknown[] }} Call
 *   method: "get:NAME" reads a property; "timed:NAME" answers { result, ms }; "time:NAME" calls it as often as its first
 *   argument says and answers the milliseconds; what creates an object answers its number
 */

/** What answers an object and not a value. */
const CREATORS = new Set(["createTrainer", "createFfn", "createFit", "random"]);

/**
 * @param {import("./kernels.js").Gelu} gelu
 * @returns {(call: Call) => unknown}
 */
export function createHost(gelu) {
  /** @type {Map<number, any>} */
  const objects = new Map([[0, gelu]]);
  let next = 1;
  return ({ object, method, args }) => {
    const target = objects.get(object);
    if (method.startsWith("get:")) return target[method.slice(4)];
    if (method.startsWith("time:")) return timed(() => target[method.slice(5)](...args.slice(1)), Number(args[0]));
    if (method.startsWith("timed:")) {
      const started = performance.now();
      const result = target[method.slice(6)](...args);
      return { result, ms: performance.now() - started };
    }
    const result = target[method](...args);
    if (method === "free") objects.delete(object);
    if (!CREATORS.has(method)) return result;
    objects.set(next, result);
    return next++;
  };
}

/**
 * @param {() => unknown} act
 * @param {number} times
 */
function timed(act, times) {
  const start = performance.now();
  for (let i = 0; i < times; i++) act();
  return performance.now() - start;
}
