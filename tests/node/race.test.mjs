/** Figure `race` as numbers: the run that the build makes, what a state may show of it, and the words about it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { loadGelu } from "../../dist/lib/gelu.js";
import { computeFigures } from "../../web/build/compute.mjs";
import { createContext } from "../../web/components/figure.js";
import { readDigits } from "../../web/data/digits.js";
import { figures } from "../../web/figures/index.js";
import { packLoss } from "../../web/figures/race/compute.js";
import {
  bandOf,
  checkOf,
  curvesOf,
  DEFAULTS,
  frontOf,
  isSameRun,
  LOSS_PARTS,
  networkOf,
  outcomeOf,
  planOf,
} from "../../web/figures/race/numbers.js";
import { boundsOf, smallScene } from "../../web/figures/race/small.js";
import { createRun } from "../../web/figures/race/training.js";
import { outcomeSentences } from "../../web/figures/race/words.js";
import { race } from "../../web/figures/race.js";
import { createHost } from "../../web/host.js";
import "../../web/i18n/pressed.js";
import { createTable, parse } from "../../web/state.js";

const gelu = await loadGelu();
const digits = readDigits(inflateRawSync(await readFile(new URL("../../web/data/digits.deflate", import.meta.url))));
const table = createTable(gelu.catalogue, figures);
const packed = (await computeFigures(gelu)).race;
const stateOf = (query = "") => parse(table, query);
const contextOf = (query = "", data = packed, language = /** @type {const} */ ("en")) =>
  createContext({ gelu, state: stateOf(query), variant: "", width: 664, height: 500, density: 1, language, data });

/** The reader's own run, as the page makes it. */
async function runHere(query = "") {
  const host = createHost(gelu);
  const remote = {
    isLocal: false,
    end() {},
    /** @type {any} */
    call: async (object, method, ...args) => host({ object, method, args }),
  };
  const state = stateOf(query);
  const run = createRun(
    { network: networkOf(state), digits, remotes: [remote], changed() {}, fail: assert.fail },
    planOf(gelu, state),
  );
  run.go(Number.POSITIVE_INFINITY);
  do await new Promise((resolve) => setTimeout(resolve, 5));
  while (!run.isIdle());
  return run;
}

describe("the run that the build makes", () => {
  test("is, bit for bit, what the reader's own run gives", { timeout: 120_000 }, async () => {
    const run = await runHere();
    const own = run.curves();
    assert.equal(checkOf(own.flatMap(({ seeds }) => seeds.map((epochs) => ({ epochs })))), packed.check);
    assert.equal(isSameRun(packed, own, { gelu, state: stateOf() }), true);
    // Rounded for the way, but so that every number shown is the same.
    for (const [i, { seeds }] of curvesOf(contextOf()).entries()) {
      for (const [k, epochs] of seeds.entries()) {
        assert.equal(epochs.length, DEFAULTS.limit + 1);
        epochs.forEach((shown, epoch) => {
          const exact = own[i].seeds[k][epoch];
          for (const name of /** @type {const} */ (["trainLoss", "validationLoss"])) {
            assert.equal(shown[name].toFixed(4), exact[name].toFixed(4));
            assert.ok(Math.abs(shown[name] - exact[name]) <= 1.5e-5);
          }
          for (const name of /** @type {const} */ (["trainAccuracy", "validationAccuracy", "offForSet"]))
            assert.ok(Math.abs(shown[name] - exact[name]) < 1e-12, name);
        });
      }
    }
    // And every sentence, though losses may lie close together.
    for (const quantity of /** @type {const} */ (["trainLoss", "validationLoss"])) {
      for (let epoch = 0; epoch <= DEFAULTS.limit; epoch++) {
        const [shown, exact] = [curvesOf(contextOf()), own].map((curves) =>
          outcomeSentences(curves, quantity, epoch, { patience: 0, language: "en" }).map((parts) =>
            parts.map((part) => (typeof part === "string" ? part : "fn" in part ? part.fn : part.text)).join(""),
          ),
        );
        assert.deepEqual(shown, exact, `${quantity}, epoch ${epoch}`);
      }
    }
    // A single bit somewhere is another run.
    own[2].seeds[3][7].validationLoss *= 1 + 2 ** -52;
    assert.equal(isSameRun(packed, own, { gelu, state: stateOf() }), false);
    // Of another run nothing is said.
    const other = own.map((curve) => (curve.fn === "silu" ? { ...curve, params: { beta: 2 } } : curve));
    for (const [curves, query] of /** @type {const} */ ([
      [other, ""],
      [own.slice(1), ""],
      [own, "race.batch=32"],
      [own.map((curve) => ({ ...curve, last: 19 })), ""],
    ]))
      assert.equal(isSameRun(packed, curves, { gelu, state: stateOf(query) }), null);
    run.end();
  });

  test("learns: every function, with every seed, gets above 95 % of the validation set right", () => {
    for (const curve of curvesOf(contextOf())) assert.ok(bandOf(curve, "validationAccuracy", 20).low > 0.95, curve.fn);
  });

  test("rounds losses so that their four decimals stay", () => {
    for (const loss of [0, 2.31, 0.055649999, 0.05565, 0.05564951, 0.00004999, 0.00005, 12.34565001]) {
      assert.equal((packLoss(loss) / LOSS_PARTS).toFixed(4), loss.toFixed(4), String(loss));
      assert.ok(Math.abs(packLoss(loss) / LOSS_PARTS - loss) <= 1.5 / LOSS_PARTS);
    }
  });
});

describe("what a state may show of it", () => {
  const lasts = (/** @type {string} */ query) => curvesOf(contextOf(query)).map(({ last }) => last);

  test("fewer functions, seeds and epochs, a stop, and a limit further away", () => {
    assert.deepEqual(lasts(""), [20, 20, 20, 20]);
    assert.deepEqual(lasts("race.fns=gelu,silu&race.seeds=3&race.limit=7"), [7, 7]);
    assert.deepEqual(lasts("race.limit=40"), [20, 20, 20, 20]);
    assert.equal(frontOf(curvesOf(contextOf("race.limit=40"))), 20);
    assert.ok(lasts("race.patience=3").some((last) => last < 20));
    assert.deepEqual(
      curvesOf(contextOf("race.seeds=1")).map(({ seeds }) => seeds.length),
      [1, 1, 1, 1],
    );
  });

  test("nothing under settings that it did not have", () => {
    for (const query of [
      ...["learningRate=0.0031", "hidden=128", "blocks=2", "layerNorm=off", "residual=off", "optimizer=sgd", "batch=32"],
      "initGain=2",
    ]) {
      assert.deepEqual(lasts(`race.${query}`), [-1, -1, -1, -1], query);
      assert.deepEqual(race.readouts(contextOf(`race.${query}`)), []);
      assert.deepEqual(race.scene(contextOf(`race.${query}`)).curves, []);
    }
    assert.deepEqual(lasts("silu.beta=2"), [20, 20, 20, -1]);
    assert.deepEqual(lasts("race.fns=gelu,tanh"), [20, -1]);
    assert.deepEqual(lasts("gelu_tanh.cubic=0.05"), [20, 20, 20, 20]);
  });

  test("at most four functions, whole numbers, bounds", () => {
    const state = stateOf("race.fns=gelu,gelu_tanh,relu,sigmoid,tanh,silu&race.hidden=37.6&race.limit=900&race.epoch=3.4");
    assert.deepEqual(state["race.fns"], ["gelu", "gelu_tanh", "relu", "sigmoid"]);
    assert.deepEqual([state["race.hidden"], state["race.limit"], state["race.epoch"]], [38, 50, 3]);
  });

  test("the readouts are those of the epoch under the cursor", () => {
    const [first] = race.readouts(contextOf("race.epoch=4"));
    const curve = curvesOf(contextOf())[0];
    assert.equal(first.value, bandOf(curve, "validationLoss", 4).middle);
    assert.deepEqual(race.readouts(contextOf("race.epoch=30&race.limit=40")), []);
    const training = race.readouts(contextOf("race.epoch=4&race.shown=training"))[0];
    assert.equal(training.value, bandOf(curve, "trainLoss", 4).middle);
  });

  test("the file has a row for every function, seed and epoch", () => {
    const [head, ...rows] = race.rows?.(contextOf()) ?? [];
    assert.equal(rows.length, 4 * 5 * 21);
    assert.ok(rows.every((row) => row.length === head.length));
    assert.deepEqual(rows[21 * 5].slice(0, 4), ["relu", "{}", 1, 0]);
  });

  test("the small plots hold every median, and the same axis for all", () => {
    const curves = curvesOf(contextOf());
    assert.deepEqual(boundsOf(curves, "offForSet"), [0, 1 / 8]);
    const [low, high] = boundsOf(curves, "validationAccuracy");
    assert.ok(low >= 0.5 && high === 1);
    const look = { limit: 20, width: 220, units: 256 };
    const scenes = curves.map((_, i) => smallScene(curves, i, "validationAccuracy", look).scene);
    assert.equal(new Set(scenes.map(({ y }) => JSON.stringify(y))).size, 1);
  });
});

/** A curve whose seeds have these losses in their last epoch, all before being 1. */
const curve = (/** @type {string} */ fn, /** @type {number[]} */ losses, /** @type {number} */ off = 0) => ({
  ...{ fn, params: {}, last: 1, end: /** @type {const} */ ({ kind: "limit" }) },
  seeds: losses.map((loss) =>
    [1, loss].map((validationLoss) => ({
      ...{ validationLoss, trainLoss: validationLoss, trainAccuracy: 1, validationAccuracy: 1 - loss / 10 },
      ...{ offForSet: off, offForBatch: off, gradientNorm: [], stepMs: 1 },
    })),
  ),
});

describe("what came out", () => {
  const plain = (/** @type {any[][]} */ sentences) =>
    sentences.map((parts) => parts.map((part) => (typeof part === "string" ? part : (part.fn ?? part.text))).join(""));
  const told = (/** @type {any[]} */ curves, /** @type {"zh" | "en"} */ language = "en", epoch = 1) =>
    plain(outcomeSentences(curves, "validationLoss", epoch, { patience: 5, language }));

  test("ranks by the median, and looks whose bands meet that of the best", () => {
    const outcome = outcomeOf(
      [curve("gelu", [0.2, 0.3, 0.4]), curve("relu", [0.1, 0.25, 0.5]), curve("sigmoid", [0.6, 0.7, 0.8])],
      "validationLoss",
      1,
    );
    assert.deepEqual(
      outcome?.ranked.map(({ fn }) => fn),
      ["relu", "gelu", "sigmoid"],
    );
    assert.deepEqual(
      [outcome?.overlapping, outcome?.apart].map((list) => list?.map(({ fn }) => fn)),
      [["gelu"], ["sigmoid"]],
    );
    assert.deepEqual(
      [...(outcome?.wins ?? [])],
      [
        ["relu", 2],
        ["gelu", 1],
        ["sigmoid", 0],
      ],
    );
    // Bands that only touch overlap.
    assert.equal(
      outcomeOf([curve("gelu", [0.1, 0.2, 0.3]), curve("relu", [0.3, 0.4, 0.5])], "validationLoss", 1)?.apart.length,
      0,
    );
  });

  test("the words follow the numbers, in both languages", () => {
    const curves = [curve("gelu", [0.2, 0.3, 0.4]), curve("relu", [0.1, 0.25, 0.5], 0.5), curve("sigmoid", [0.6, 0.7, 0.8])];
    const en = told(curves);
    assert.match(
      en[0],
      /^Epoch 1, medians of 3 seeds: relu \(0\.2500\) has the lowest validation loss, then gelu .* and sigmoid/,
    );
    assert.match(en[1], /^The band of gelu overlaps/);
    assert.match(en[2], /^The band of sigmoid lies wholly above/);
    assert.match(en[3], /relu with 2 and gelu with 1\.$/);
    assert.match(en.join(" "), /Units off for the whole training set: relu 50\.0/);
    const zh = told(curves, "zh");
    assert.equal(zh.length, en.length);
    assert.match(zh[0], /验证损失最低的是 relu（0\.2500），依次是 gelu（0\.3000）、sigmoid/);
    // Other numbers, other words.
    const other = told([curves[2], curve("silu", [0.01, 0.02, 0.03])]);
    assert.match(other[0], /silu \(0\.0200\) has the lowest/);
    assert.ok(!other.join(" ").includes("overlap"));
    assert.match(other.join(" "), /No unit is off/);
  });

  test("one seed is told to be one, one function has no rank, nothing computed has no words", () => {
    assert.match(told([curve("gelu", [0.2]), curve("relu", [0.1])]).join(" "), /one seed alone.*merit from luck/);
    assert.ok(
      !told([curve("gelu", [0.1, 0.2, 0.3])])
        .join(" ")
        .includes("overlap"),
    );
    assert.deepEqual(told([curve("gelu", [0.1])], "en", 2), []);
    assert.match(told([curve("gelu", [0.1])], "en", 0).join(" "), /before the first step/);
  });

  test("who has not come so far is named, and nobody is left of a race that still goes on", () => {
    const late = { ...curve("relu", [0.1]), last: 0, end: null };
    const words = told([curve("gelu", [0.2]), late]).join(" ");
    assert.match(words, /validation loss of gelu \(0\.2000\)\. Not there yet: relu\./);
    assert.ok(!words.includes("left"));
    assert.match(told([curve("gelu", [0.2])]).join(" "), /validation loss of gelu/);
  });

  test("functions that come out the same share what there is to win; small losses are not 0", () => {
    const same = [curve("relu", [0.1, 0.2, 0.3]), curve("leaky_relu", [0.1, 0.2, 0.3])];
    assert.match(told(same).join(" "), /then leaky_relu \(0\.2000, the same\).*relu with 3 and leaky_relu with 3/);
    assert.match(told([curve("gelu", [4.7e-6]), curve("relu", [0])]).join(" "), /relu \(0\) .* gelu \(4\.7 × 10⁻⁶\)/);
  });

  test("who overflowed and who was stopped is named, with step and epoch", () => {
    const failed = { ...curve("silu", [0.1]), end: { kind: /** @type {const} */ ("failed"), seed: 3, step: 57, epoch: 3 } };
    const stopped = { ...curve("relu", [0.2]), end: { kind: /** @type {const} */ ("patience") } };
    const words = told([failed, stopped]).join(" ");
    assert.match(words, /silu overflowed at step 57, in epoch 3 \(seed 3\)/);
    assert.match(words, /Stopped after 5 epochs [^:]*: relu at epoch 1\./);
    assert.match(told([failed, stopped], "zh").join(""), /silu 在第 3 轮第 57 步溢出（种子 3）/);
  });

  test("no label is left unfilled", () => {
    for (const language of /** @type {const} */ (["zh", "en"])) {
      for (const query of ["", "race.seeds=1", "race.patience=3", "race.fns=gelu", "race.shown=training"]) {
        const words = plain(outcomeSentences(curvesOf(contextOf(query)), "validationLoss", 9, { patience: 3, language })).join(
          "",
        );
        assert.ok(words.length > 20 && !/[{}]|undefined|NaN/.test(words), words);
      }
    }
  });
});
