/** "Check your own": what pasted text is read as, what is named as unread, errors in ULP, the order of the rows. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadGelu } from "../../dist/lib/gelu.js";
import { readNumbers } from "../../web/components/numberlist.js";
import { exponential, signed } from "../../web/components/numbers.js";
import { exponentOf, ulpOf, ulpsApart } from "../../web/components/ulp.js";
import { compare, FORMATS, summarize, textbookExample } from "../../web/figures/comparison.js";
import { MOST_ROWS, readPasted, readValue } from "../../web/figures/pasted.js";
import { parseHex, randomFrom, readVectors } from "./vectors.mjs";

const gelu = await loadGelu();
const OWN = [-3, -1, -0.5, 0, 0.5, 1, 3];
const rowsOf = ({ xs, ys, lines }) => xs.map((x, i) => [lines[i], x, ys[i]]);
const reasonsOf = ({ unread }) => unread.map(({ line, reason, word }) => [line, reason, word]);

describe("a value", () => {
  test("is read in every way in which programs print it", () => {
    for (const [word, want] of [
      ["1", 1],
      ["-1.5", -1.5],
      ["−1.5", -1.5],
      ["+.5e-3", 0.0005],
      ["5.", 5],
      ["1.5f", 1.5],
      ["1.F", 1],
      ["-0", -0],
      ["nan", Number.NaN],
      ["-NaN", Number.NaN],
      ["inf", Number.POSITIVE_INFINITY],
      ["-Infinity", Number.NEGATIVE_INFINITY],
      ["1e999", Number.POSITIVE_INFINITY],
      ["0x1.8p-3", 0.1875],
      ["-0x1p+4", -16],
      ["0x0.0000000000001p-1022", 5e-324],
      ["0x1p-1074", 5e-324],
      ["0x1.fffffffffffffp+1023", Number.MAX_VALUE],
    ]) {
      assert.ok(Object.is(readValue(word), want), `${word}: ${readValue(word)}`);
    }
    for (const word of ["", "abc", "1,5", "1.2.3", "e5", "--1", "0x10", "1_000", "１", "f", "infinit", "0x1.8"]) {
      assert.equal(readValue(word), null, word);
    }
  });

  test("in hexadecimal is the very number", () => {
    const random = randomFrom(7);
    for (let i = 0; i < 2000; i++) {
      const digits = Array.from({ length: 13 }, () => Math.floor(random() * 16).toString(16)).join("");
      const word = `0x1.${digits}p${Math.floor(random() * 2000) - 1000 < 0 ? "-" : "+"}${Math.floor(random() * 1000)}`;
      assert.equal(readValue(word), parseHex(word), word);
    }
  });
});

describe("pasted text", () => {
  test("of x and y is read whatever separates them", () => {
    const want = [
      [1, -1, -0.15865],
      [2, 0.5, 0.34573],
    ];
    for (const text of [
      "-1,-0.15865\n0.5,0.34573",
      "-1 -0.15865\r\n0.5   0.34573\r\n",
      "-1;-0.15865\r0.5;0.34573",
      "-1\t-0.15865\n0.5\t0.34573\n\n",
      "\ufeff−1, −0.15865,\n0.5, 0.34573,",
      '"-1","-0.15865"\n"0.5","0.34573"',
      "[[-1, -0.15865],\n [0.5, 0.34573]]",
      "－１，－０．１５８６５\n０．５，０．３４５７３",
      "(-1, -0.15865)\n(0.5, 0.34573)",
    ]) {
      assert.deepEqual(rowsOf(readPasted(text, OWN)), want, text);
      assert.deepEqual(reasonsOf(readPasted(text, OWN)), [], text);
    }
  });

  test("with semicolons or tabs between, a comma is a decimal one", () => {
    for (const text of ["x;GELU\n-3;-0,00405\n1,5;1,399789", "-3;-0,00405\n1,5;1,399789;", "-3\t-0,00405\n1,5\t1,399789"]) {
      const pasted = readPasted(text, OWN);
      assert.deepEqual(
        pasted.xs.map((x, i) => [x, pasted.ys[i]]),
        [
          [-3, -0.00405],
          [1.5, 1.399789],
        ],
        text,
      );
      assert.deepEqual(reasonsOf(pasted), []);
    }
    assert.deepEqual(readPasted("-0,00404969\n-0,158655254\n0,1", OWN).ys, [-0.00404969, -0.158655254, 0.1]);
    assert.deepEqual(rowsOf(readPasted("1,2\n3,4", OWN)), [
      [1, 1, 2],
      [2, 3, 4],
    ]);
    // A point somewhere says that the comma is none.
    assert.deepEqual(rowsOf(readPasted("1.5,2;", OWN)), [[1, 1.5, 2]]);
  });

  test("is named where a row holds more numbers than two and no head says which count", () => {
    const pasted = readPasted("-3,-0,00405\n1,2\n1 2 3", OWN);
    assert.deepEqual(rowsOf(pasted), [[2, 1, 2]]);
    assert.deepEqual(reasonsOf(pasted), [
      [1, "manyFields", "-3 -0 00405"],
      [3, "manyFields", "1 2 3"],
    ]);
  });

  test("with a head takes the columns that it names", () => {
    for (const [text, want] of [
      ["x,y\n1,2", [[2, 1, 2]]],
      ["n,y,x\n9,2,1", [[2, 1, 2]]],
      ["# a comment\n\nx,other\n1,2", [[4, 1, 2]]],
      [
        "x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU\n-1.0\t-0.158655\t-0.158808\t1.53e-04\t+0.00",
        [[2, -1, -0.158655]],
      ],
      ["x\tGELU（精确）\tGELU（tanh 近似）\n1\t0.84\t0.85", [[2, 1, 0.84]]],
      [
        "y\n-0.004\n-0.158",
        [
          [2, -3, -0.004],
          [3, -1, -0.158],
        ],
      ],
      ["value,rank\n-0.004,1", [[2, -3, -0.004]]],
      ["a,b\n1,2", [[2, 1, 2]]],
    ]) {
      assert.deepEqual(rowsOf(readPasted(text, OWN)), want, text);
    }
  });

  test("of y alone belongs to the x of the table, line by line", () => {
    const values = [-0.004, -0.158, -0.154, 0, 0.345, 0.841, 2.995];
    for (const text of [
      values.join("\n"),
      values.join(" "),
      values.join(", "),
      `[${values.join(", ")}]`,
      `tensor([${values.slice(0, 4).join(", ")},\n        ${values.slice(4).join(", ")}])`,
      `array([${values.join(" ")}])`,
    ]) {
      const pasted = readPasted(text, OWN);
      assert.deepEqual(pasted.xs, OWN, text);
      assert.deepEqual(pasted.ys, values, text);
    }
    // A line that cannot be read uses up its x all the same.
    const pasted = readPasted("-0.004\noops\n-0.154\n0\n0\n0\n0\n7\n8", OWN);
    assert.deepEqual(rowsOf(pasted).slice(0, 2), [
      [1, -3, -0.004],
      [3, -0.5, -0.154],
    ]);
    assert.deepEqual(reasonsOf(pasted), [
      [2, "notANumber", "oops"],
      [8, "noX", "7"],
      [9, "noX", "8"],
    ]);
  });

  test("names the lines that it cannot read, and keeps the rest", () => {
    const pasted = readPasted("x,y\n1,2\n3\nabc,4\n5,<b>\n6,\n,7\n8,nan\n9,1e5", OWN);
    assert.deepEqual(rowsOf(pasted), [
      [2, 1, 2],
      [8, 8, Number.NaN],
      [9, 9, 1e5],
    ]);
    assert.deepEqual(reasonsOf(pasted), [
      [3, "noY", ""],
      [4, "notANumber", "abc"],
      [5, "notANumber", "<b>"],
      [6, "noY", ""],
      [7, "notANumber", ""],
    ]);
    for (const nothing of ["", "\n \n", "# only a comment", "[]"])
      assert.deepEqual(rowsOf(readPasted(nothing, OWN)), [], nothing);
  });

  test("of any length is read up to a limit, garbage included", () => {
    const long = readPasted("1,2\n".repeat(MOST_ROWS + 5), OWN);
    assert.equal(long.xs.length, MOST_ROWS);
    assert.deepEqual(reasonsOf(long), [[MOST_ROWS + 1, "tooMany", ""]]);
    const random = randomFrom(8);
    const characters = "0123456789.,;-+eE \n\tnaif[]()#xy\"'\u0000中";
    for (let i = 0; i < 3000; i++) {
      const text = Array.from({ length: random() * 60 }, () => characters[Math.floor(random() * characters.length)]).join("");
      const { xs, ys, lines, unread } = readPasted(text, OWN);
      assert.ok(xs.length === ys.length && ys.length === lines.length && Array.isArray(unread));
      assert.ok(
        [...xs, ...ys].every((value) => typeof value === "number"),
        JSON.stringify(text),
      );
    }
  });
});

describe("ULP", () => {
  test("of known numbers", () => {
    for (const [value, want] of [
      [1, 0],
      [0.99999, -1],
      [-2, 1],
      [1e-310, -1023],
      [0, -1023],
    ]) {
      assert.equal(exponentOf(value), want, value);
    }
    const { float64, float32, float16 } = FORMATS;
    assert.equal(ulpOf(1, float64), Number.EPSILON);
    assert.equal(ulpOf(-1.5, float64), Number.EPSILON);
    assert.equal(ulpOf(0, float64), 5e-324);
    assert.equal(ulpOf(2 ** -1022, float64), 5e-324);
    assert.equal(ulpOf(Number.MAX_VALUE, float64), 2 ** 971);
    assert.equal(ulpOf(1, float32), 2 ** -23);
    assert.equal(ulpOf(1e-45, float32), 2 ** -149);
    assert.equal(ulpOf(1, float16), 2 ** -10);
    assert.equal(ulpOf(65504, float16), 32);
    assert.equal(ulpOf(6e-8, float16), 2 ** -24);
  });

  test("counts the steps between two numbers of a binade", () => {
    const random = randomFrom(9);
    const value = new Float64Array(1);
    const view = new BigInt64Array(value.buffer);
    for (let i = 0; i < 5000; i++) {
      value[0] = (1 + random() / 2) * 2 ** (Math.floor(random() * 2000) - 1000);
      const reference = value[0];
      const steps = Math.floor(random() * 1e6);
      view[0] += BigInt(steps);
      assert.equal(ulpsApart(value[0], reference, FORMATS.float64), steps);
      assert.equal(ulpsApart(-value[0], -reference, FORMATS.float64), steps);
    }
  });

  test("of what is not finite", () => {
    const apart = (a, b) => ulpsApart(a, b, FORMATS.float32);
    const [nan, inf] = [Number.NaN, Number.POSITIVE_INFINITY];
    assert.deepEqual([apart(nan, nan), apart(inf, inf), apart(0, -0), apart(1, 1)], [0, 0, 0, 0]);
    for (const [a, b] of [
      [nan, 1],
      [1, nan],
      [inf, 1],
      [1, -inf],
      [inf, -inf],
      [nan, inf],
    ]) {
      assert.equal(apart(a, b), inf, `${a} and ${b}`);
    }
    assert.equal(ulpsApart(-Number.MAX_VALUE, Number.MAX_VALUE, FORMATS.float64), 2 * (2 ** 53 - 1));
  });
});

describe("the comparison", () => {
  const compared = (text, question = {}) =>
    compare(gelu, { fn: "gelu", order: 0, format: "float64", ...question }, readPasted(text, OWN));

  test("the reference vectors are at most 2 ULP away in float64, correctly rounded in float32", () => {
    for (const fn of ["gelu", "gelu_tanh", "gelu_sigmoid"]) {
      const vectors = readVectors(fn).filter(
        ({ order, parameters, x }) => order === 0 && parameters === null && !Number.isNaN(x),
      );
      const rows = compared(vectors.map(({ x, want }) => `${x},${want}`).join("\n"), { fn });
      assert.equal(rows.length, vectors.length);
      assert.ok(rows[0].ulp <= 2, `${fn}: ${rows[0].ulp} ULP at ${rows[0].x}`);
      const singles = vectors.filter(({ single }) => single !== null);
      const text = singles.map(({ x, single }) => `${x},${single}`).join("\n");
      assert.deepEqual(summarize(compared(text, { fn, format: "float32" })).same, singles.length, fn);
    }
  });

  test("float16: the nearest half of the true value, beyond 65504 infinity", () => {
    for (const { line, ...row } of compared("1,0.8413\n-5,-1.43e-6\n70000,inf\n65504,65504\n-1,-0.1587", { format: "float16" }))
      assert.equal(row.ulp, 0, `line ${line}: ${row.theirs}, ours ${row.ours}`);
    const [row] = compared("1,0.842", { format: "float16" });
    // 0.842 is 1724 · 2⁻¹¹, GELU(1) = 0.84134… is 1723 · 2⁻¹¹.
    assert.deepEqual([row.theirs, row.ours, row.ulp], [1724 / 2048, 1723 / 2048, 1]);
  });

  test("the textbook's ½x(1 + erf) in float32 is 4 % off at −5, and 0 left of −5.54", () => {
    const rows = compared(textbookExample(gelu), { format: "float32" });
    assert.equal(rows.length, 45);
    const at = Object.fromEntries(rows.map((row) => [row.x, row]));
    // 1 + erf is a multiple of 2⁻²⁴ there: 10 of them at −5, where 9.62 are right, and 1 at −5.5, where 0.64 are.
    assert.equal(at[-5].theirs, -2.5 * 10 * 2 ** -24);
    assert.ok(Math.abs(at[-5].relative - 0.03967) < 1e-4, at[-5].relative);
    assert.equal(at[-5.5].theirs, -2.75 * 2 ** -24);
    // GELU(−5.5) = −1.04442593562…e-7 lies in the binade of 2⁻²⁴, whose ULP is 2⁻⁴⁷.
    const right = Math.fround(-1.04442593562e-7);
    assert.equal(at[-5.5].ours, right);
    assert.equal(at[-5.5].ulp, (right + 2.75 * 2 ** -24) * 2 ** 47);
    for (const { x, theirs, relative } of rows.filter((row) => row.x < -5.54)) {
      assert.equal(Math.abs(theirs), 0, x);
      assert.equal(relative, 1);
    }
    assert.ok(at[1].ulp <= 1 && at[3].ulp <= 1);
  });

  test("the worst comes first: what is not finite, then by ULP, then by line", () => {
    const order = compared("0,0\n1,0.84\n2,nan\n3,3\n-1,inf\n0.5,0.345731230\n0.5,0.345731230", { format: "float32" });
    assert.deepEqual(order.map(({ line }) => line).slice(0, 3), [3, 5, 2]);
    assert.deepEqual(order.map(({ line }) => line).slice(-3), [1, 6, 7]);
    const { rows, worst, worstAt, within, same } = summarize(order);
    assert.deepEqual([rows, worst, worstAt], [7, Number.POSITIVE_INFINITY, 2]);
    assert.ok(within >= same && same >= 1);
    assert.deepEqual(summarize([]), { rows: 0, worst: Number.NaN, worstAt: Number.NaN, within: 0, same: 0 });
  });

  test("both numbers are taken in the format; a derivative is one", () => {
    const [row] = compared("0.1,0.05398278", { format: "float32" });
    assert.equal(row.x, Math.fround(0.1));
    assert.equal(row.theirs, Math.fround(0.05398278));
    const [slope] = compared("0,0.5", { order: 1 });
    assert.deepEqual([slope.ours, slope.ulp], [0.5, 0]);
    const [none] = compared("0,0");
    assert.deepEqual([none.absolute, none.relative, none.ulp], [0, 0, 0]);
    const [something] = compared("0,1e-300");
    assert.equal(something.relative, Number.POSITIVE_INFINITY);
  });

  test("10,000 lines take no time to speak of", () => {
    const text = Array.from({ length: 10000 }, (_, i) => `${i / 1000 - 5},0.5`).join("\n");
    const started = performance.now();
    assert.equal(compared(text, { format: "float32" }).length, 10000);
    assert.ok(performance.now() - started < 1000);
  });
});

describe("the table", () => {
  test("numbers are written as gelu-table prints them, ties and zeros included", () => {
    const xs = ["0.125", "0.375", "-0.125", "2.5e-7", "-1e-9", "0", "-40", "1e-7", "123456.789", "3", "-0.75179", "1000000"];
    const program = fileURLToPath(new URL("../../build/gelu-table", import.meta.url));
    const lines = execFileSync(program, ["--lang", "en", "--", ...xs], { encoding: "utf8" })
      .trimEnd()
      .split("\n")
      .slice(1);
    lines.forEach((line, i) => {
      const x = Float64Array.of(Number(xs[i]));
      const [exact, tanh, relu] = ["gelu", "gelu_tanh", "relu"].map((fn) => gelu.evaluate(fn, x)[0]);
      const ours = [signed(exact, 6), signed(tanh, 6), exponential(Math.abs(tanh - exact)), signed(relu, 2)];
      assert.deepEqual(
        ours.map((text) => text.replaceAll("−", "-")),
        line.split("\t").slice(1),
        xs[i],
      );
    });
  });

  test("a list of x keeps what are numbers, in bounds, and names the rest", () => {
    const bounds = { min: -1e6, max: 1e6, most: 4 };
    assert.deepEqual(readNumbers("1 −2;3,\n4；-0", { ...bounds, most: 9 }), {
      values: [1, -2, 3, 4, 0],
      wrong: [],
      outside: [],
      extra: 0,
    });
    assert.deepEqual(readNumbers("1 abc 2e6 inf 0x1 2", bounds), {
      values: [1, 2],
      wrong: ["abc", "inf", "0x1"],
      outside: ["2e6"],
      extra: 0,
    });
    assert.deepEqual(readNumbers("1 2 3 4 5 6", bounds), { values: [1, 2, 3, 4], wrong: [], outside: [], extra: 2 });
    assert.deepEqual(readNumbers("-0,5; 1,5", bounds).values, [-0.5, 1.5]);
    assert.deepEqual(readNumbers(" , ", bounds), { values: [], wrong: [], outside: [], extra: 0 });
  });
});
