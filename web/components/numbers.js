/** Numbers as the page writes them: a real minus sign, powers of ten as 10⁻³, nothing that is not a number. */

const MINUS = "−";
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** @param {string} text */
const withMinus = (text) => text.replace(/^-(?=.*[1-9])/, MINUS).replace(/^-/, "");

/** @param {number} exponent */
const superscript = (exponent) =>
  (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");

/** @param {number} value */
function unusual(value) {
  if (Number.isNaN(value)) return "—";
  return value > 0 ? "∞" : `${MINUS}∞`;
}

/**
 * A fixed number of decimals; −0.00 is written 0.00.
 * @param {number} value
 * @param {number} [decimals]
 */
export function fixed(value, decimals = 4) {
  return Number.isFinite(value) ? withMinus(value.toFixed(decimals)) : unusual(value);
}

/**
 * 4.73 × 10⁻⁴
 * @param {number} value
 * @param {number} [significant] digits
 */
export function scientific(value, significant = 3) {
  if (!Number.isFinite(value)) return unusual(value);
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(significant - 1).split("e");
  return `${withMinus(mantissa)} × 10${superscript(Number(exponent))}`;
}

/**
 * Four decimals where they say something, else a power of ten.
 * @param {number} value
 */
export function readable(value) {
  const size = Math.abs(value);
  return value !== 0 && (size < 0.001 || size >= 1e5) ? scientific(value, 4) : fixed(value, 4);
}

/**
 * A percentage with a narrow no-break space before the sign.
 * @param {number} share 0.159 is 15.9 %
 */
export function percent(share) {
  if (!Number.isFinite(share)) return unusual(share);
  const size = Math.abs(share * 100);
  const text =
    size >= 1e5 || (size < 0.05 && size > 0) ? scientific(share * 100, 3) : withMinus((share * 100).toFixed(size < 10 ? 2 : 1));
  return `${text}\u202f%`;
}

/**
 * 10⁻³, the label of a decade.
 * @param {number} exponent
 */
export function powerOfTen(exponent) {
  return exponent === 0 ? "1" : `10${superscript(exponent)}`;
}

const MOST_DECIMALS = 12;

/**
 * Decimals that a step needs: 0.25 needs 2.
 * @param {number} step
 */
export function decimalsOf(step) {
  if (step === 0) return 0;
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals++) {
    const scaled = step * 10 ** decimals;
    const whole = Math.round(scaled);
    if (whole !== 0 && Math.abs(scaled - whole) < 1e-9) return decimals;
  }
  return MOST_DECIMALS;
}

/** A word that is a decimal number, with either minus sign and a point. */
export const isDecimal = (/** @type {string} */ word) =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word.replaceAll(MINUS, "-"));

/**
 * +0.841345, as C's "%+.6f" prints it but for the minus sign: −0 keeps its own, and ties go to the even digit.
 * @param {number} value
 * @param {number} decimals
 */
export function signed(value, decimals) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+∞" : `${MINUS}∞`;
  const sign = value < 0 || Object.is(value, -0) ? MINUS : "+";
  const rounded = Math.abs(value).toFixed(decimals);
  // toFixed takes a tie up. A tie ends in 5 one digit further, and sixty digits leave no doubt that it ends there.
  const whole = Math.abs(value).toFixed(60);
  const kept = whole.length - 60 + decimals;
  const isTie = /^50*$/.test(whole.slice(kept));
  return sign + (isTie && /[13579]$/.test(rounded) ? whole.slice(0, decimals === 0 ? kept - 1 : kept) : rounded);
}

/**
 * 1.49e−04, as C's "%.2e" prints it but for the minus sign.
 * @param {number} value
 */
export function exponential(value) {
  if (!Number.isFinite(value)) return unusual(value);
  const [, mantissa, sign, exponent] = /** @type {RegExpMatchArray} */ (value.toExponential(2).match(/^(.+)e([+-])(\d+)$/));
  return `${withMinus(mantissa)}e${sign === "-" ? MINUS : "+"}${exponent.padStart(2, "0")}`;
}

/**
 * A number that a reader typed: decimal, with either minus sign and comma or point; null where it is not one.
 * @param {string} text
 */
export function parseNumber(text) {
  // Chinese input methods type full-width digits and points.
  const plain = text.normalize("NFKC").trim().replaceAll(MINUS, "-").replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}
