/** Figure `depth`: what its networks do, held to theory and to what the lesson says of them; its words, held to its numbers. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { computeFigures } from "../../web/build/compute.mjs";
import { numberChecker } from "../../web/build/numbers.mjs";
import { createContext } from "../../web/components/figure.js";
import { computeNetworks } from "../../web/figures/depth/compute.js";
import { bandsOf, settingsOf } from "../../web/figures/depth/networks.js";
import { sentences } from "../../web/figures/depth/text.js";
import { depth } from "../../web/figures/depth.js";
import { figures } from "../../web/figures/index.js";
import { namesOf } from "../../web/i18n/functions.js";
import { createTable, parse } from "../../web/state.js";

const gelu = await loadGelu();
const table = createTable(gelu.catalogue, figures);
const first = (await computeFigures(gelu)).depth;
const FUNCTIONS = ["gelu", "relu", "sigmoid"];

const settingsAt = (/** @type {string} */ query) => settingsOf(parse(table, query));
const drawnAt = (/** @type {string} */ query) => computeNetworks(gelu, settingsAt(query), parse(table, query)["depth.fns"]);
const last = (/** @type {number[]} */ values) => values[values.length - 1];
const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const he = (/** @type {object} */ options) => gelu.propagate({ layers: 24, width: 128, gain: Math.SQRT2, ...options });
const seeds = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i + 1);
/** The number that the prose shows for infinitely wide networks. */
const meanField = numberChecker(
  gelu,
  gelu.catalogue.map(({ id }) => id),
);
const WIDE = 0.0019399752;

function contextOf(/** @type {string} */ query, data = first, /** @type {"zh" | "en"} */ language = "en", width = 664) {
  const state = parse(table, query);
  return createContext({ gelu, state, variant: "", width, height: 400, density: 1, language, data });
}

function textOf(/** @type {string} */ query, data = first, /** @type {"zh" | "en"} */ language = "en") {
  const parts = sentences(contextOf(query, data, language))[language];
  return parts.map((part) => (typeof part === "string" ? part : "fn" in part ? namesOf(part.fn)[language] : part.text)).join("");
}

describe("the networks of the first state", () => {
  test("are those of seeds 1 to 5, in the digits that the figure shows", () => {
    assert.deepEqual(Object.keys(first.bands), FUNCTIONS);
    for (const fn of FUNCTIONS) {
      const runs = seeds(5).map((seed) => he({ activation: fn, seed }));
      const exact = bandsOf(runs);
      for (const quantity of ["signal", "gradient"])
        for (const edge of ["low", "middle", "high"])
          exact[quantity][edge].forEach((value, layer) => {
            assert.ok(
              Math.abs(first.bands[fn][quantity][edge][layer] / value - 1) < 5.1e-4,
              `${fn} ${quantity} ${edge} ${layer}`,
            );
          });
      // The gradient is counted from the output.
      assert.equal(exact.gradient.middle[24], median(runs.map(({ gradient }) => gradient[0])));
      assert.equal(exact.signal.middle[24], median(runs.map(({ signal }) => signal[24])));
    }
  });

  test("finding 1: without normalisation or residual path ReLU with He’s gain does better than GELU, for every seed", () => {
    for (const seed of seeds(5)) {
      const [relu, own] = ["relu", "gelu"].map((activation) => he({ activation, seed }));
      for (const [a, b] of [
        [relu.gradient[0], own.gradient[0]],
        [relu.signal[24], own.signal[24]],
      ])
        assert.ok(Math.abs(Math.log(a)) < Math.abs(Math.log(b)) && a > 10 * b, `seed ${seed}: ${a}, ${b}`);
    }
  });

  test("finding 2: sigmoid’s gradient collapses, for every seed, as its slope of at most ¼ demands", () => {
    for (const seed of seeds(5)) {
      const { gradient } = he({ activation: "sigmoid", seed });
      assert.ok(gradient[0] < 2 * (Math.SQRT2 / 4) ** 24, `seed ${seed}: ${gradient[0]}`);
      for (let layer = 0; layer < 24; layer++) assert.ok(gradient[layer] < 0.5 * gradient[layer + 1]);
    }
  });

  test("finding 3: with LayerNorm and residual path they hardly differ", () => {
    const { bands } = drawnAt("?depth.norm=1&depth.residual=1");
    const ends = FUNCTIONS.map((fn) => last(bands[fn].gradient.middle));
    assert.ok(Math.abs(ends[0] / ends[1] - 1) < 0.05, `GELU and ReLU: ${ends}`);
    assert.ok(Math.max(...ends) / Math.min(...ends) < 5, `all three: ${ends}`);
    const before = FUNCTIONS.map((fn) => last(first.bands[fn].gradient.middle));
    assert.ok(Math.max(...before) / Math.min(...before) > 1e11);
  });
});

describe("theory", () => {
  test("ReLU with He’s gain keeps the expected second moment of signal and gradient at 1", () => {
    // Of one network's mean square the relative variance is at most (1 + 5/width)^layers − 1.
    const count = 80;
    const runs = seeds(count).map((seed) => he({ activation: "relu", layers: 8, seed }));
    for (const layer of [1, 2, 4, 8]) {
      const limit = 4 * Math.sqrt(((1 + 5 / 128) ** layer - 1) / count);
      const mean = (/** @type {(run: any) => number} */ size) => runs.reduce((sum, run) => sum + size(run) ** 2, 0) / count;
      for (const moment of [mean(({ signal }) => signal[layer]), mean(({ gradient }) => gradient[8 - layer])])
        assert.ok(Math.abs(moment - 1) < limit, `layer ${layer}: ${moment}, within ${limit}`);
    }
  });

  test("LayerNorm and residual path: each layer adds 2 E[f²] to the second moment of the signal", () => {
    for (const [activation, moment] of /** @type {const} */ ([
      ["relu", 0.5],
      ["gelu", 0.425221],
    ])) {
      const squares = seeds(10).map((seed) => he({ activation, layerNorm: true, residual: true, seed }).signal[24] ** 2);
      const mean = squares.reduce((sum, square) => sum + square) / 10;
      assert.ok(Math.abs(mean / (1 + 24 * 2 * moment) - 1) < 0.1, `${activation}: ${mean}`);
    }
  });

  test("GELU comes down to the mean field as networks grow wider, and the bands with it", () => {
    meanField("0.0019", "chain gelu 24 start=1");
    const ends = [32, 64, 128, 256, 512].map((width) => {
      const sizes = seeds(5).map((seed) => he({ width, seed }).gradient[0]);
      return { median: median(sizes), spread: Math.max(...sizes) / Math.min(...sizes) };
    });
    for (const { median: size } of ends) assert.ok(size > WIDE);
    assert.ok(ends[0].median > ends[2].median && ends[2].median > ends[3].median && ends[3].median > ends[4].median);
    assert.ok(ends[4].median < 1.5 * WIDE, `512 wide: ${ends[4].median}`);
    assert.ok(ends[0].spread > ends[2].spread && ends[2].spread > ends[4].spread);
  });

  test("it is because the rms hears the largest of several inputs that 128 wide networks lie above it", () => {
    const of = (/** @type {number} */ samples) => median(seeds(41).map((seed) => he({ samples, seed }).gradient[0]));
    const [one, eight, many] = [of(1), of(8), of(32)];
    assert.ok(one < 1.35 * WIDE && one > WIDE / 1.35, `one input: ${one}`);
    assert.ok(eight > 1.3 * one && many > 1.2 * eight, `${one}, ${eight}, ${many}`);
  });
});

describe("what is said", () => {
  test("of the first state: apart, ReLU closest to 1; the same in both languages", () => {
    assert.match(textOf(""), /gradient after 24 layers back is 0\.99 with ReLU, 0\.0042 with GELU and 1\.0 × 10⁻¹² with Sigmoid/);
    assert.match(textOf(""), /No two bands overlap.*By the median, ReLU stays closest to 1/);
    assert.match(textOf("", first, "zh"), /ReLU 0\.99、GELU 0\.0042、Sigmoid 1\.0 × 10⁻¹²。带子互不重叠.*离 1 最近的是 ReLU。/);
    assert.match(textOf("?depth.view=signal"), /bands of ReLU and Sigmoid overlap.*By the median, \w+ stays closest to 1/);
  });

  test("of LayerNorm and residual path: GELU and ReLU overlap", () => {
    const query = "?depth.norm=1&depth.residual=1";
    assert.match(textOf(query, drawnAt(query)), /The bands of ReLU and GELU overlap/);
    assert.match(textOf(query, drawnAt(query), "zh"), /ReLU、GELU 的带子重叠/);
  });

  test("every number is one of those drawn", () => {
    const { en, zh } = sentences(contextOf(""));
    const numbers = (/** @type {typeof en} */ parts) => parts.filter((part) => typeof part === "object" && "value" in part);
    for (const { name, value } of numbers(en)) {
      const end = first.bands[name.slice("said.".length)]?.gradient.middle[24];
      const [most, least] = ["relu", "sigmoid"].map((fn) => first.bands[fn].gradient.middle[24]);
      assert.equal(value, end ?? most / least);
    }
    const sorted = (/** @type {any[]} */ parts) => parts.map(({ name, value }) => `${name} ${value}`).sort();
    assert.deepEqual(sorted(numbers(zh)), sorted(numbers(en)));
  });

  test("of one network nothing about bands; of one function nothing about others; of none that there is none", () => {
    const alone = "?depth.seeds=1&depth.layers=1&depth.width=32";
    assert.match(
      textOf(alone, drawnAt(alone)),
      /^Starting at 1, the rms of the gradient after 1 layer back is [^()]*\. The largest/,
    );
    const one = "?depth.fns=gelu&depth.width=32";
    assert.match(textOf(one, drawnAt(one)), /^[^.]*0\.\d+ with GELU \(medians of 5 networks\)\.$/);
    const none = "?depth.fns=";
    assert.equal(textOf(none, drawnAt(none)), "At the end there is no number to draw.");
  });

  test("bands: overlap of all pairs, of neighbours, none", () => {
    const band = (/** @type {number} */ low, /** @type {number} */ high) => ({
      low: [1, low],
      middle: [1, (low + high) / 2],
      high: [1, high],
    });
    const said = (/** @type {ReturnType<typeof band>[]} */ ...three) => {
      const bands = Object.fromEntries(FUNCTIONS.map((fn, i) => [fn, { gradient: three[i], signal: three[i] }]));
      return textOf("", { settings: { ...first.settings, layers: 1 }, bands });
    };
    assert.match(said(band(1, 4), band(2, 5), band(3, 6)), /The bands of Sigmoid, ReLU and GELU overlap:/);
    assert.match(
      said(band(1, 3), band(2, 5), band(4, 6)),
      /The bands of Sigmoid, ReLU and GELU overlap, though not each with every other: where two overlap, /,
    );
    assert.match(said(band(1, 2), band(3, 5), band(4, 6)), /The bands of Sigmoid and ReLU overlap:.*GELU stays closest/);
    assert.match(said(band(1, 2), band(3, 4), band(5, 6)), /No two bands overlap/);
  });
});

describe("numbers that no log axis can show", () => {
  const run = (/** @type {number[]} */ signal) => ({
    signal: Float64Array.from(signal),
    gradient: Float64Array.from(signal).reverse(),
  });

  test("the median and the band end with them, and it is counted in how many networks they are", () => {
    const { signal } = bandsOf([run([1, 1, 1]), run([1, 2, Infinity]), run([1, Infinity, NaN])]);
    assert.deepEqual(signal, {
      low: [1, 1, NaN],
      middle: [1, 2, NaN],
      high: [1, Infinity, NaN],
      lost: { from: 1, networks: 2, becomes: Infinity },
    });
    assert.deepEqual(bandsOf([run([1, 0, 0])]).signal.lost, { from: 1, networks: 1, becomes: 0 });
    assert.equal("lost" in bandsOf([run([1, 5e-324, 1e308])]).signal, false);
  });

  for (const [query, words] of /** @type {const} */ ([
    [
      "?depth.gain=custom&depth.factor=12&depth.layers=48&depth.width=32&depth.view=signal",
      /GELU and ReLU: after 4\d layers it is out of/,
    ],
    ["?depth.gain=custom&depth.factor=12&depth.layers=48&depth.width=32", /GELU and ReLU: there is no gradient to compute/],
    [
      "?depth.gain=custom&depth.factor=0.05&depth.layers=48&depth.width=32",
      /Sigmoid: after 2\d layers it is exactly 0 in float32/,
    ],
  ])) {
    test(`drawn as gaps on a whole axis, and said: ${query}`, () => {
      const runs = (/** @type {string} */ activation) => {
        const { seeds: count, ...network } = settingsAt(query);
        return seeds(count).map((seed) => gelu.propagate({ ...network, activation, seed }));
      };
      const bands = Object.fromEntries(FUNCTIONS.map((fn) => [fn, bandsOf(runs(fn))]));
      const data = { settings: settingsAt(query), bands };
      for (const width of [320, 664]) {
        const context = contextOf(query, data, "en", width);
        const { x, y, curves, marks } = depth.scene(context);
        assert.ok([x.min, x.max, y.min, y.max].every(Number.isFinite) && y.max - y.min < 100);
        assert.ok(curves.some((curve) => curve.y.some(Number.isNaN)));
        assert.ok(marks.length > 0 && marks.every((mark) => Number.isFinite(mark.y)));
        for (const curve of curves)
          assert.ok(
            curve.y.every(
              (value, i) =>
                Number.isNaN(value) ===
                !(
                  bands[curve.fn][context.state["depth.view"]].middle[i] > 0 &&
                  bands[curve.fn][context.state["depth.view"]].middle[i] < Infinity
                ),
            ),
          );
        for (const { text } of depth.readouts(context)) assert.doesNotMatch(text, /NaN|Infinity|^$/);
      }
      assert.match(textOf(query, data), words);
    });
  }
});

test("what is drawn says of which networks, whatever the state asks for meanwhile", () => {
  const context = contextOf("?depth.layers=3&depth.layer=48&depth.width=512&depth.norm=1&depth.gain=unit");
  assert.equal(depth.unit(context).en, "rms of the gradient, 24 layers × 128, gain √2, 5 networks");
  assert.deepEqual(depth.range(context), [0, 24]);
  assert.equal(depth.readouts(context)[0].value, first.bands.gelu.gradient.middle[24]);
  const { axis, xs, columns } = depth.table(context);
  assert.equal(axis, "Layers passed");
  assert.deepEqual([...xs], [0, ...seeds(24)]);
  assert.equal(columns.length, 9);
});

test("layers are whole numbers, wherever they come from", () => {
  const state = parse(table, "?depth.layer=3.6&depth.layers=47.5&depth.factor=0.3");
  assert.deepEqual([state["depth.layer"], state["depth.layers"], state["depth.factor"]], [4, 48, 0.3]);
});
