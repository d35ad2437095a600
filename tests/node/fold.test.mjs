/** How the handout packs its scripts and parts its sheets: what comes out is what went in, and the text is safe in a page. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { fold } from "../../web/build/fold.mjs";
import { partSheet, rulesOf } from "../../web/build/sheets.mjs";
import { fromLetters, SEPARATOR, sumOf, toLetters } from "../../web/letters.js";
import { unpackLzma } from "../../web/lzma.js";
import { randomFrom } from "./vectors.mjs";

describe("letters", () => {
  const random = randomFrom(1);
  const bytesOf = (n) => Uint8Array.from({ length: n }, () => 256 * random());

  test("give back the bytes, of any length, and all the patterns of seven bits", () => {
    for (let n = 0; n < 200; n++) {
      const bytes = bytesOf(n);
      assert.deepEqual(fromLetters(toLetters(bytes)).subarray(0, n), bytes, `${n} bytes`);
    }
    const all = Uint8Array.from({ length: 2 * 65536 }, (_, i) => (i >> 1) >> (i % 2 === 0 ? 8 : 0));
    assert.deepEqual(fromLetters(toLetters(all)).subarray(0, all.length), all);
  });

  test("are printable, of one or two bytes, without <, and less than 1.2 bytes a byte", () => {
    const text = toLetters(bytesOf(100_000));
    assert.match(text, /^[ -;=-~\u00a0-\u07ff]*$/);
    for (const limit of ["\u00a0", "\u07ff", " ", "~"]) assert.ok(text.includes(limit), JSON.stringify(limit));
    assert.ok(Buffer.byteLength(text) < 120_000, String(Buffer.byteLength(text)));
  });
});

describe("folding", () => {
  const unfolded = (element) => {
    const [, size, sum, text] = element.match(
      /^<script type="text\/plain" id="folded" data-size="(\d+)" data-sum="(\d+)">([^<]*)<\/script>$/,
    );
    const bytes = unpackLzma(fromLetters(text), Number(size));
    assert.equal(sumOf(bytes), Number(sum));
    return new TextDecoder().decode(bytes).split(SEPARATOR);
  };

  test("gives back texts: the longest runs and distances, repeats of several distances, what nothing repeats", () => {
    const random = randomFrom(2);
    const noise = (n) => Array.from({ length: n }, () => String.fromCharCode(32 + Math.floor(95 * random()))).join("");
    const far = noise(300_000);
    const piece = (from, length) => far.slice(from, from + length);
    const near = Array.from({ length: 2000 }, () => piece(...[40, 12].map((below) => Math.floor(below * random())))).join("");
    for (const texts of [
      ["a"],
      ["", "", ""],
      ["a".repeat(70_000), "ab".repeat(5)],
      [far + far, far.slice(7)],
      [near, "汉字 and Latin ".repeat(99)],
    ]) {
      assert.deepEqual(unfolded(fold(texts)), texts);
    }
  });

  test("refuses a text with the sign that parts them", () => {
    assert.throws(() => fold([`a${SEPARATOR}b`]), /sign/);
  });
});

describe("a sheet in two parts", () => {
  const html = '<main class="page a"><p data-x="1">text</p><svg class="s"></svg></main>';

  test("keeps what the page may need, and what it is made whole with", () => {
    const needed = [
      ":root{--a:1}",
      "main,textarea{b:c}",
      ".a:not(.z)>p{b:c}",
      ":is(.y,.z) .s{b:c}",
      '[data-x="2"] p{content:"}"}',
      "@media print{.z{b:c}.page p{b:c}}",
      "@font-face{b:url(data:x)}",
    ];
    const spare = [".z{b:c}", "main .z,.z>p{b:c}", "@media print{.z{b:c}@supports (b:c){.a .z{b:c}}}", "canvas.a{b:c}"];
    const rules = [needed[0], spare[0], ...needed.slice(1), ...spare.slice(1)];
    const { still, rest, whole } = partSheet(rules.join(""), html);
    assert.deepEqual(still.split("\n"), needed);
    assert.deepEqual(rest.split("\n"), ["", spare[0], ...needed.slice(1).map(() => ""), ...spare.slice(1)]);
    assert.deepEqual(whole.split("\n"), rules);
  });

  test("of the page is each rule once, in order", async () => {
    const css = await readFile(new URL("../../web/styles/panel.css", import.meta.url), "utf8");
    const plain = css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s+/g, " ");
    assert.equal(rulesOf(plain).join(""), plain.trimEnd());
  });
});
