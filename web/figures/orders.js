/** What the orders of differentiation are called. */

/** @type {readonly import("../i18n/labels.js").Label[]} by order */
export const ORDER_NAMES = ["value", "firstDerivative", "secondDerivative"];

/** What stands behind a function's name, by order. */
export const PRIMES = ["", "′", "″"];
