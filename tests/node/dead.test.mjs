/** Figure `dead`: what it shows is what the trainer says, what it calls off has no gradient, and an address is a run. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { loadGelu } from "../../dist/lib/gelu.js";
import { createContext } from "../../web/components/figure.js";
import { readDigits } from "../../web/data/digits.js";
import { computeDead, computeRuns, drive } from "../../web/figures/dead/compute.js";
import { cameBack, findings, hardlyIn, offIn, silentIn, unitState } from "../../web/figures/dead/facts.js";
import { createRun, inputsOf, levelOf } from "../../web/figures/dead/going.js";
import { isSilent, scheduleOf, UNITS } from "../../web/figures/dead/run.js";
import { dead } from "../../web/figures/dead.js";
import { figures } from "../../web/figures/index.js";
import "../../web/i18n/pressed.js";
import { createTable, parse } from "../../web/state.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const gelu = await loadGelu();
const digits = readDigits(new Uint8Array(inflateRawSync(await readFile(`${ROOT}web/data/digits.deflate`))));
const table = createTable(gelu.catalogue, figures);
const stateOf = (query) => parse(table, query);
const inputs = inputsOf(digits);
const story = JSON.parse(JSON.stringify(computeDead(gelu, digits)));

const contextOf = (query, { data = story, language = "en" } = {}) =>
  createContext({ gelu, state: stateOf(query), variant: "", width: 664, height: 400, density: 1, language, data });

const runOf = (data, fn) => data.runs.find((run) => run.fn === fn);

/** A trainer as the figure has it, driven by hand. */
function trainerFor(fn, options = {}) {
  const network = { d: 32, hidden: 32, blocks: 1, batch: 32, layerNorm: false, residual: false, optimizer: "adamw", seed: 1 };
  return gelu.createTrainer({ ...digits, ...network, learningRate: 0.005, activation: fn, ...options });
}

describe("what is shown", () => {
  for (const fn of ["relu", "gelu", "leaky_relu"]) {
    test(`${fn}: the shares are the counts of the trainer, before and after the push`, () => {
      const trainer = trainerFor(fn);
      const run = runOf(story, fn);
      const compare = (moment, epoch) => {
        const units = trainer.units({ example: inputs[3].example });
        const count = (array) => array.reduce((sum, value) => sum + value, 0);
        assert.equal(offIn(moment), count(units.offForSet), `${fn} off, epoch ${epoch}`);
        assert.equal(silentIn(moment, 3), count(units.offForExample), `${fn} off for the input, epoch ${epoch}`);
        assert.equal(hardlyIn(moment), units.slope.filter((slope) => slope > 0 && slope <= 0.01).length);
        for (let unit = 0; unit < UNITS; unit++) {
          assert.equal(isSilent(moment, 3, unit), units.offForExample[unit] === 1);
          const state = unitState(moment, 3, unit);
          assert.equal(state === "off", units.offForSet[unit] === 1);
          if (state === "on") assert.notEqual(units.slopeForExample[unit], 0);
        }
      };
      compare(run.moments[0], 0);
      for (let epoch = 1; epoch <= 8; epoch++) {
        const { validationAccuracy, offForSet } = trainer.epoch();
        if (epoch === 4) {
          compare(run.before[4], "4, before");
          trainer.shiftBiases(-4);
        } else {
          assert.equal(offIn(run.moments[epoch]) / UNITS, offForSet);
          assert.equal(run.moments[epoch].right / 360, validationAccuracy);
        }
        compare(run.moments[epoch], epoch);
      }
      trainer.free();
    });
  }

  test("readout, cursor, table and plot say the same", () => {
    const context = contextOf("dead.epoch=4");
    for (const { fn, value, text } of dead.readouts(context)) {
      const off = offIn(runOf(story, fn).moments[4]);
      assert.equal(value, off / UNITS);
      assert.match(text, /%$/);
      assert.equal(dead.cursorPoints(context).find((point) => point.fn === fn).y, (100 * off) / UNITS);
      const { xs, columns } = dead.table(context);
      assert.equal(columns.find((column) => column.fn === fn).values[xs.indexOf(4)], off / UNITS);
      const { x, y } = dead.scene(context).curves.find((curve) => curve.fn === fn);
      const at4 = [...x].flatMap((epoch, i) => (epoch === 4 ? [y[i]] : []));
      assert.deepEqual(at4, [(100 * offIn(runOf(story, fn).before[4])) / UNITS, (100 * off) / UNITS]);
    }
  });

  test("what is not computed is not read out", () => {
    assert.deepEqual(dead.readouts(contextOf("dead.epoch=40")), []);
    const nothing = { runs: [], schedule: scheduleOf(stateOf("")), inputs: story.inputs, isComputedHere: true };
    assert.deepEqual(dead.readouts(contextOf("", { data: nothing })), []);
    assert.deepEqual(dead.scene(contextOf("", { data: nothing })).curves, []);
    assert.deepEqual(findings(contextOf("", { data: nothing })), []);
  });

  test("levels: exactly 0, decades, above the threshold", () => {
    const wanted = [
      [0, 0],
      [Math.fround(1e-45), 1],
      [5e-9, 2],
      [0.0005, 7],
      [0.005, 8],
      [Math.fround(0.01), 8],
      [0.0101, 9],
      [1, 9],
    ];
    for (const [slope, level] of wanted) assert.equal(levelOf(slope), level, String(slope));
  });

  test("the inputs are the first training examples of their digits", () => {
    inputs.forEach(({ digit, example, pixels }, i) => {
      assert.equal(digit, i);
      assert.equal(digits.y[example], digit);
      assert.ok(!digits.y.slice(0, example).includes(digit));
      [...pixels].forEach((letter, pixel) => {
        assert.equal((letter.charCodeAt(0) - 97) / 16, digits.x[64 * example + pixel]);
      });
    });
  });
});

describe("off means no gradient", () => {
  test("createFfn: a unit that is off for every input has no gradient for its own weights; the others have", () => {
    const [d, hidden, tokens] = [8, 16, 200];
    const source = gelu.random(5);
    const normal = (n, scale = 1) => Float32Array.from(source.normal(n), (value) => value * scale);
    // Half of the biases far down.
    const b1 = Float32Array.from({ length: hidden }, (_, unit) => (unit % 2 === 0 ? -40 : 0));
    const weights = { w1: normal(d * hidden, 1 / 3), b1, w2: normal(hidden * d, 1 / 4) };
    const ffn = gelu.createFfn({ d, hidden, activation: "relu", weights });
    ffn.forward(normal(tokens * d), tokens);
    const slopes = gelu.evaluate("relu", ffn.preActivations, { order: 1 });
    ffn.backward(normal(tokens * d));
    const { w1, b1: gradient } = ffn.gradients;
    for (let unit = 0; unit < hidden; unit++) {
      const isOff = Array.from({ length: tokens }, (_, token) => slopes[token * hidden + unit]).every((slope) => slope === 0);
      assert.equal(isOff, unit % 2 === 0);
      const own = [gradient[unit], ...Array.from({ length: d }, (_, i) => w1[i * hidden + unit])];
      assert.ok(isOff ? own.every((value) => value === 0) : own.every((value) => value !== 0), `unit ${unit}: ${own}`);
    }
    ffn.free();
    source.free();
  });

  test("trainer: with all units off and no residual path nothing moves them any more", () => {
    const trainer = trainerFor("relu", { optimizer: "sgd", learningRate: 0.05, momentum: 0, weightDecay: 0 });
    trainer.epoch();
    trainer.shiftBiases(-30);
    const { largest, offForSet } = trainer.units();
    assert.ok(offForSet.every((off) => off === 1));
    for (let epoch = 0; epoch < 3; epoch++) trainer.epoch();
    assert.deepEqual(trainer.units().largest, largest);
    trainer.free();
  });

  test("and a unit that has come back has a slope again", () => {
    const { moments, before } = runOf(story, "relu");
    const { turned, back } = cameBack({ moments, before }, 4);
    assert.ok(turned >= back && back > 0);
    const last = moments.at(-1).levels;
    const revived = [...moments[4].levels].filter((level, unit) => level === "0" && last[unit] === "9");
    assert.ok(revived.length >= back);
  });
});

describe("the run that stands there first", () => {
  test("shows its point: ReLU's units go off and some come back; GELU's are never exactly off, but some hardly learn", () => {
    const relu = runOf(story, "relu");
    const { turned, back } = cameBack(relu, 4);
    console.log(`relu: ${turned} turned off, ${back} back; off at the end ${offIn(relu.moments.at(-1))} of ${UNITS}`);
    assert.ok(turned >= 10);
    assert.ok(back >= 3 && back < turned);
    const { moments } = runOf(story, "gelu");
    assert.ok(moments.every((moment) => offIn(moment) === 0));
    assert.ok(hardlyIn(moments.at(-1)) > 0);
  });

  test("is what the page computes from the same state", () => {
    const again = computeRuns(gelu, digits, stateOf(""), ["relu", "gelu"]);
    for (const { fn, moments, before } of again) {
      const kept = runOf(story, fn);
      moments.forEach(({ levels, silent, right }, epoch) => {
        const { loss, ...rest } = kept.moments[epoch];
        assert.deepEqual(rest, { levels, silent, right });
        assert.ok(Math.abs(loss / moments[epoch].loss - 1) < 0.006);
      });
      assert.equal(kept.before[4].levels, before[4].levels);
      assert.ok(moments.every(({ slopes, levels }) => slopes.every((slope, unit) => (slope === 0) === (levels[unit] === "0"))));
    }
  });
});

describe("a run of one's own", () => {
  test("an address gives the run that led to it, bit for bit", () => {
    const query = (trained, pushes, rates) =>
      `dead.run=own&dead.trained=${trained}&dead.pushes=${pushes}&dead.rates=${rates}&dead.fns=relu`;
    const going = createRun("relu", digits, inputs);
    const trainer = trainerFor("relu");
    const steps = [
      query(2, "", "0,0.005"),
      query(2, "2,3", "0,0.005"),
      query(3, "2,3", "0,0.005"),
      query(3, "2,3,3,0.5", "0,0.005,3,0.02"),
      query(5, "2,3,3,0.5", "0,0.005,3,0.02"),
    ].map((each) => scheduleOf(stateOf(each)));
    for (const schedule of steps) {
      assert.ok(going.isPartOf(schedule));
      drive(going, trainer, schedule);
    }
    const [replayed] = computeRuns(gelu, digits, stateOf(query(5, "2,3,3,0.5", "0,0.005,3,0.02")), ["relu"]);
    assert.deepEqual(going.run, replayed);
    // Of another past it is not the beginning.
    for (const other of [
      query(5, "2,3,3,0.6", "0,0.005,3,0.02"),
      query(5, "3,0.5", "0,0.005,3,0.02"),
      query(5, "2,3,3,0.5", "0,0.005"),
      query(4, "2,3,3,0.5", "0,0.005,3,0.02"),
      query(6, "2,3,3,0.5,4,1", "0,0.005,3,0.02"),
    ]) {
      assert.ok(!going.isPartOf(scheduleOf(stateOf(other))), other);
    }
    trainer.free();
  });

  test("whatever stands in the address is a schedule", () => {
    const odd = scheduleOf(stateOf("dead.run=own&dead.trained=7.4&dead.pushes=9,1,3,2,5&dead.rates=4,0.1"));
    assert.deepEqual(odd, {
      isOwn: true,
      length: 7,
      pushes: [[3, 2]],
      rates: [
        [0, 0.005],
        [4, 0.1],
      ],
    });
    assert.deepEqual(scheduleOf(stateOf("dead.delta=0")).pushes, []);
    assert.deepEqual(scheduleOf(stateOf("dead.run=own&dead.pushes=abc&dead.rates=%3Cb%3E")).rates, [[0, 0.005]]);
  });

  test("what overflows only where the whole set is looked at stops it in that epoch, with the accuracy of none", () => {
    const state = stateOf("dead.run=own&dead.trained=3&dead.optimizer=sgd&dead.network=block&dead.rates=0,0.005,2,0.7");
    const [{ moments, failedAt }] = computeRuns(gelu, digits, state, ["tanh"]);
    assert.equal(failedAt, 3 * Math.ceil(digits.y.length / 32));
    assert.equal(moments.length, 3);
  });

  test("who has stopped is not counted at an epoch that it has not reached", () => {
    const moment = (levels) => ({ levels: levels.padEnd(UNITS, "9"), silent: "", right: 300, loss: 1 });
    const runs = [
      { fn: "relu", moments: Array(3).fill(moment("1")), before: {}, failedAt: null },
      { fn: "elu", moments: [moment("11")], before: {}, failedAt: 7 },
    ];
    const data = { runs, schedule: { isOwn: true, length: 2, pushes: [], rates: [[0, 0.1]] }, inputs, isComputedHere: true };
    const text = findings(contextOf("", { data })).map((part) => part.text ?? part);
    assert.match(text.join(""), /ELU stopped at step 7.*Hardly learning at epoch 2: ReLU 1\. $/);
  });

  test("numbers that overflow stop it: the function and the step are named, what was finite stays", () => {
    const state = stateOf("dead.delta=0&dead.rate=0.5&dead.optimizer=sgd");
    const runs = computeRuns(gelu, digits, state, ["relu", "sigmoid"]);
    const relu = runOf({ runs }, "relu");
    assert.ok(relu.failedAt > 0, "SGD at 0.5 should overflow with ReLU");
    assert.ok(relu.moments.length >= 1 && relu.moments.every(({ loss }) => Number.isFinite(loss)));
    const data = { runs, schedule: scheduleOf(state), inputs, isComputedHere: true };
    for (const [language, words] of [
      ["en", `ReLU stopped at step ${relu.failedAt}:`],
      ["zh", `ReLU 在第 ${relu.failedAt} 步停下`],
    ]) {
      const said = findings(contextOf("", { data, language }));
      const text = said.map((part) => (typeof part === "string" ? part : part.text)).join("");
      assert.ok(text.includes(words), text);
    }
  });
});

describe("sentences", () => {
  const textOf = (query, options) =>
    findings(contextOf(query, options))
      .map((part) => (typeof part === "string" ? part : part.text))
      .join("");

  test("say what the numbers say, in both languages", () => {
    const { turned, back } = cameBack(runOf(story, "relu"), 4);
    const hardly = hardlyIn(runOf(story, "gelu").moments.at(-1));
    const english = textOf("");
    assert.ok(english.includes(`ReLU ${back} of ${turned}`), english);
    assert.ok(english.includes(`GELU ${hardly}`), english);
    const chinese = textOf("", { language: "zh" });
    assert.ok(chinese.includes(`ReLU ${back} 个（共 ${turned} 个）`), chinese);
    assert.ok(chinese.includes(`GELU ${hardly}`), chinese);
    for (const text of [english, chinese]) assert.doesNotMatch(text, /NaN|undefined|\{|\}/);
  });

  test("have no verdict of their own: other numbers, another sentence", () => {
    const moment = (levels, right = 300) => ({ levels: levels.padEnd(UNITS, "9"), silent: "", right, loss: 1 });
    const schedule = { isOwn: false, length: 24, pushes: [[1, 2]], rates: [[0, 0.005]] };
    const data = {
      runs: [
        { fn: "gelu", moments: [moment(""), moment("000"), moment("000")], before: { 1: moment("") }, failedAt: null },
        { fn: "relu", moments: [moment(""), moment(""), moment("7")], before: { 1: moment("") }, failedAt: null },
      ],
      schedule,
      inputs: story.inputs,
      isComputedHere: true,
    };
    assert.equal(
      textOf("", { data }),
      "Of the units that this push turned off for the whole set, no longer off at epoch 2: GELU 0 of 3. Hardly learning at epoch 2: ReLU 1. ",
    );
    const quiet = { ...data, runs: data.runs.slice(1), schedule };
    assert.match(textOf("", { data: quiet }), /^This push turned no unit off/);
  });
});
