/** What figure `race` shows, as numbers: its settings, the run that the build has made, medians, and what came out. */
import { parametersOf } from "../sampling.js";
import { curveOf, median, stepsPerEpoch } from "./curve.js";

/**
 * @typedef {import("./curve.js").Curve} Curve
 * @typedef {import("./curve.js").SeedRun} SeedRun
 * @typedef {import("./curve.js").Entrant} Entrant
 * @typedef {import("./curve.js").Network} Network
 * @typedef {import("../../components/figure.js").Context} Context
 * @typedef {import("../../state.js").State} State
 * @typedef {"trainLoss" | "validationLoss" | "trainAccuracy" | "validationAccuracy" | "offForSet" | "stepMs"} Quantity
 * @typedef {{ fns: string[], sizes: number[], check: number, records: number[][][][] }} Packed
 *   sizes: training and validation examples; check: of every number before it was rounded; records: for each function and
 *   seed five lists over the epochs: losses in parts of LOSS_PARTS, right answers in both sets, units off
 * @typedef {{ own: { curves: () => Curve[] } }} Own a run of the reader's, with the settings of the state
 */

/** @param {{ state: State }} context @returns {"trainLoss" | "validationLoss"} */
export const shownOf = ({ state }) => (state["race.shown"] === "training" ? "trainLoss" : "validationLoss");

/** The settings of all functions, as keys of the state without "race.". */
export const NETWORK_KEYS = ["hidden", "blocks", "layerNorm", "residual", "optimizer", "learningRate", "batch", "initGain"];

/** How the figure starts, and what the build computes. Nothing here was tuned for any of the functions. */
export const DEFAULTS = /** @type {const} */ ({
  fns: ["gelu", "relu", "sigmoid", "silu"],
  seeds: 5,
  limit: 20,
  hidden: 256,
  blocks: 1,
  layerNorm: "on",
  residual: "on",
  optimizer: "adamw",
  learningRate: 0.003,
  batch: 64,
  initGain: 1,
});

/** @param {Record<string, any>} values by the keys of NETWORK_KEYS @returns {Network} */
export const network = ({ hidden, blocks, layerNorm, residual, optimizer, learningRate, batch, initGain }) => ({
  ...{ hidden, blocks, optimizer, learningRate, batch, initGain },
  layerNorm: layerNorm === "on",
  residual: residual === "on",
});

/** @param {State} state */
export const networkOf = (state) => network(Object.fromEntries(NETWORK_KEYS.map((key) => [key, state[`race.${key}`]])));

/**
 * @param {import("../../kernels.js").Gelu} gelu
 * @param {State} state
 * @returns {import("./curve.js").Plan}
 */
export const planOf = (gelu, state) => ({
  entrants: state["race.fns"].map((/** @type {string} */ fn) => ({ fn, params: parametersOf(gelu, state, fn) })),
  seeds: Number(state["race.seeds"]),
  limit: state["race.limit"],
  patience: Number(state["race.patience"]),
});

// ---------- the run that the build makes ----------

/** Losses of the packed run are whole parts of this many: no two of an epoch become equal, and none gets a tail of zeros. */
export const LOSS_PARTS = 1e6;

/**
 * Tells whether two runs are the same, bit for bit (FNV-1a).
 * @param {{ epochs: import("./curve.js").Epoch[] }[]} records
 */
export function checkOf(records) {
  let hash = 0x811c9dc5;
  for (const { epochs } of records) {
    for (const { trainLoss, validationLoss, trainAccuracy, validationAccuracy, offForSet } of epochs) {
      const bytes = new Uint8Array(
        Float64Array.of(trainLoss, validationLoss, trainAccuracy, validationAccuracy, offForSet).buffer,
      );
      for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    }
  }
  return hash >>> 0;
}

const isUsual = (/** @type {State} */ state) =>
  NETWORK_KEYS.every((key) => state[`race.${key}`] === DEFAULTS[/** @type {keyof typeof DEFAULTS} */ (key)]);

/** Whether a function's parameters are those that the build took. @param {import("../../kernels.js").Gelu} gelu @param {Entrant} entrant */
const isPlain = (gelu, { fn, params }) =>
  gelu.catalogue.find(({ id }) => id === fn)?.parameters.every(({ name, value }) => params[name] === value);

/**
 * Whether a run of the reader's is the one that the build has made; null where it has other settings or is shorter.
 * @param {Packed} packed
 * @param {Curve[]} curves
 * @param {Pick<Context, "gelu" | "state">} context
 */
export function isSameRun(packed, curves, { gelu, state }) {
  const ordered = packed.fns.map((fn) => curves.find((curve) => curve.fn === fn));
  const length = packed.records[0][0][0].length;
  const isWhole = (/** @type {Curve} */ { last, seeds }) => last >= length - 1 && seeds.length === DEFAULTS.seeds;
  if (!isUsual(state) || !ordered.every((curve) => curve && isWhole(curve) && isPlain(gelu, curve))) return null;
  const records = ordered.flatMap((curve) => curve?.seeds.map((epochs) => ({ epochs: epochs.slice(0, length) })) ?? []);
  return checkOf(records) === packed.check;
}

/** @type {WeakMap<Packed, SeedRun[][]>} */
const unpacked = new WeakMap();

/** @param {Packed} packed @returns {SeedRun[][]} for each function and seed */
function unpack(packed) {
  const units = DEFAULTS.hidden * DEFAULTS.blocks;
  const known =
    unpacked.get(packed) ??
    packed.records.map((seeds) =>
      seeds.map(([trainLosses, validationLosses, trainRight, validationRight, off]) => ({
        epochs: trainLosses.map((loss, epoch) => ({
          trainLoss: loss / LOSS_PARTS,
          validationLoss: validationLosses[epoch] / LOSS_PARTS,
          trainAccuracy: trainRight[epoch] / packed.sizes[0],
          validationAccuracy: validationRight[epoch] / packed.sizes[1],
          offForSet: off[epoch] / units,
          ...{ offForBatch: Number.NaN, gradientNorm: [], stepMs: Number.NaN },
        })),
        failedAt: null,
      })),
    );
  unpacked.set(packed, known);
  return known;
}

/**
 * What the build knows of a run with these settings.
 * @param {Packed} packed
 * @param {import("../../kernels.js").Gelu} gelu
 * @param {State} state
 * @returns {(entrant: Entrant, seed: number) => SeedRun | undefined}
 */
function recordsOf(packed, gelu, state) {
  if (!isUsual(state)) return () => undefined;
  const known = unpack(packed);
  return (entrant, seed) => (isPlain(gelu, entrant) ? known[packed.fns.indexOf(entrant.fn)]?.[seed - 1] : undefined);
}

/**
 * What has been computed with the settings of the state, and nothing else: one for each function.
 * @param {Pick<Context, "gelu" | "state" | "data">} context
 * @returns {Curve[]}
 */
export function curvesOf({ gelu, state, data }) {
  if (data?.own !== undefined) return data.own.curves();
  const plan = planOf(gelu, state);
  const records = data?.records === undefined ? () => undefined : recordsOf(data, gelu, state);
  const rule = { ...plan, steps: stepsPerEpoch(data?.sizes?.[0] ?? 1, state["race.batch"]) };
  return plan.entrants.map((entrant) => {
    const found = Array.from({ length: plan.seeds }, (_, i) => records(entrant, i + 1) ?? { epochs: [], failedAt: null });
    return curveOf(entrant, found, rule);
  });
}

// ---------- numbers ----------

/**
 * Least, median and largest of the seeds at an epoch.
 * @param {Curve} curve
 * @param {Quantity} quantity
 * @param {number} epoch not after curve.last
 */
export function bandOf({ seeds }, quantity, epoch) {
  const all = seeds.map((epochs) => epochs[epoch][quantity]);
  return { low: Math.min(...all), middle: median(all), high: Math.max(...all) };
}

/** How far all functions have come that go on; where none does, the furthest. @param {Curve[]} curves */
export function frontOf(curves) {
  const open = curves.filter(({ end }) => end === null);
  return open.length > 0 ? Math.min(...open.map(({ last }) => last)) : Math.max(-1, ...curves.map(({ last }) => last));
}

/**
 * What came out at an epoch, of the functions that have come so far.
 * @param {Curve[]} curves
 * @param {Quantity} quantity a loss
 * @param {number} epoch
 */
export function outcomeOf(curves, quantity, epoch) {
  const there = curves.filter(({ last }) => last >= epoch);
  if (there.length === 0 || epoch < 0) return null;
  const ranked = there
    .map((curve) => ({ fn: curve.fn, ...bandOf(curve, quantity, epoch), curve }))
    .sort((a, b) => a.middle - b.middle);
  const [best, ...others] = ranked;
  const meets = (/** @type {{ low: number, high: number }} */ { low, high }) => low <= best.high && best.low <= high;
  const wins = new Map(ranked.map(({ fn }) => [fn, 0]));
  for (let seed = 0; seed < best.curve.seeds.length; seed++) {
    const losses = ranked.map(({ curve }) => curve.seeds[seed][epoch][quantity]);
    const least = Math.min(...losses);
    // Functions may be the same one by their parameters: then both are the lowest.
    for (const [i, { fn }] of ranked.entries()) if (losses[i] === least) wins.set(fn, (wins.get(fn) ?? 0) + 1);
  }
  return {
    ranked,
    best,
    overlapping: others.filter(meets),
    apart: others.filter((other) => !meets(other)),
    wins,
    /** Those that have not come so far, and may still. */
    behind: curves.filter(({ last, end }) => last < epoch && end === null),
    off: ranked.map(({ fn, curve }) => ({ fn, ...bandOf(curve, "offForSet", epoch) })).filter(({ high }) => high > 0),
    accuracy: ranked.map(({ curve }) => bandOf(curve, "validationAccuracy", epoch).middle),
  };
}
