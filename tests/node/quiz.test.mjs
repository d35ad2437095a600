/** What `judge` and `cards` are made of: the order of the statements, how an answer is read and checked, what the page asks. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { checkAnswer, readings } from "../../web/figures/cards.js";
import { shuffled, withMark } from "../../web/figures/judge.js";

const gelu = await loadGelu();
const html = await readFile(new URL("../../dist/site/index.html", import.meta.url), "utf8");
const english = [
  ...html.matchAll(/<div class="block" lang="en"><div class="cards"[\s\S]*?(?=<div class="block"|<\/figure>)/g),
].join("");

describe("the order of the statements", () => {
  test("holds every statement once, and a seed always gives the same", () => {
    for (const n of [1, 2, 29, 40]) {
      for (let seed = 1; seed <= 200; seed++) {
        const order = shuffled(gelu, seed, n);
        assert.deepEqual(
          [...order].sort((a, b) => a - b),
          Array.from({ length: n }, (_, i) => i),
        );
        assert.deepEqual(shuffled(gelu, seed, n), order);
      }
    }
  });

  test("is fair: over many seeds each statement comes as often in each place", () => {
    const [n, seeds] = [8, 4000];
    const counts = Array.from({ length: n }, () => new Array(n).fill(0));
    for (let seed = 1; seed <= seeds; seed++) {
      shuffled(gelu, seed, n).forEach((statement, place) => {
        counts[place][statement]++;
      });
    }
    const expected = seeds / n;
    const chiSquare = counts.flat().reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 49 degrees of freedom: mean 49, standard deviation 9.9; a place left out or a wrong range gives thousands.
    assert.ok(chiSquare < 49 + 5 * 9.9, String(chiSquare));
  });

  test("marks keep their places", () => {
    assert.equal(withMark("", 3, "t"), "---t");
    assert.equal(withMark("tft", 1, "t"), "ttt");
    assert.equal(withMark("---t", 0, "f"), "f--t");
  });
});

describe("a typed answer", () => {
  test("is read with either comma, either minus sign, any spaces, as a fraction", () => {
    for (const [text, want] of [
      ["0.5", [0.5]],
      [" ½ ", [1 / 2]],
      ["−0.17", [-0.17]],
      ["-0,17", [-0.17]],
      ["４２．５", [42.5]],
      ["4,722,432", [4722432]],
      ["4 722 432", [4722432]],
      ["4\u202f722\u202f432", [4722432]],
      ["2,048", [2048, 2.048]],
      ["10/127", [10 / 127]],
      ["−2/4", [-0.5]],
      ["4.7e6", [4.7e6]],
      ["abc", []],
      ["", []],
      ["1/2/3", []],
      ["/2", []],
      ["1/", []],
      ["<b>1</b>", []],
      ["Infinity", []],
      ["0x10", []],
      ["50 %", [0.5]],
      ["１０％", [0.1]],
      ["2,5%", [0.025]],
      ["4.73×10⁻⁴", [4.73e-4]],
      ["4.73 * 10^-4", [4.73e-4]],
      ["−1,2·10^3", [-1200]],
      ["10⁻³", [0.001]],
      ["-10^2", [-100]],
      ["1e-3", [0.001]],
      [".5", [0.5]],
      ["–0.17", [-0.17]],
      ["≈ 1.53", [1.53]],
      ["4’722’432", [4722432]],
      ["110^2", []],
      ["2^3", []],
      ["×10^2", []],
      ["%", []],
      ["1-3", []],
      ["10^", []],
      ["sqrt(2)", []],
    ])
      assert.deepEqual(readings(text), want, text);
  });

  test("is right within the tolerance and not a hair beyond", () => {
    const percent = { value: -0.17, tolerance: "1%" };
    const absolute = { value: -417.0286, tolerance: "1" };
    for (const [text, answer, want] of [
      ["-0.1717", percent, "answerRight"],
      ["-0.1683", percent, "answerRight"],
      ["-0.17171", percent, "answerLow"],
      ["-0.16829", percent, "answerHigh"],
      ["0.17", percent, "answerSign"],
      ["0", percent, "answerHigh"],
      ["", percent, "answerEmpty"],
      ["  ", percent, "answerEmpty"],
      ["a sixth", percent, "answerNotNumber"],
      ["0/0", percent, "answerNotNumber"],
      ["1/0", percent, "answerNotNumber"],
      ["−417", absolute, "answerRight"],
      ["−418.02", absolute, "answerRight"],
      ["−418.04", absolute, "answerLow"],
      ["2,048", { value: 2048, tolerance: "1%" }, "answerRight"],
      ["2.048", { value: 2048, tolerance: "1%" }, "answerLow"],
    ])
      assert.equal(checkAnswer(text, answer), want, `${text} for ${answer.value}`);
  });
});

describe("what the page asks", () => {
  const FORM =
    /<details class="card" data-answer="([^"]*)" data-tolerance="([^"]*)"(?: data-asked="[^"]*")?><summary>(.*?)<\/summary>/gs;
  /** The English cards that ask for a number. */
  const asked = () =>
    [...english.matchAll(FORM)].map(([, value, tolerance, summary]) => ({
      question: summary.replace(/<[^>]*>/g, ""),
      value: Number(value),
      tolerance,
    }));
  const count = (/** @type {RegExp} */ pattern) => (html.match(pattern) ?? []).length;

  test("is enough: statements both right and wrong, cards in three levels, the same in both languages", () => {
    for (const language of ["zh-CN", "en"]) {
      const lists = [
        ...html.matchAll(
          new RegExp(
            `<div class="block" lang="${language}"><div class="statements full" data-group="(true|false)">([\\s\\S]*?)</ol>`,
            "g",
          ),
        ),
      ];
      const number = Object.fromEntries(lists.map(([, group, list]) => [group, list.match(/<li class="statement">/g).length]));
      assert.ok(number.true >= 8 && number.true + number.false >= 20, JSON.stringify(number));
      for (const group of ["basic", "derive", "design"])
        assert.equal(
          count(new RegExp(`<div class="block" lang="${language}"><div class="cards" data-group="${group}">`, "g")),
          1,
        );
    }
    assert.ok(count(/<details class="card"/g) >= 48, "24 in each language");
  });

  test("of what the question may be taken to ask, only what it asks is right; digits as one would round them are", () => {
    /** Typed as a student would: right ones, and what is wrong although it stands near or in the question. */
    const typed = [
      [/slope of GELU at 0/, ["1/2", "½", "0,5", ".5", "50 %"], ["0", "1", "0.399", "-0.5"]],
      [/the minimum of GELU/, ["−0.17", "-.17", "−0,17", "–0.1700", "-17 %"], ["0.17", "−0.75", "-0.2", "-0.16"]],
      [/Derive the derivative of GELU/, ["1.08", "1.0833", "1.083"], ["1", "0.841", "1.24", "0.5"]],
      [/the largest slope of GELU/, ["1.13", "1.129", "1.1289"], ["1", "1.41", "1.4142", "1.1"]],
      [/How far apart are ReLU and GELU/, ["0.17", "17%"], ["0.75", "-0.17", "0.2"]],
      [/the mean of GELU/, ["0.28", "0.282", "0.2821"], ["0", "0.399", "0.25"]],
      [/initialisation gain suits GELU/, ["1.53", "1.534"], ["1.41", "2", "1.702", "2.35", "0.652"]],
      [/stands in for Φ/, ["1.7", "1.702", "1.7017"], ["1.596", "1.773", "1.6"]],
      [/a Taylor series/, ["0.0455", "0.046", "4.55 × 10⁻²", "4.55%"], ["0.044715", "0.0447", "0.04438", "−0.167", "0.4"]],
      [/In float16, how large/, ["40", "40.3", "4.03e1"], ["65504", "148", "256", "39"]],
      [/raise OverflowError/, ["-417", "−417.03", "–417"], ["417", "−709.8", "-415"]],
      [/BERT-base have/, ["4,722,432", "4 722 432", "4722432", "4.72e6", "4.72×10^6"], ["9437184", "2048", "4.7", "2359296"]],
      [/GEGLU and SwiGLU/, ["2048", "2,048", "2 048", "6144/3"], ["3072", "2.048", "768", "1024"]],
      [/int8/, ["0.079", "10/127", "0.0787", "0.08"], ["10/255", "0.17", "0.039", "1/127"]],
      [/CLIP’s weights/, ["0.0203", "0.02", "2.03 %", "2.03e-2"], ["0.00047", "2.27", "0.01", "0.003"]],
    ];
    const cards = asked();
    assert.equal(cards.length, typed.length);
    for (const { question, value, tolerance } of cards) {
      const [, right, wrong] = typed.find(([pattern]) => pattern.test(question));
      for (const text of right) assert.equal(checkAnswer(text, { value, tolerance }), "answerRight", `${question} ${text}`);
      for (const text of wrong) assert.notEqual(checkAnswer(text, { value, tolerance }), "answerRight", `${question} ${text}`);
    }
  });

  test("each number is what an independent computation gives, to all its digits", () => {
    /** Each by the words of its question; from closed forms, or to more digits than a double has. */
    const truths = [
      [/slope of GELU at 0/, 0.5],
      [/the minimum of GELU/, -0.1699712074799037],
      [/Derive the derivative of GELU/, 0.8413447460685429 + 0.24197072451914337],
      [/the largest slope of GELU/, 1.128904145185155],
      [/How far apart are ReLU and GELU/, 0.1699712074799037],
      [/the mean of GELU/, 1 / (2 * Math.sqrt(Math.PI))],
      [/initialisation gain suits GELU/, 1 / Math.sqrt(1 / 3 + 1 / (2 * Math.PI * Math.sqrt(3)))],
      [/stands in for Φ/, 1.702],
      [/a Taylor series/, 2 / (3 * Math.PI) - 1 / 6],
      [/In float16, how large/, 40.31091043949628],
      [/raise OverflowError/, -709.782712893384 / 1.702],
      [/BERT-base have/, 768 * 3072 * 2 + 3072 + 768],
      [/GEGLU and SwiGLU/, (8 * 768) / 3],
      [/int8/, 10 / 127],
      [/CLIP’s weights/, 0.0203348722092392],
    ];
    assert.equal(asked().length, truths.length);
    for (const { question, value, tolerance } of asked()) {
      const found = truths.filter(([pattern]) => pattern.test(question));
      assert.equal(found.length, 1, question);
      const [[, truth]] = found;
      assert.ok(Math.abs(value - truth) <= 1e-13 * Math.abs(truth), `${question} ${value}, want ${truth}`);
      assert.match(tolerance, /^\d+(\.\d+)?%?$/);
    }
  });
});
