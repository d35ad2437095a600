/** Words: in the plots of `coin`, `errors`, `fit` and `precision` none is cut and no curve runs through a name; labels. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { createContext } from "../../web/components/figure.js";
import { coin } from "../../web/figures/coin.js";
import { errors } from "../../web/figures/errors.js";
import { fit } from "../../web/figures/fit.js";
import { precision } from "../../web/figures/precision.js";
import { frameOf, paintAbove, paintBelow } from "../../web/scene.js";
import { createTable, parse } from "../../web/state.js";

const gelu = await loadGelu();
const table = createTable(gelu.catalogue, [coin, errors, fit, precision]);
const HEIGHT = { coin: 506, errors: 300, fit: 300, precision: 300 };

/** About as wide as the page's fonts are; a test cannot measure them. */
const widthOf = (text) =>
  [...text.replaceAll("*", "")].reduce((sum, letter) => sum + (letter > "\u2e80" ? 14 : letter === " " ? 4 : 7.6), 0);

/** All words of a drawing, with the boxes that they take. */
function wordsOf(scene, frame, x) {
  const words = [];
  const nothing = () => {};
  const painter = {
    line: nothing,
    area: nothing,
    circle: nothing,
    width: widthOf,
    text(at, y, text, style, anchor) {
      const width = widthOf(text);
      const left = at - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
      words.push({ text, style, left, right: left + width, top: y - 11, bottom: y + 2 });
    },
  };
  const cursor = { x, flag: "", points: [], hint: false };
  paintBelow(painter, scene, frame, cursor);
  paintAbove(painter, scene, frame, cursor);
  return words;
}

function draw(figure, query, width, language) {
  const state = parse(table, query);
  const own = { gelu, state, variant: "", width, height: HEIGHT[figure.name], density: 1, language };
  const context = createContext(own);
  const scenes = [[figure.scene(context), own.height]];
  const second = figure.below?.(context);
  if (second) scenes.push([second.scene, second.height]);
  return scenes.map(([scene, height]) => {
    const frame = frameOf(scene, width, height);
    return { scene, frame, words: wordsOf(scene, frame, state.x) };
  });
}

/** Whether a curve has a point in a box, or crosses it between two points. */
function isCrossed({ left, right, top, bottom }, { curves }, frame) {
  return curves.some(({ x, y }) =>
    Array.from(x).some((value, i) => {
      if (i === 0 || frame.x(value) < left || frame.x(x[i - 1]) > right) return false;
      const [a, b] = [frame.y(y[i - 1]), frame.y(y[i])];
      return Math.min(a, b) < bottom && Math.max(a, b) > top;
    }),
  );
}

const pairs = (some, others) => some.flatMap((one) => others.map((other) => [one, other]));
const overlap = ([a, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const FORMS = ["erf", "erfc", "tanh", "sigmoid"];
const FORMATS = ["float64", "float32", "float16", "bfloat16"];
const STATES = {
  coin: ["", "x=0", "x=2&coin.draws=10000", "x=-3&coin.draws=1", "x=50"],
  errors: ["", "gelu_sigmoid.k=1.773", "gelu_tanh.cubic=0.0455"].flatMap((parameters) =>
    ["", "errors.kind=relative"].flatMap((kind) =>
      ["", "errors.scale=linear"].flatMap((scale) =>
        ["", "errors.order=1"].map((order) => [parameters, kind, scale, order].filter(Boolean).join("&")),
      ),
    ),
  ),
  fit: [
    "",
    "fit.for=gate&gelu_sigmoid.k=1.701744925338",
    "gelu_sigmoid.k=1.77293396561675",
    "gelu_sigmoid.k=3",
    "fit.for=cubic",
    "fit.for=pair&gelu_tanh.scale=0.800157078548104&gelu_tanh.cubic=0.0433676016405383",
    "fit.for=cubic&gelu_tanh.scale=1.2&gelu_tanh.cubic=0",
  ],
  precision: [
    ...FORMS.flatMap((form) => FORMATS.map((format) => `precision.form=${form}&precision.format=${format}`)),
    "x=-7&precision.form=sigmoid&precision.format=float16&from=-9&to=3",
  ],
};

describe("words in plots", () => {
  for (const figure of [coin, errors, fit, precision]) {
    test(figure.name, () => {
      for (const width of [320, 360, 664]) {
        for (const language of /** @type {const} */ (["zh", "en"])) {
          for (const query of STATES[figure.name]) {
            for (const { scene, frame, words } of draw(figure, query, width, language)) {
              const where = `${query}, ${width} px, ${language}`;
              const cut = words.filter(({ left, right }) => left < -2 || right > width + 2);
              assert.deepEqual(
                cut.map(({ text }) => text),
                [],
                `cut: ${where}`,
              );
              if (figure === coin) continue;
              const crossed = words.filter((word) => word.style === "lbl-fn" && isCrossed(word, scene, frame));
              assert.deepEqual(
                crossed.map(({ text }) => text),
                [],
                `on a curve: ${where}`,
              );
              if (figure !== errors) continue;
              const values = words.filter(({ style }) => style === "val");
              const [name, value] =
                pairs(
                  words.filter(({ style }) => style === "lbl-fn"),
                  values,
                ).find(overlap) ?? [];
              assert.equal(name, undefined, `${name?.text} on ${value?.text}: ${where}`);
            }
          }
        }
      }
    });
  }
});

test("a label has one meaning, whichever script brings it", async () => {
  const folder = new URL("../../web/i18n/", import.meta.url);
  /** @type {Map<string, string>} */
  const known = new Map();
  // Words of `ffn` and names of functions are kept by themselves.
  for (const file of (await readdir(folder)).filter((name) => !["ffn.js", "ffnpressed.js", "functions.js"].includes(name))) {
    const source = await readFile(new URL(file, folder), "utf8");
    for (const [, key, row] of source.matchAll(/^ {2}(\w+): (\[[\s\S]*?\]),$/gm)) {
      assert.equal(known.get(key) ?? row, row, `${key} in ${file}`);
      known.set(key, row);
    }
  }
  assert.ok(known.size > 200, `${known.size} labels`);
});

test("fit: the two best values stand in the small plot, to four decimals, before anything is searched for", () => {
  const [, { words }] = draw(fit, "", 664, "en");
  assert.deepEqual(
    words.filter(({ style }) => style === "lbl-fn").map(({ text }) => text),
    ["1.7017", "1.7729"],
  );
});

test("precision: left of the place that it names a result is exactly 0, to every digit named", () => {
  for (const form of FORMS) {
    for (const format of FORMATS) {
      const range = format === "float32" || format === "float64" ? "&from=-50&to=3" : "";
      const [{ words }] = draw(precision, `precision.form=${form}&precision.format=${format}${range}`, 664, "en");
      const word = words.find(({ text }) => text.startsWith("left of "));
      if (word === undefined) continue;
      const place = Number(word.text.slice(8).replace("−", "-"));
      for (const x of [place, place - 1e-9, place - 1e-3, place * 1.01, -49])
        assert.equal(Math.abs(gelu.emulate(form, Float64Array.of(x), format)[0]), 0, `${form} in ${format} at ${x}`);
      assert.notEqual(gelu.emulate(form, Float64Array.of(place * 0.997), format)[0], 0, `${form} in ${format} right of ${place}`);
    }
  }
});

describe("precision: what its readouts say", () => {
  const rowsAt = (query) => {
    const state = parse(table, query);
    const rows = precision.readouts(
      createContext({ gelu, state, variant: "", width: 664, height: 300, density: 1, language: "en" }),
    );
    const row = (name) => rows.find((each) => each.name === name);
    return { result: row("result"), exact: row("exact") };
  };

  test("of a subnormal result of float64, how many of its digits are left", () => {
    for (const [x, digits] of [
      [-38.4, 10],
      [-38.3, 15],
      [-38, 32],
    ]) {
      const { result } = rowsAt(`x=${x}&precision.form=erfc&precision.format=float64`);
      // A multiple of the smallest number: so many binary digits has the multiple.
      assert.equal(BigInt(Math.round(Math.abs(result.value) / Number.MIN_VALUE)).toString(2).length, digits, String(x));
      assert.match(result.note.text.en, new RegExp(`binary digits left: ${digits}$`));
    }
  });

  test("where GELU is too small for float64, 0 misses all of it and anything else is more than can be said", () => {
    const lost = rowsAt("x=-39");
    assert.equal(lost.exact.note.value, 1);
    assert.match(lost.exact.note.text.en, /100\.0/);
    assert.match(lost.exact.text, /^> −4\.9 × 10⁻³²⁴/);
    const large = rowsAt("x=-50&precision.form=sigmoid");
    assert.match(large.exact.note.text.en, /> .* × 10²⁸⁸\u202f×/);
    assert.equal(rowsAt("x=0").exact.note.value, 0);
  });

  test("in float64 no finer than the true value is known", () => {
    for (const x of [-1, 0.3, 2]) {
      const { exact } = rowsAt(`x=${x}&precision.form=erfc&precision.format=float64`);
      assert.ok(exact.note.value < 4.5e-16);
      assert.match(exact.note.text.en, /< 8\.88 × 10⁻¹⁴/);
    }
  });
});
