/** The reference vectors of the tests as CSV, for others to check against. */

/** @param {string} text a hexadecimal float of C, inf, -inf or nan */
export function parseHex(text) {
  if (text === "nan") return Number.NaN;
  if (text === "inf" || text === "-inf") return text === "inf" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const match = /^(-?)0x([01])(?:\.([0-9a-f]{1,13}))?p([+-]\d+)$/.exec(text);
  if (match === null) throw new Error(`${JSON.stringify(text)} is not a hexadecimal float`);
  const [, sign, lead, digits = "", power] = match;
  // At most 53 bits, so this is exact; the power in two steps, since 2^-1074 times 2^52 alone would overflow or vanish.
  const whole = Number.parseInt(lead + digits, 16);
  const exponent = Number(power) - 4 * digits.length;
  const half = Math.trunc(exponent / 2);
  const size = whole * 2 ** half * 2 ** (exponent - half);
  return sign === "-" ? -size : size;
}

/** The shortest decimal that reads back as the same float64; nothing where there is no value. */
function decimal(/** @type {string} */ hex) {
  if (hex === "-") return "";
  const value = parseHex(hex);
  return Object.is(value, -0) ? "-0" : String(value).replace("Infinity", "inf").replace("NaN", "nan");
}

/**
 * One file of tests/c/reference/vectors; its columns are described in tests/c/reference/generate.c.
 * @param {string} text
 * @returns {string} function, order, parameters (joined by semicolons, none: the defaults), x, and the float64 and float32
 *   nearest to the true value; the last is empty where x is no float32
 */
export function vectorsAsCsv(text) {
  const rows = text
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => {
      const [id, order, parameters, x, double, , single] = line.split(" ");
      const values = parameters === "-" ? "" : parameters.split(",").map(decimal).join(";");
      return [id, order, values, decimal(x), decimal(double), decimal(single)].join(",");
    });
  return `${["function,order,parameters,x,float64,float32", ...rows].join("\n")}\n`;
}
