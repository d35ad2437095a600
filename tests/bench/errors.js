/** How wrong a contestant is: its worst error over a strided scan, and from where on it answers 0. Node only. */
import { ulpOf } from "../../web/components/ulp.js";

const FORMATS = {
  float32: { spacing: { digits: 24, lowest: -149 }, smallest: 2 ** -126, largest: 2 ** 128 * (1 - 2 ** -24) },
  float64: { spacing: { digits: 53, lowest: -1074 }, smallest: 2 ** -1022, largest: Number.MAX_VALUE },
};

/** Left of here the tail begins; errors from here up are told apart from those in it. */
export const TAIL = -3;

/**
 * Every stride-th finite number of a format, of both signs: the same number of points in every binade.
 * @param {"float32" | "float64"} precision
 * @param {number} count about so many
 */
function scan(precision, count) {
  const half = Math.floor(count / 2);
  if (precision === "float32") {
    // Odd, so that all low bits occur.
    const stride = Math.floor(0x7f800000 / half) | 1;
    const bits = Uint32Array.from({ length: 2 * half }, (_, i) => (i >> 1) * stride + (i % 2) * 0x80000000);
    return new Float32Array(bits.buffer).filter(Number.isFinite);
  }
  const stride = (0x7ff0000000000000n / BigInt(half)) | 1n;
  const bits = BigUint64Array.from({ length: 2 * half }, (_, i) => BigInt(i >> 1) * stride + (i % 2 ? 1n << 63n : 0n));
  return new Float64Array(bits.buffer).filter(Number.isFinite);
}

/**
 * The truth is our own float64 kernel (at most 2 ULP of float64). Points are left out where it is subnormal in the
 * precision of the contestant, or overflows there.
 * @param {import("../../web/gelu.d.ts").Gelu} gelu
 * @param {import("./measure.js").Contestant} contestant
 * @param {number} count points of the scan
 */
export async function errorsOf(gelu, { truth, evaluate }, count) {
  const { id, precision, order = 0 } = /** @type {any} */ (truth);
  const { spacing, smallest, largest } = FORMATS[precision];
  const trueValues = (xs) => gelu.evaluate(id, Float64Array.from(xs), { order });
  const counts = (y) => Math.abs(y) >= smallest && Math.abs(y) <= largest;

  const xs = scan(precision, count);
  const want = trueValues(xs);
  const got = await /** @type {any} */ (evaluate)(xs);
  const result = { worst: 0, worstAt: 0, body: 0, bodyAt: 0, zeroFrom: /** @type {number | null} */ (null) };
  let lastZero = Number.NEGATIVE_INFINITY;
  let nearer = 0;
  xs.forEach((x, i) => {
    if (!counts(want[i])) return;
    const ulps = Math.abs(got[i] - want[i]) / ulpOf(want[i], spacing);
    const error = Number.isNaN(ulps) ? Number.POSITIVE_INFINITY : ulps;
    if (error > result.worst) Object.assign(result, { worst: error, worstAt: x });
    if (x >= TAIL && error > result.body) Object.assign(result, { body: error, bodyAt: x });
    if (x < 0 && got[i] === 0 && x > lastZero) {
      lastZero = x;
      // Signs alternate and sizes grow, so its neighbour towards 0 stands two places before.
      nearer = xs[i - 2];
    }
  });
  if (lastZero === Number.NEGATIVE_INFINITY) return result;

  // Between that point and its neighbour, in even steps: for float32 that is every number there is.
  const steps = 8192;
  const finer = xs.slice(0, steps).map((_, i) => lastZero + ((nearer - lastZero) * i) / steps);
  const finerWant = trueValues(finer);
  const finerGot = await /** @type {any} */ (evaluate)(finer);
  result.zeroFrom = lastZero;
  finer.forEach((x, i) => {
    if (finerGot[i] === 0 && counts(finerWant[i]) && x > /** @type {number} */ (result.zeroFrom)) result.zeroFrom = x;
  });
  return result;
}
