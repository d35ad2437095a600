/** Times contestants against each other, round robin, in whatever engine it runs. No imports: the browser loads it too. */

/**
 * Who runs, and what. Rows of the report are these; a new one joins by standing in a list of contestants.js.
 * @typedef {object} Contestant
 * @property {string} work what is computed, e.g. "gelu float32": only rows of the same work are compared
 * @property {string} who
 * @property {string} how "kernel": inside wasm, nothing copied; "arrays": from one JavaScript array to another; or else
 * @property {string} [against] `how` of our own row that it is compared with; "kernel" unless said
 * @property {number[]} sizes how many numbers a pass takes
 * @property {(xs: Float64Array) => Runner | Promise<Runner>} [prepare] xs in the precision of the work
 * @property {{ nine: string, one: string }} [difference] of two others' times, per node: (nine − one) / 8
 * @property {boolean} [hidden] measured for a difference, no row of its own
 * @property {{ id: string, precision: "float32" | "float64", order?: number }} [truth] of which the error is measured
 * @property {(xs: any) => any} [evaluate] the results for any xs, for that
 */

/**
 * @typedef {object} Runner
 * @property {(passes: number) => number | Promise<number>} sample milliseconds that so many passes took
 * @property {() => void} [free]
 */

export const idOf = (/** @type {{ work: string, who: string, how: string }} */ { work, who, how }) => `${work} | ${who} | ${how}`;

/** The middle one, or the mean of the two in the middle. */
export function median(/** @type {number[]} */ values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** @param {() => void} run one pass @returns {Runner["sample"]} */
export const timed = (run) => (passes) => {
  const started = performance.now();
  for (let i = 0; i < passes; i++) run();
  return performance.now() - started;
};

/** @param {() => Promise<unknown>} run @returns {Runner["sample"]} */
export const timedAsync = (run) => async (passes) => {
  const started = performance.now();
  for (let i = 0; i < passes; i++) await run();
  return performance.now() - started;
};

/**
 * Engines compile in steps, so a runner is kept busy first; then so many passes make a sample that the clock's grain no
 * longer matters.
 * @param {Runner} runner
 * @param {{ warm: number, target: number }} times in milliseconds
 */
async function warmUp(runner, { warm, target }) {
  const started = performance.now();
  let passes = 1;
  let took = await runner.sample(passes);
  while (performance.now() - started < warm || (took < target / 2 && passes < 1e6)) {
    if (took < target / 2) passes *= 2;
    took = await runner.sample(passes);
  }
  return Math.max(1, Math.ceil((passes * target) / Math.max(took, 1e-3)));
}

/**
 * Nanoseconds per element, by contestant and size: the median over the rounds. Every round visits all contestants and
 * begins with another one, so that what disturbs the machine for a while disturbs them all.
 * @param {Contestant[]} contestants
 * @param {{ rounds: number, target: number, warm: number, inputs: (n: number) => Float64Array }} options
 */
export async function measure(contestants, { rounds, target, warm, inputs }) {
  /** @type {Record<string, Record<number, number>>} */
  const result = {};
  const sizes = new Set(contestants.flatMap((contestant) => contestant.sizes));
  for (const n of [...sizes].sort((a, b) => a - b)) {
    const racers = [];
    for (const contestant of contestants) {
      if (!contestant.sizes.includes(n) || contestant.prepare === undefined) continue;
      const runner = await contestant.prepare(inputs(n));
      const passes = await warmUp(runner, { warm, target });
      racers.push({ id: idOf(contestant), runner, passes, times: /** @type {number[]} */ ([]) });
    }
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < racers.length; i++) {
        const { runner, passes, times } = racers[(i + round) % racers.length];
        times.push(((await runner.sample(passes)) / passes / n) * 1e6);
      }
    }
    for (const { id, runner, times } of racers) {
      runner.free?.();
      result[id] ??= {};
      result[id][n] = median(times);
    }
  }
  addDifferences(contestants, result);
  return result;
}

/** @param {Contestant[]} contestants @param {Record<string, Record<number, number>>} result */
function addDifferences(contestants, result) {
  for (const contestant of contestants) {
    if (contestant.difference === undefined) continue;
    const { nine, one } = contestant.difference;
    const id = idOf(contestant);
    result[id] = {};
    for (const n of contestant.sizes) {
      if (result[nine]?.[n] !== undefined) result[id][n] = (result[nine][n] - result[one][n]) / 8;
    }
  }
}
