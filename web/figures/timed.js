/** The contestants of `speed` (contestants.js) as something that can be timed. */
import { accuracyOf, ENTRIES, PLAIN } from "./contestants.js";

/**
 * Everybody with the same seeded numbers: normal with standard deviation 2, as gelu.benchmark draws them.
 * @param {import("../kernels.js").Gelu} gelu
 * @param {number} n how many
 * @returns {import("../components/measure.js").Contestant[]}
 */
export function contestants(gelu, n) {
  const source = gelu.random(1);
  const xs = Float32Array.from(source.normal(n), (value) => 2 * value);
  source.free();
  const ys = new Float32Array(n);
  return ENTRIES.map(({ id, form, tier }) => {
    if (tier !== "plain") return { id, run: (repeats) => gelu.benchmark(form, { n, repeats, accuracy: accuracyOf(tier) }) };
    const loop = PLAIN[form];
    return {
      id,
      run(passes) {
        // As in gelu.benchmark, one goes before, untimed.
        loop(xs, ys);
        const started = performance.now();
        for (let i = 0; i < passes; i++) loop(xs, ys);
        return performance.now() - started;
      },
    };
  });
}
