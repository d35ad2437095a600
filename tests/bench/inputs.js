/** What everyone computes on. */

/** Seeded, and the same in every engine: normal with standard deviation 2, as gelu.benchmark() has it. */
export function inputsOf(/** @type {import("../../web/gelu.d.ts").Gelu} */ gelu) {
  return (/** @type {number} */ n) => {
    const source = gelu.random(1);
    const xs = source.normal(n).map((value) => 2 * value);
    source.free();
    return xs;
  };
}
