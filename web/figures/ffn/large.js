/** A network of a model's size, computed off the page's thread: the latest wanted wins. */
import { createCrew } from "../../crew.js";
import { completed, inputsOf, keyOf, optionsOf } from "./run.js";

/**
 * @typedef {import("./run.js").Net} Net
 * @typedef {import("./run.js").Run} Run
 */

/**
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {{ arrived: (key: string, run: Run) => void, fail: (error: unknown) => void }} host
 */
export function createLarge(deps, { arrived, fail }) {
  const crew = createCrew(deps.networks, 1);
  /** @type {{ net: Net, wish: string } | null} */
  let wanted = null;
  let isBusy = false;
  let isEnded = false;
  /** The weights are the same for every activation, and large. @type {{ key: string, weights: import("../../gelu.d.ts").FfnArrays } | null} */
  let kept = null;

  /** One remote for all. */
  const worker = async () => (await crew.gather())[0];

  /** @param {Net} net @param {boolean} withGradients */
  async function compute(net, withGradients) {
    const remoteNow = await worker();
    const object = await remoteNow.call(0, "createFfn", optionsOf(net));
    try {
      const get = (/** @type {string} */ name) => remoteNow.call(object, `get:${name}`);
      const { x, dy } = inputsOf(deps.gelu, net);
      const y = await remoteNow.call(object, "forward", x, net.tokens);
      const [z, a] = [await get("preActivations"), await get("hiddenValues")];
      const dx = await remoteNow.call(object, "backward", dy);
      const key = JSON.stringify([net.d, net.hidden, net.seed]);
      const weights = kept?.key === key ? kept.weights : await get("weights");
      kept = { key, weights };
      const gradients = withGradients ? await get("gradients") : null;
      const { w1, b1, w2, b2 } = weights;
      const [dw1, dw2] = [gradients?.w1 ?? null, gradients?.w2 ?? null];
      return completed(deps.gelu, net, { x, dy, w1, b1, w2, b2, z, a, y, dx, dw1, dw2 });
    } finally {
      await remoteNow.call(object, "free");
    }
  }

  return {
    worker,

    /** After a failure of somebody else's, for it may be the worker's. What is computed here finds that out itself. */
    release() {
      if (!isBusy) crew.dismiss();
    },

    /**
     * Once more the same is harmless.
     * @param {Net} net
     */
    async want(net) {
      const wish = `${keyOf(net)} ${net.isBackward}`;
      if (wish === wanted?.wish) return;
      wanted = { net, wish };
      if (isBusy) return;
      isBusy = true;
      try {
        for (let now = null; now !== wanted && wanted !== null && !isEnded; ) {
          now = wanted;
          const run = await compute(now.net, now.net.isBackward);
          if (now === wanted && !isEnded) arrived(keyOf(now.net), run);
        }
      } catch (error) {
        wanted = null;
        crew.dismiss();
        if (!isEnded) fail(error);
      } finally {
        isBusy = false;
      }
    },

    /** What was wanted is not any more. */
    forget() {
      wanted = null;
    },

    end() {
      isEnded = true;
      crew.dismiss();
    },
  };
}
