/** The float32 inputs nearest to the middle of two float32 numbers (tests/prove/hardest), through the library's wasm. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadGelu } from "../../dist/lib/gelu.js";
import { bitsOf, error32, parseHex } from "./vectors.mjs";

const FOLDER = fileURLToPath(new URL("../prove/hardest/", import.meta.url));
/** Whose float32 value is promised to be the nearest; of the others, within 1 ULP. */
const NEAREST = ["gelu", "gelu_tanh", "gelu_sigmoid", "sigmoid", "tanh", "silu", "normal_cdf"];

const gelu = await loadGelu();
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".txt"));

test("every function has some, but relu, which is exact", () => {
  assert.deepEqual(
    files.map((name) => name.slice(0, -4)).sort(),
    gelu.catalogue
      .map(({ id }) => id)
      .filter((id) => id !== "relu")
      .sort(),
  );
});

for (const file of files) {
  const id = file.slice(0, -4);
  test(`${id}: the hardest inputs, together, alone and among copies`, () => {
    const rows = readFileSync(`${FOLDER}${file}`, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(" ").slice(0, 2).map(parseHex));
    assert.ok(rows.length > 0);
    const together = gelu.evaluate(
      id,
      Float32Array.from(rows, ([x]) => x),
    );
    rows.forEach(([x, want], k) => {
      const got = together[k];
      if (NEAREST.includes(id)) assert.ok(Object.is(got, want), `${id}(${x}) = ${got}, want ${want}`);
      else assert.ok(Math.abs(error32(got, want, want)) <= 1, `${id}(${x}) = ${got}, want ${want}`);
      for (const copies of [1, 16]) {
        const bits = bitsOf(gelu.evaluate(id, new Float32Array(copies).fill(x)));
        for (const one of bits) assert.equal(one, bitsOf(together.subarray(k, k + 1))[0], `${id}(${x}) among ${copies}`);
      }
    });
  });
}
