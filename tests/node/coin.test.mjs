/** Figure `coin` without a browser: its numbers recomputed from the seeded stream, and the laws that they must obey. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { createContext, cursorOf } from "../../web/components/figure.js";
import { coin, grouped } from "../../web/figures/coin.js";
import { createTable, parse } from "../../web/state.js";
import { sceneToSvg } from "../../web/svg.js";
import { truth } from "../browser/oracle.mjs";

const gelu = await loadGelu();
const table = createTable(gelu.catalogue, [coin]);

const contextOf = (query, language = "en") =>
  createContext({ gelu, state: parse(table, query), variant: "", width: 664, height: 566, density: 1, language });

/** Its computed numbers, by name. */
function numbersOf(query) {
  const rows = coin.readouts(contextOf(query));
  return Object.fromEntries(
    rows.flatMap(({ name, value, note }) =>
      note
        ? [
            [name, value],
            [note.name, note.value],
          ]
        : [[name, value]],
    ),
  );
}

/** The first lots of a seed, straight from the library. */
function lots(seed, draws) {
  const source = gelu.random(seed);
  const all = source.uniform(draws);
  source.free();
  return all;
}

const near = (got, want, label, tolerance = 1e-12) =>
  assert.ok(Math.abs(got - want) <= tolerance * Math.max(1, Math.abs(want)), `${label}: ${got}, want ${want}`);

describe("the draws", () => {
  test("are those of the seed: x comes in where the number is below Φ(x)", () => {
    for (const [x, draws, seed] of [
      [-1, 24, 1],
      [-1, 1, 1],
      [0.5, 40, 2],
      [2, 9999, 77],
      [-3, 10_000, 9999],
      [0, 17, 3],
      [-0.7518, 333, 12],
    ]) {
      const share = truth("normal_cdf", x);
      const kept = lots(seed, draws).filter((lot) => lot < share).length;
      const got = numbersOf(`x=${x}&coin.draws=${draws}&coin.seed=${seed}`);
      const label = `x = ${x}, ${draws} draws of seed ${seed}`;
      assert.equal(got["coin.kept"], kept, label);
      near(got["coin.mean"], (x * kept) / draws, label);
      near(got["coin.error"], Math.abs(x) * Math.sqrt((share * (1 - share)) / draws), label, 1e-9);
      near(got.gelu, truth("gelu", x), label, 1e-9);
      near(got.normal_cdf, share, label, 1e-9);
    }
  });

  test("one more changes the mean by that one alone, and the earlier ones stay", () => {
    let before = 0;
    for (let draws = 1; draws <= 60; draws++) {
      const { "coin.kept": kept } = numbersOf(`x=-0.4&coin.draws=${draws}`);
      assert.ok(kept === before || kept === before + 1, `${before} after ${draws - 1}, ${kept} after ${draws}`);
      before = kept;
    }
    assert.ok(before > 5 && before < 45, String(before));
  });

  test("a whole number of them, whatever the link says", () => {
    assert.equal(numbersOf("x=-1&coin.draws=23.6&coin.seed=1.4")["coin.kept"], numbersOf("x=-1&coin.draws=24")["coin.kept"]);
    assert.deepEqual(numbersOf("x=-1&coin.draws=0"), numbersOf("x=-1&coin.draws=1"));
    assert.deepEqual(numbersOf("x=-1&coin.draws=1e9"), numbersOf("x=-1&coin.draws=10000"));
    assert.deepEqual(numbersOf("x=-1&coin.draws=abc&coin.seed=x"), numbersOf("x=-1"));
  });

  test("GELU and Φ do not know of them", () => {
    const seen = new Set();
    for (let seed = 1; seed <= 20; seed++) {
      const { gelu: exact, normal_cdf: share } = numbersOf(`x=-1&coin.draws=50&coin.seed=${seed}`);
      seen.add(`${exact} ${share}`);
    }
    assert.equal(seen.size, 1);
  });
});

describe("the standard error", () => {
  test("is the spread of the mean from seed to seed", () => {
    for (const [x, draws] of [
      [-1, 100],
      [0.5, 100],
      [2, 400],
    ]) {
      const seeds = 1500;
      let sum = 0;
      let squares = 0;
      let error = 0;
      for (let seed = 1; seed <= seeds; seed++) {
        const got = numbersOf(`x=${x}&coin.draws=${draws}&coin.seed=${seed}`);
        const off = got["coin.mean"] - got.gelu;
        sum += off;
        squares += off * off;
        error = got["coin.error"];
      }
      // The mean of 1500 means is within four of its own standard errors; their spread within 8 %, more than four of its own.
      assert.ok(Math.abs(sum / seeds) < (4 * error) / Math.sqrt(seeds), `x = ${x}: ${sum / seeds}`);
      const ratio = Math.sqrt(squares / seeds) / error;
      assert.ok(Math.abs(ratio - 1) < 0.08, `x = ${x}: spread ${ratio} standard errors`);
    }
  });

  test("halves with four times as many draws, and the mean stays within four of it", () => {
    for (const x of [-2, -1, 0.5, 2]) {
      const errors = [100, 400, 1600, 6400].map((draws) => numbersOf(`x=${x}&coin.draws=${draws}`)["coin.error"]);
      for (let i = 1; i < errors.length; i++) near(errors[i - 1] / errors[i], 2, `x = ${x}`, 1e-9);
      for (const draws of [10, 100, 1000, 10_000]) {
        const { "coin.off": off } = numbersOf(`x=${x}&coin.draws=${draws}`);
        assert.ok(off >= 0 && off < 4, `x = ${x}, ${draws} draws: ${off}`);
      }
    }
  });

  test("is 0 where every outcome is 0", () => {
    const got = numbersOf("x=0&coin.draws=50");
    assert.deepEqual([got["coin.mean"], got["coin.error"], got["coin.off"]], [0, 0, 0]);
  });
});

describe("the drawing", () => {
  test("the mean as a curve goes through the readout, for the same lots at every x", () => {
    const query = "coin.draws=37&coin.seed=5";
    const { curves } = coin.scene(contextOf(query));
    const mean = curves.find(({ fn }) => fn === "ink");
    for (let i = 0; i < mean.x.length; i += 29) {
      const got = numbersOf(`${query}&x=${mean.x[i]}`)["coin.mean"];
      assert.ok(Math.abs(mean.y[i] - got) < 1e-12, `at ${mean.x[i]}: ${mean.y[i]}, read out ${got}`);
    }
  });

  test("one draw is 0 up to a threshold and x from there on", () => {
    const mean = coin.scene(contextOf("coin.draws=1")).curves.find(({ fn }) => fn === "ink");
    const steps = mean.y.map((y, i) => (y === 0 ? 0 : y / mean.x[i]));
    assert.ok(steps.every((step, i) => (step === 0 || step === 1) && (i === 0 || mean.x[i] === 0 || step >= steps[i - 1])));
    assert.ok(steps[0] === 0 && steps.at(-1) === 1);
  });

  test("a dot for each draw, as many full ones as came in, while there is room for all", () => {
    const context = contextOf("x=-1&coin.draws=7");
    const svg = sceneToSvg(coin.scene(context), cursorOf(coin, context, false), { width: 664, height: 566, id: "a", title: "" });
    const many = (text, part) => text.split(part).length - 1;
    const count = (style) => {
      const [group] = svg.match(new RegExp(`<g class="${style}".*?</g>`)) ?? [""];
      return many(group, "<circle ") + many(svg, `<circle class="${style}"`);
    };
    const { "coin.kept": kept } = numbersOf("x=-1&coin.draws=7");
    assert.deepEqual([count("p-in"), count("p-out")], [kept, 7 - kept]);
  });

  test("the table says the same, in either language", () => {
    const query = "coin.draws=250&coin.seed=9";
    for (const language of /** @type {const} */ (["zh", "en"])) {
      const { xs, columns } = coin.table(contextOf(query, language));
      const [share, mean, error, exact] = columns.map(({ values }) => values);
      xs.forEach((x, i) => {
        const got = numbersOf(`${query}&x=${x}`);
        near(share[i], got.normal_cdf, "Φ");
        near(mean[i], got["coin.mean"], "mean");
        near(error[i], got["coin.error"], "standard error");
        near(exact[i], got.gelu, "GELU");
      });
    }
  });
});

test("large counts are written as each language does", () => {
  assert.deepEqual(
    [1, 999, 1000, 10_000, 1_234_567].map((count) => grouped(count, "en")),
    ["1", "999", "1,000", "10,000", "1,234,567"],
  );
  assert.equal(grouped(10_000, "zh"), "10\u202f000");
});
