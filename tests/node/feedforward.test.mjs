/** The numbers of figure `ffn` against the same network in float64 JavaScript, written here, for networks of odd sizes too. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { parseNumber } from "../../web/components/numbers.js";
import { pixelsOf } from "../../web/figures/ffn/matrices.js";
import { binsOf, countsOf, keyOf, MODELS, netOf, runOf, runSmall, zerosOf } from "../../web/figures/ffn/run.js";
import { BACKWARD, chosenCell, FORWARD, matrixOf, sumOf, unitOf, written } from "../../web/figures/ffn/sums.js";
import { cellText } from "../../web/figures/ffn/writing.js";
import { figures } from "../../web/figures/index.js";
import { createTable, parse } from "../../web/state.js";
import { truth } from "../browser/oracle.mjs";
import { randomFrom } from "./vectors.mjs";

const gelu = await loadGelu();
const table = createTable(gelu.catalogue, figures);
const stateOf = (query) => parse(table, query);
const netFor = (query) => netOf(gelu, stateOf(query));
const runFor = (query) => runSmall(gelu, netFor(query));

/** float32 sums of a few terms. */
const SUM_ERROR = 2e-6;
const NAMES = [...new Set([...FORWARD, ...BACKWARD])];

/** Queries with sizes, seeds and activations that nobody would choose. */
function oddQueries(count, seed) {
  const next = randomFrom(seed);
  const ids = gelu.catalogue.map(({ id }) => id);
  return Array.from({ length: count }, () => {
    const pass = next() < 0.5 ? "forward" : "backward";
    const numbers = { d: 9 * next(), hidden: 34 * next(), tokens: 9 * next(), seed: 9999 * next(), token: 9 * next() };
    const own = Object.entries({ ...numbers, unit: 45 * next() }).map(([name, value]) => `ffn.${name}=${value}`);
    return `${own.join("&")}&ffn.activation=${ids[Math.floor(next() * ids.length)]}&ffn.pass=${pass}`;
  });
}

/** Where the oracle has no derivative, a central difference of its values: good to nine digits. */
function slopeOf(fn, z) {
  if (fn !== "mish") return truth(fn, z, 1);
  return (truth(fn, z + 1e-5) - truth(fn, z - 1e-5)) / 2e-5;
}

/** Everything from x, dy and the weights alone. */
function reference({ net: { d, hidden, tokens, activation, params }, x, dy, w1, b1, w2, b2 }) {
  const value = Object.values(params)[0];
  // Parameters are left at their defaults here; the oracle knows them.
  assert.ok(value === undefined || gelu.catalogue.find(({ id }) => id === activation).parameters[0].value === value);
  const sum = (count, term) => Array.from({ length: count }, (_, i) => term(i)).reduce((total, each) => total + each, 0);
  const grid = (rows, columns, at) =>
    Float64Array.from({ length: rows * columns }, (_, i) => at(Math.floor(i / columns), i % columns));
  const z = grid(tokens, hidden, (t, j) => b1[j] + sum(d, (i) => x[t * d + i] * w1[i * hidden + j]));
  const a = z.map((each) => truth(activation, each));
  const y = grid(tokens, d, (t, k) => b2[k] + sum(hidden, (j) => a[t * hidden + j] * w2[j * d + k]));
  const da = grid(tokens, hidden, (t, j) => sum(d, (k) => dy[t * d + k] * w2[j * d + k]));
  const dz = da.map((each, i) => each * slopeOf(activation, z[i]));
  const dx = grid(tokens, d, (t, i) => sum(hidden, (j) => dz[t * hidden + j] * w1[i * hidden + j]));
  const dw1 = grid(d, hidden, (i, j) => sum(tokens, (t) => x[t * d + i] * dz[t * hidden + j]));
  const dw2 = grid(hidden, d, (j, k) => sum(tokens, (t) => a[t * hidden + j] * dy[t * d + k]));
  return { z, a, y, da, dz, dx, dw1, dw2 };
}

/** Every cell of a matrix. */
function* cellsOf(run, name) {
  const { rows, columns } = matrixOf(run, name);
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) yield { matrix: name, row, column };
}

const size = (terms) => terms.reduce((sum, [a, b]) => sum + Math.abs(a * b), 0);
const total = (terms) => terms.reduce((sum, [a, b]) => sum + a * b, 0);

/** A written sum comes to what is shown for it. */
function assertAddsUp(sum, label) {
  const difference = Math.abs(total(sum.terms) + (sum.bias ?? 0) - sum.value);
  assert.ok(difference <= SUM_ERROR * size(sum.terms) + 1e-37, `${label}: off by ${difference}`);
}

describe("numbers", () => {
  test("every matrix of both passes is the one of float64, whatever the sizes, the seed and the activation", () => {
    const seen = new Set();
    for (const query of oddQueries(150, 5)) {
      const run = runFor(query);
      seen.add(run.net.activation);
      for (const [name, want] of Object.entries(reference(run))) {
        const matrix = matrixOf(run, name);
        assert.equal(matrix.rows * matrix.columns, want.length, `${query}: size of ${name}`);
        const scale = Math.max(1, ...want.map(Math.abs));
        for (const { row, column } of cellsOf(run, name)) {
          const difference = Math.abs(matrix.at(row, column) - want[row * matrix.columns + column]);
          assert.ok(difference <= 1e-5 * scale, `${query}: ${name}[${row}, ${column}] is off by ${difference}`);
        }
      }
    }
    assert.equal(seen.size, gelu.catalogue.length);
  });

  test("every number that is computed has a sum, and the sum comes to it", () => {
    for (const query of oddQueries(60, 6)) {
      const run = runFor(query);
      for (const name of NAMES) {
        for (const cell of cellsOf(run, name)) {
          const sum = sumOf(run, cell);
          assert.equal(sum === null, ["x", "dy", "w1", "w2"].includes(name), name);
          if (sum === null) continue;
          assertAddsUp(sum, `${query}: ${JSON.stringify(cell)}`);
          const shown = matrixOf(run, name).at(cell.row, cell.column);
          assert.equal(sum.after !== undefined && sum.name !== name ? sum.after.value : sum.value, shown);
        }
      }
    }
  });

  test("the factors of a sum are the numbers that its marked rows and columns hold", () => {
    const run = runFor("ffn.pass=backward&ffn.d=3&ffn.hidden=5&ffn.tokens=4");
    for (const name of ["z", "a", "y", "da", "dz", "dx", "dw1", "dw2"]) {
      for (const cell of cellsOf(run, name)) {
        const { terms, sources } = sumOf(run, cell);
        const factors = sources.map(({ matrix, row, column }) => {
          const { rows, columns, at } = matrixOf(run, matrix);
          return Array.from({ length: row === undefined ? rows : columns }, (_, i) =>
            row === undefined ? at(i, column) : at(row, i),
          );
        });
        assert.deepEqual(
          terms.map((term) => term.map(Math.fround)),
          factors[0].map((first, i) => [first, factors[1][i]]),
          JSON.stringify(cell),
        );
      }
    }
  });

  test("da and dz have the kernels' bits: with one token dW₁ is their product", () => {
    for (const [query, from] of [
      ["ffn.d=8&ffn.hidden=32&ffn.tokens=1", runFor],
      ["ffn.preset=bert&ffn.tokens=1", runFor],
    ]) {
      const run = from(query);
      const { d, hidden } = run.net;
      const dz = matrixOf(run, "dz");
      let wrong = 0;
      for (let i = 0; i < d; i += d > 8 ? 97 : 1)
        for (let j = 0; j < hidden; j++) if (run.dw1[i * hidden + j] !== Math.fround(run.x[i] * dz.at(0, j))) wrong += 1;
      assert.equal(wrong, 0, query);
    }
  });

  test("weights are those of createFfn; inputs are from another seed", () => {
    const ffn = gelu.createFfn({ d: 4, hidden: 16, seed: 7 });
    const run = runFor("ffn.seed=7");
    assert.deepEqual([run.w1, run.w2], [ffn.weights.w1, ffn.weights.w2]);
    ffn.free();
    const correlation =
      total(Array.from(run.x, (x, i) => [x, run.w1[i]])) / Math.hypot(...run.x) / Math.hypot(...run.w1.subarray(0, 32));
    assert.ok(Math.abs(correlation) < 0.5, `${correlation}`);
  });
});

describe("what is said about zeros", () => {
  test("at first: none with GELU, about half with ReLU", () => {
    const { all, own, relu } = zerosOf(runFor(""));
    assert.deepEqual([all, own], [128, 0]);
    assert.ok(relu > 0.4 * all && relu < 0.6 * all, `${relu}`);
  });

  test("for any seed none with GELU, many with ReLU, and not the same for every token", () => {
    let relu = 0;
    for (let seed = 0; seed < 300; seed++) {
      const run = runFor(`ffn.seed=${seed}`);
      assert.equal(zerosOf(run).own, 0, `seed ${seed}`);
      relu += zerosOf(run).relu;
      const silent = Array.from({ length: 8 }, (_, t) =>
        run.rectified
          .subarray(16 * t, 16 * t + 16)
          .map((value) => (value === 0 ? 1 : 0))
          .join(""),
      );
      assert.ok(new Set(silent).size > 1, `seed ${seed}`);
    }
    assert.ok(Math.abs(relu / (300 * 128) - 0.5) < 0.01, `${relu / (300 * 128)}`);
  });

  test("they are counted from the numbers: with ReLU chosen both counts agree, in both passes", () => {
    for (const pass of ["forward", "backward"]) {
      const run = runFor(`ffn.activation=relu&ffn.pass=${pass}&ffn.seed=3`);
      const { own, relu } = zerosOf(run);
      const want = [...(pass === "forward" ? run.a : run.slope)].filter((value) => value === 0).length;
      assert.deepEqual([own, relu], [want, want]);
    }
  });

  test("bars hold every pre-activation once, and with ReLU none is partly hollow", () => {
    for (const query of oddQueries(60, 8)) {
      const run = runFor(query);
      for (const width of [0.5, 0.2, 0.01]) {
        const bins = binsOf(run, width);
        assert.equal(
          bins.reduce((sum, { count }) => sum + count, 0),
          run.z.length,
        );
        assert.equal(
          bins.reduce((sum, { zeros }) => sum + zeros, 0),
          zerosOf(run).own,
        );
        for (const { from, count } of bins) {
          assert.equal(
            [...run.z].filter((z) => z > from && z <= from + width * (1 + 1e-12)).length,
            count,
            `${query} from ${from}`,
          );
        }
        if (run.net.activation === "relu") for (const { zeros, count } of bins) assert.ok(zeros === 0 || zeros === count);
      }
    }
  });
});

describe("what is written", () => {
  test("0 is exactly 0 and nothing else, and the digits are the number's", () => {
    const next = randomFrom(3);
    for (let i = 0; i < 5000; i++) {
      const value = (next() - 0.5) * 10 ** (8 * next() - 7);
      const text = cellText(value);
      assert.notEqual(parseNumber(text), 0, `${value} is written ${text}`);
      if (!text.includes("×")) assert.ok(Math.abs(parseNumber(text) - value) <= 0.000501, `${value} is written ${text}`);
    }
    assert.deepEqual([cellText(0), cellText(-0), cellText(-0.0004), cellText(0.00049999)], ["0", "0", "−4 × 10⁻⁴", "5 × 10⁻⁴"]);
  });

  test("a long sum keeps its first and last terms; what is between comes to what it says", () => {
    const next = randomFrom(4);
    for (const count of [1, 31, 32, 33, 768, 3072]) {
      const terms = Array.from({ length: count }, () => [next() - 0.5, next() - 0.5]);
      const { first, between, last } = written(terms);
      assert.equal(first.length + last.length + (between?.count ?? 0), count);
      assert.ok(Math.abs(total([...first, ...last]) + (between?.value ?? 0) - total(terms)) < 1e-12);
    }
  });

  test("a unit of the address is the number of its name, and clamped where there is none", () => {
    for (const query of [...oddQueries(200, 9), "ffn.unit=3840&ffn.token=8&ffn.tokens=2&ffn.d=1&ffn.hidden=1"]) {
      const net = netFor(query);
      const { d, hidden, tokens } = net;
      for (const [name, value, most] of [
        ["d", d, 8],
        ["hidden", hidden, 32],
        ["tokens", tokens, 8],
      ])
        assert.ok(Number.isInteger(value) && value >= 1 && value <= most, `${query}: ${name} ${value}`);
      const cell = chosenCell(net);
      const { rows, columns } = matrixOf(runSmall(gelu, net), cell.matrix);
      assert.ok(cell.row >= 0 && cell.row < rows && cell.column >= 0 && cell.column < columns, query);
      assert.equal(unitOf(net, cell), net.unit + 1);
    }
  });
});

describe("a network of BERT’s size", () => {
  const query = "ffn.preset=bert&ffn.tokens=2&ffn.pass=backward&ffn.token=2&ffn.activation=relu";
  const net = netFor(query);
  const run = runSmall(gelu, net);

  test("is not computed by the plot: it waits for the data, and takes no others", () => {
    assert.equal(runOf({ gelu, state: stateOf(query), data: null }), null);
    assert.equal(runOf({ gelu, state: stateOf(query), data: { key: keyOf(netFor(`${query}&ffn.seed=2`)), run } }), null);
    assert.equal(runOf({ gelu, state: stateOf(query), data: { key: keyOf(net), run } })?.z, run.z);
  });

  test("has the parameters, operations and bytes that the formulas count", () => {
    for (const { d, hidden } of [...Object.values(MODELS), { d: 3, hidden: 5 }]) {
      const counts = countsOf({ d, hidden, tokens: 2 });
      let multiplyAdds = 0;
      for (let i = 0; i < d; i++) multiplyAdds += 2 * hidden;
      assert.equal(counts.forward, 2 * multiplyAdds);
      assert.equal(counts.backward, 4 * multiplyAdds);
    }
    const arrays = [run.w1, run.b1, run.w2, run.b2];
    const counts = countsOf(net);
    assert.equal(
      counts.parameters,
      arrays.reduce((sum, { length }) => sum + length, 0),
    );
    assert.equal(
      counts.weightBytes,
      arrays.reduce((sum, { byteLength }) => sum + byteLength, 0),
    );
    assert.equal(counts.keptBytes, run.x.byteLength + run.z.byteLength);
    assert.equal(12 * counts.parameters, 56_669_184);
  });

  test("its sums come to its numbers", () => {
    const cells = ["z", "y", "dz", "dx", "dw1", "dw2"].flatMap((matrix) => {
      const { rows, columns } = matrixOf(run, matrix);
      return [
        { matrix, row: 0, column: 0 },
        { matrix, row: rows - 1, column: columns - 1 },
        { matrix, row: Math.floor(rows / 2), column: Math.floor(columns / 3) },
      ];
    });
    for (const cell of cells) assertAddsUp(sumOf(run, cell), JSON.stringify(cell));
  });

  test("a pixel of a heat map is the number it stands for", () => {
    for (const name of NAMES) {
      const map = pixelsOf(run, name);
      const matrix = matrixOf(run, name);
      for (const [x, y] of [
        [0, 0],
        [map.width - 1, map.height - 1],
        [7, 3],
      ]) {
        const at = x * map.right + y * map.down;
        const isVector = !name.includes("w");
        const [row, column] = isVector ? [net.token, at] : [Math.floor(at / map.columns), at % map.columns];
        assert.equal(map.numbers[map.first + at], matrix.at(row, column), `${name} ${x} ${y}`);
      }
      if (name.includes("w")) assert.equal(map.width * map.height * 16, map.numbers.length);
      else assert.equal(map.width * map.height, matrix.columns);
    }
  });
});
