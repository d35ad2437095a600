/** The packed digits: what PROVENANCE.md says of them, and what is in them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { readDigits } from "../../web/data/digits.js";

const read = (name) => readFile(new URL(`../../web/data/${name}`, import.meta.url));
const deflated = await read("digits.deflate");
const packed = inflateRawSync(deflated);
const digits = readDigits(new Uint8Array(packed));

test("length and checksum are those of the table", async () => {
  const table = (await read("PROVENANCE.md")).toString();
  for (const [name, bytes] of [
    ["`digits.deflate`", deflated],
    ["the same, inflated", packed],
  ]) {
    const [, length, sum] = table.match(new RegExp(`^\\| ${name} \\| (\\d+) \\| (\\w+) \\|$`, "m"));
    assert.equal(bytes.length, Number(length), name);
    assert.equal(createHash("sha256").update(bytes).digest("hex"), sum, name);
  }
  assert.ok(deflated.length < 46_000);
});

test("1,437 for training and 360 for validation, every digit with the same share", () => {
  const counts = (labels) => Array.from({ length: 10 }, (_, digit) => labels.filter((label) => label === digit).length);
  const training = counts(digits.y);
  const validation = counts(digits.validation.y);
  assert.deepEqual([digits.y.length, digits.validation.y.length], [1437, 360]);
  const all = [178, 182, 177, 183, 181, 182, 181, 179, 174, 180];
  assert.deepEqual(
    training.map((count, digit) => count + validation[digit]),
    all,
  );
  validation.forEach((count, digit) => {
    assert.ok(Math.abs(count - all[digit] / 5) < 1, `${digit}: ${count}`);
  });
});

test("pixels from 0 to 1 in sixteenths; no image is in both sets", () => {
  const images = ({ x }) => Array.from({ length: x.length / 64 }, (_, i) => x.subarray(64 * i, 64 * (i + 1)).join());
  for (const value of [...digits.x, ...digits.validation.x]) assert.ok(value >= 0 && value <= 1 && Number.isInteger(16 * value));
  const known = new Set(images(digits));
  assert.equal(images(digits.validation).filter((image) => known.has(image)).length, 0);
  // The first image of the source is a zero.
  const first =
    "0,0,5,13,9,1,0,0,0,0,13,15,10,15,5,0,0,3,15,2,0,11,8,0,0,4,12,0,0,8,8,0,0,5,8,0,0,9,8,0,0,4,11,0,1,12,7,0,0,2,14,5,10,12,0,0,0,0,6,13,10,0,0,0";
  assert.equal([...digits.x.subarray(0, 64)].map((value) => 16 * value).join(), first);
  assert.equal(digits.y[0], 0);
});

test("a truncated file is refused", () => {
  assert.throws(() => readDigits(new Uint8Array(packed.subarray(1))), /116804 bytes/);
});
