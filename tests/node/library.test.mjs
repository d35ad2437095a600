import assert from "node:assert/strict";
import { test } from "node:test";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";

const gelu = await loadGelu();

test("the table of CONTENT.md", () => {
  const got = gelu.evaluate("gelu", Float64Array.of(2, 0, -2));
  assert.deepEqual(
    [...got].map((y) => y.toPrecision(13)),
    [1.9544997361036416, 0, -0.04550026389635842].map((y) => y.toPrecision(13)),
  );
});

test("an unknown function is named, with what is allowed", () => {
  assert.throws(
    () => gelu.evaluate("gleu", new Float32Array(1)),
    (error) =>
      error instanceof GeluError &&
      error.code === "unknown-function" &&
      error.message.includes('"gleu"') &&
      error.message.includes("relu"),
  );
});
