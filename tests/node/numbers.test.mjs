/** web/components/numbers.js: numbers as the page writes and reads them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decimalsOf, fixed, parseNumber, percent, powerOfTen, readable, scientific } from "../../web/components/numbers.js";

/** @param {(...args: any[]) => any} f @param {[any, any][]} rows arguments, result */
function rows(f, rows) {
  for (const [args, want] of rows) {
    const list = Array.isArray(args) ? args : [args];
    assert.equal(f(...list), want, `${f.name}(${list.map((value) => (Object.is(value, -0) ? "-0" : value)).join(", ")})`);
  }
}

test("fixed decimals, with a real minus sign and no −0", () => {
  rows(fixed, [
    [1.5, "1.5000"],
    [-1.5, "−1.5000"],
    [[-1.005, 2], "−1.00"],
    [0, "0.0000"],
    [-0, "0.0000"],
    [[-0.00001, 4], "0.0000"],
    [[-0.004, 2], "0.00"],
    [[-0.5, 0], "−1"],
    [[-0.4, 0], "0"],
    [[12345.678, 1], "12345.7"],
    [-0.0040496940948902, "−0.0040"],
    [Number.NaN, "—"],
    [Number.POSITIVE_INFINITY, "∞"],
    [Number.NEGATIVE_INFINITY, "−∞"],
  ]);
});

test("powers of ten", () => {
  rows(scientific, [
    [4.7323552e-4, "4.73 × 10⁻⁴"],
    [-1.2668496733e-4, "−1.27 × 10⁻⁴"],
    [[-1.2668496733e-4, 5], "−1.2668 × 10⁻⁴"],
    [1.23e12, "1.23 × 10¹²"],
    [1, "1.00 × 10⁰"],
    [9.999e-5, "1.00 × 10⁻⁴"],
    [5e-324, "4.94 × 10⁻³²⁴"],
    [0, "0"],
    [-0, "0"],
    [Number.NaN, "—"],
    [Number.NEGATIVE_INFINITY, "−∞"],
  ]);
  rows(powerOfTen, [
    [0, "1"],
    [-8, "10⁻⁸"],
    [12, "10¹²"],
    [-345, "10⁻³⁴⁵"],
    [6, "10⁶"],
    [79, "10⁷⁹"],
  ]);
});

test("readable: decimals where they say something", () => {
  rows(readable, [
    [0.84134474, "0.8413"],
    [-0.0455, "−0.0455"],
    [0.001, "0.0010"],
    [0.00099, "9.900 × 10⁻⁴"],
    [-1.0444259e-7, "−1.044 × 10⁻⁷"],
    [0, "0.0000"],
    [-0, "0.0000"],
    [99999, "99999.0000"],
    [1e5, "1.000 × 10⁵"],
    [Number.NaN, "—"],
    [Number.POSITIVE_INFINITY, "∞"],
  ]);
});

test("percentages", () => {
  rows(percent, [
    [0.1586552539, "15.9\u202f%"],
    [0.0227501319, "2.28\u202f%"],
    [1, "100.0\u202f%"],
    [0, "0.00\u202f%"],
    [-0, "0.00\u202f%"],
    [-0.45, "−45.0\u202f%"],
    [33.8478, "3384.8\u202f%"],
    [3.1671e-5, "3.17 × 10⁻³\u202f%"],
    [1e5, "1.00 × 10⁷\u202f%"],
    [Number.NaN, "—"],
    [Number.POSITIVE_INFINITY, "∞"],
  ]);
});

test("decimals of a step", () => {
  rows(decimalsOf, [
    [1, 0],
    [20, 0],
    [0.5, 1],
    [0.25, 2],
    [0.001, 3],
    [0.00025, 5],
    [0.1 + 0.2, 1],
    [1 / 3, 12],
  ]);
});

test("typed numbers", () => {
  rows(parseNumber, [
    ["-1.5", -1.5],
    ["−1.5", -1.5],
    ["−1,5", -1.5],
    [" 2 ", 2],
    ["+3", 3],
    ["0,25", 0.25],
    [".5", 0.5],
    ["5.", 5],
    ["1e-3", 0.001],
    ["2E1", 20],
    ["1e−3", 0.001],
    ["−1e−3", -0.001],
    ["", null],
    [" ", null],
    ["-", null],
    [".", null],
    [",", null],
    ["1,2,3", null],
    ["1.2.3", null],
    ["--1", null],
    ["−−1", null],
    ["1 2", null],
    ["abc", null],
    ["0x10", null],
    ["1_0", null],
    ["NaN", null],
    ["Infinity", null],
    ["1e", null],
    ["<b>1</b>", null],
  ]);
  // Not a number that a control could take: the caller's bounds refuse it.
  assert.equal(parseNumber("1e999"), Number.POSITIVE_INFINITY);
});

test("what is written is read back", () => {
  for (let i = -5000; i <= 5000; i++) {
    const value = i / 100;
    assert.equal(parseNumber(fixed(value, 2)), value + 0);
  }
});
