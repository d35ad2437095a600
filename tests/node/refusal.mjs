/** What the library's errors must be. */
import assert from "node:assert/strict";
import { GeluError } from "../../dist/lib/gelu.js";

/**
 * For assert.throws: a GeluError of that code, whose message holds each of the parts.
 * @param {string} code
 * @param {...string} parts
 */
export const refusal =
  (code, ...parts) =>
  (/** @type {any} */ error) => {
    assert.ok(error instanceof GeluError, `not a GeluError: ${error}`);
    assert.ok(error instanceof Error && error.name === "GeluError");
    assert.equal(error.code, code, error.message);
    for (const part of parts) assert.ok(error.message.includes(part), `${JSON.stringify(error.message)} lacks ${part}`);
    return true;
  };
