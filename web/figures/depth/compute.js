/** The networks of figure `depth` that the build computes. */
import { depth } from "../depth.js";
import { bandsOf, settingsOf } from "./networks.js";

/** As many digits as the figure shows. */
const shortened = (/** @type {number[]} */ values) => values.map((value) => Number(value.toPrecision(4)));

/**
 * @param {import("../../kernels.js").Gelu} gelu
 * @param {import("./networks.js").Settings} settings
 * @param {readonly string[]} fns
 * @returns {import("./networks.js").Drawn}
 */
export function computeNetworks(gelu, settings, fns) {
  const { seeds, ...network } = settings;
  const bands = fns.map((fn) => {
    const activation = /** @type {import("../../gelu.d.ts").FunctionId} */ (fn);
    const runs = Array.from({ length: seeds }, (_, i) => gelu.propagate({ ...network, activation, seed: i + 1 }));
    const { gradient, signal } = bandsOf(runs);
    const short = ({ low, middle, high }) => ({ low: shortened(low), middle: shortened(middle), high: shortened(high) });
    return [fn, { gradient: short(gradient), signal: short(signal) }];
  });
  return { settings, bands: Object.fromEntries(bands) };
}

/** Those of the first state. @param {import("../../kernels.js").Gelu} gelu */
export function computeDepth(gelu) {
  const state = Object.fromEntries(depth.parameters.map(({ name, value }) => [`depth.${name}`, value]));
  return computeNetworks(gelu, settingsOf(state), state["depth.fns"]);
}
