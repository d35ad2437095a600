/** Seeded queries for the tests: any keys of the page's table, most of them with values that somebody could mean. */

/** @typedef {import("../../web/state.js").Parameter} Parameter */

/**
 * Numbers of every size that the bounds let through, and some that they do not.
 * @param {() => number} random
 * @param {number} min
 * @param {number} max
 */
function randomNumber(random, min, max) {
  const kind = Math.floor(random() * 8);
  if (kind === 0) return [min, max, 0, min * 2, max * 2, -0.7517915246935645, 5e-324, -5e-324][Math.floor(random() * 8)];
  if (kind === 1) return (random() * 2 - 1) * 10 ** (-12 * random());
  if (kind === 2) return Math.round(min + (max - min) * random());
  return min + (max - min) * random();
}

/** What is not a value of anything. */
const NONSENSE = ["", "abc", "NaN", "1e999", "-1e999", "__proto__", "%00", "1,2", "<b>"];

/**
 * @param {() => number} random
 * @param {Parameter} parameter
 */
function randomValue(random, parameter) {
  if (random() < 0.04) return NONSENSE[Math.floor(random() * NONSENSE.length)];
  if (parameter.kind === "number") return String(randomNumber(random, parameter.min, parameter.max));
  if (parameter.kind === "choice") return parameter.choices[Math.floor(random() * parameter.choices.length)];
  if (parameter.kind === "marks") {
    const length = Math.floor(random() * parameter.most);
    return Array.from({ length }, () => parameter.choices[Math.floor(random() * parameter.choices.length)]).join("");
  }
  return parameter.kind === "list" ? parameter.choices.filter(() => random() < 0.35).join() : "";
}

/**
 * @param {() => number} random
 * @param {Map<string, Parameter>} table
 */
export function randomQuery(random, table) {
  const parts = [];
  for (const [key, parameter] of table) if (random() > 0.55) parts.push(`${key}=${randomValue(random, parameter)}`);
  // Ranges as gestures leave them: about 0 or about any point, from the whole to the narrowest.
  if (random() < 0.6) {
    const middle = random() < 0.4 ? 0 : (random() * 2 - 1) * 50;
    const half = 10 ** (-6 + 7.7 * random());
    parts.push(`from=${middle - half}`, `to=${middle + half}`);
    if (random() < 0.5) parts.push(`x=${middle + (random() * 2 - 1) * half}`);
  }
  return parts.join("&");
}
