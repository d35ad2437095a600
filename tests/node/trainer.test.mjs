/** createTrainer and propagate: the digits are learnt, the same bits on every engine, and every misuse is answered. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";
import { readDigits } from "../../web/data/digits.js";
import { BUILDS } from "./builds.mjs";
import { loadWithMemory } from "./memory.mjs";
import { refusal } from "./refusal.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const gelu = await loadGelu();
const digits = readDigits(new Uint8Array(inflateRawSync(await readFile(`${ROOT}web/data/digits.deflate`))));

/** Two clouds, easily told apart. */
function clouds(count, seed = 1, from = gelu) {
  const source = from.random(seed);
  const x = Float32Array.from(source.normal(2 * count), (value, k) => 0.3 * value + (Math.floor(k / 2) % 2 === k % 2 ? 1 : 0));
  source.free();
  return { x, y: Array.from({ length: count }, (_, i) => i % 2) };
}

const small = { ...clouds(40), classes: 2, validation: clouds(10, 2), d: 6, hidden: 8, batch: 16 };

function withTrainer(options, use, from = gelu) {
  const trainer = from.createTrainer(options);
  try {
    return use(trainer);
  } finally {
    trainer.free();
  }
}

describe("the digits", () => {
  const reached = (activation) =>
    withTrainer({ ...digits, activation }, (trainer) => {
      let best = 0;
      for (let epoch = 1; epoch <= 30; epoch++) best = Math.max(best, trainer.epoch().validationAccuracy);
      assert.equal(trainer.status, "ok");
      return best;
    });

  for (const activation of ["gelu", "relu"]) {
    test(`${activation} reaches 95 % within 30 epochs`, () => {
      const accuracy = reached(activation);
      console.log(`${activation}: ${accuracy}`);
      assert.ok(accuracy >= 0.95, String(accuracy));
    });
  }

  test("the others, to be told", () => {
    for (const activation of ["sigmoid", "silu"]) console.log(`${activation}: ${reached(activation)}`);
  });
});

describe("a run", () => {
  test("counts steps and epochs; loss falls", () => {
    withTrainer(small, (trainer) => {
      assert.equal(trainer.step(0), null);
      const first = trainer.step();
      assert.deepEqual([first.step, first.epoch], [1, 1]);
      assert.ok(Math.abs(first.loss - Math.log(2)) < 1);
      assert.deepEqual(Object.keys(first), ["step", "epoch", "loss"]);
      const third = trainer.step(2);
      assert.deepEqual([third.step, third.epoch], [3, 1]);
      assert.equal(trainer.step().epoch, 2);
      let statistics = trainer.epoch();
      assert.equal(statistics.epoch, 2);
      assert.equal(trainer.step().step, 7);
      for (let epoch = 0; epoch < 100; epoch++) statistics = trainer.epoch();
      assert.deepEqual(Object.keys(statistics).sort(), [
        "epoch",
        "gradientNorm",
        "ms",
        "offForBatch",
        "offForSet",
        "trainAccuracy",
        "trainLoss",
        "validationAccuracy",
        "validationLoss",
      ]);
      assert.ok(statistics.trainAccuracy > 0.9 && statistics.validationAccuracy > 0.8 && statistics.trainLoss < 0.3);
      assert.ok(statistics.gradientNorm instanceof Float64Array && statistics.gradientNorm.length === 1);
      assert.ok(statistics.gradientNorm[0] > 0 && statistics.ms >= 0);
    });
  });

  test("without validation its numbers are NaN; any number of blocks", () => {
    const { validation, ...rest } = small;
    for (const blocks of [0, 1, 3]) {
      const statistics = withTrainer({ ...rest, blocks }, (trainer) => trainer.epoch());
      assert.ok(Number.isNaN(statistics.validationLoss) && Number.isNaN(statistics.validationAccuracy));
      assert.equal(statistics.gradientNorm.length, blocks);
    }
    assert.equal(validation.y.length, 10);
  });

  test("labels in any array", () => {
    const losses = [(y) => y, (y) => Uint8Array.from(y), (y) => Int32Array.from(y)].map((convert) =>
      withTrainer({ ...small, y: convert(small.y) }, (trainer) => trainer.step(5).loss),
    );
    assert.equal(new Set(losses).size, 1);
  });

  test("the same seed, the same losses; other options, others", () => {
    const loss = (options) => withTrainer({ ...small, ...options }, (trainer) => trainer.step(9).loss);
    assert.equal(loss(), loss({ d: 6, blocks: 1, activation: "gelu", seed: 1, layerNorm: true, residual: true }));
    assert.equal(loss(), loss({ optimizer: "adamw", learningRate: 0.001, momentum: 0.9, weightDecay: 0.01, initGain: 1 }));
    const others = [
      { seed: 2 },
      { activation: "silu" },
      { activation: "silu", params: { beta: 2 } },
      { layerNorm: false },
      { residual: false },
      { optimizer: "sgd" },
      { optimizer: "sgd", momentum: 0.5 },
      { learningRate: 0.002 },
      { weightDecay: 0.5 },
      { initGain: 2 },
      { batch: 8 },
      { hidden: 9 },
      { d: 7 },
      { blocks: 2 },
    ].map(loss);
    assert.equal(new Set([loss(), ...others]).size, others.length + 1);
  });

  test("another activation keeps the weights", () => {
    withTrainer({ ...small, activation: "relu", learningRate: 0 }, (trainer) => {
      const relu = trainer.epoch().trainLoss;
      trainer.setActivation("leaky_relu", { slope: 0.5 });
      assert.notEqual(trainer.epoch().trainLoss, relu);
      trainer.setActivation("leaky_relu", { slope: 0 });
      assert.equal(trainer.epoch().trainLoss, relu);
      assert.throws(() => trainer.setActivation("rely"), { code: "unknown-function" });
      assert.throws(() => trainer.setActivation("silu", { beta: Number.NaN }), { code: "bad-parameter" });
      assert.equal(trainer.epoch().trainLoss, relu);
    });
  });

  test("a NaN stops it and is named; the last finite numbers stay", () => {
    const x = small.x.slice();
    x[0] = Number.NaN;
    withTrainer({ ...small, x }, (trainer) => {
      assert.deepEqual([trainer.status, trainer.failedAt], ["ok", null]);
      const last = trainer.step(10);
      assert.equal(trainer.status, "nan");
      assert.ok(trainer.failedAt >= 1 && trainer.failedAt <= 3);
      assert.equal(last?.step ?? 0, trainer.failedAt - 1);
      assert.equal(trainer.epoch(), null);
      assert.deepEqual(trainer.step(), last);
    });
  });

  test("statistics without a step: epoch 0, and nothing is changed by them", () => {
    withTrainer(small, (trainer) => {
      const start = trainer.evaluate();
      assert.equal(start.epoch, 0);
      assert.ok(Math.abs(start.trainLoss - Math.log(2)) < 1 && start.gradientNorm[0] > 0 && start.ms >= 0);
      const same = (a, b) => assert.deepEqual({ ...a, ms: 0 }, { ...b, ms: 0 });
      same(trainer.evaluate(), start);
      const watched = Array.from({ length: 7 }, () => [trainer.step().loss, trainer.evaluate().trainLoss][0]);
      const epoch = trainer.epoch();
      same(trainer.evaluate(), epoch);
      assert.equal(epoch.epoch, 3);
      withTrainer(small, (other) => {
        assert.deepEqual(
          watched,
          Array.from({ length: 7 }, () => other.step().loss),
        );
        same(other.epoch(), epoch);
      });
    });
  });

  test("another learning rate from the next step on", () => {
    const losses = (change) =>
      withTrainer({ ...small, learningRate: change ? 0.1 : 0.002 }, (trainer) => {
        if (change) trainer.setLearningRate(0.002);
        return Array.from({ length: 5 }, () => trainer.step().loss);
      });
    assert.deepEqual(losses(true), losses(false));
    withTrainer(small, (trainer) => {
      trainer.step(5);
      trainer.setLearningRate(0);
      const { trainLoss } = trainer.epoch();
      assert.equal(trainer.epoch().trainLoss, trainLoss);
      for (const rate of [-1, Number.NaN, Number.POSITIVE_INFINITY, "1", null, undefined]) {
        assert.throws(
          () => trainer.setLearningRate(rate),
          (error) => error.code === "bad-parameter" && error.message.includes(`rate`) && error.message.includes(String(rate)),
        );
      }
      assert.equal(trainer.epoch().trainLoss, trainLoss);
    });
  });

  test("the units of a block: ReLU's die for good, GELU's keep a slope", () => {
    const dead = {};
    for (const activation of ["relu", "gelu"]) {
      withTrainer({ ...small, activation, blocks: 2, hidden: 30 }, (trainer) => {
        trainer.step(4);
        trainer.shiftBiases(-3);
        const { offForSet } = trainer.evaluate();
        const blocks = [0, 1].map((block) => trainer.units({ block, example: 7 }));
        assert.equal(offForSet, blocks.flatMap((units) => [...units.offForSet]).reduce((a, b) => a + b) / 60);
        for (const units of blocks) {
          const { preActivations, slopeForExample, offForExample, largest, slope, offForSet: off } = units;
          for (const [numbers, kind] of [
            [preActivations, Float32Array],
            [slopeForExample, Float32Array],
            [largest, Float32Array],
            [slope, Float32Array],
            [offForExample, Uint8Array],
            [off, Uint8Array],
          ]) {
            assert.ok(numbers instanceof kind && numbers.length === 30);
          }
          // The same function as evaluate's, bit for bit.
          assert.deepEqual(slopeForExample, gelu.evaluate(activation, preActivations, { order: 1 }));
          for (let k = 0; k < 30; k++) {
            assert.equal(offForExample[k], Number(slopeForExample[k] === 0));
            assert.equal(off[k], Number(slope[k] === 0));
            assert.ok(preActivations[k] <= largest[k] && Math.abs(slopeForExample[k]) <= slope[k]);
            if (activation === "relu") assert.equal(off[k], Number(largest[k] <= 0));
          }
        }
        dead[activation] = offForSet;
        // By default the first of both.
        assert.deepEqual(trainer.units(), trainer.units({ block: 0, example: 0 }));
        const lower = trainer.units().preActivations;
        trainer.shiftBiases(0.5);
        trainer.units().preActivations.forEach((z, k) => {
          assert.ok(Math.abs(z - lower[k] - 0.5) < 1e-5);
        });
      });
    }
    assert.ok(dead.relu > 0.2 && dead.gelu === 0, JSON.stringify(dead));
  });

  test("far enough down GELU's slope underflows, too, and it says so", () => {
    withTrainer({ ...small, batch: 40 }, (trainer) => {
      trainer.shiftBiases(-40);
      assert.equal(trainer.evaluate().offForSet, 1);
      assert.ok(trainer.units().offForSet.every((off) => off === 1));
      trainer.shiftBiases(40 - 8);
      const { slope } = trainer.units();
      assert.ok(slope.every((value) => value > 0 && value < 1e-3));
      assert.equal(trainer.evaluate().offForSet, 0);
    });
  });

  test("units, shiftBiases and evaluate after a stop, and with what they cannot take", () => {
    const x = small.x.slice();
    withTrainer({ ...small, x }, (trainer) => {
      const bad = (call, code, word) =>
        assert.throws(call, (error) => error instanceof GeluError && error.code === code && error.message.includes(word));
      for (const value of [-1, 1, 0.5, Number.NaN, "0", null]) {
        bad(() => trainer.units({ block: value }), "bad-parameter", "block");
      }
      for (const value of [-1, 40, 0.5, Number.NaN, "0", null]) {
        bad(() => trainer.units({ example: value }), "bad-parameter", "example");
      }
      bad(() => trainer.units({ blok: 1 }), "unknown-option", "blok");
      bad(() => trainer.units(3), "bad-type", "3");
      for (const value of [Number.NaN, Number.NEGATIVE_INFINITY, 1e39, "1", null, undefined]) {
        bad(() => trainer.shiftBiases(value), "bad-parameter", String(value));
      }
      const before = trainer.evaluate();
      trainer.shiftBiases(3e38);
      trainer.shiftBiases(3e38);
      assert.deepEqual(trainer.evaluate(), before);
      assert.deepEqual([trainer.status, trainer.failedAt], ["nan", 1]);
      assert.equal(trainer.units(), null);
    });
    withTrainer({ ...small, blocks: 0 }, (trainer) => {
      trainer.shiftBiases(1);
      assert.throws(() => trainer.units(), { code: "bad-parameter" });
      assert.equal(trainer.evaluate().offForSet, 0);
    });
  });

  test("an overflow stops it, whatever the learning rate", () => {
    withTrainer({ ...small, optimizer: "sgd", learningRate: 1e38, layerNorm: false }, (trainer) => {
      trainer.step(20);
      assert.equal(trainer.status, "nan");
      assert.ok(trainer.failedAt <= 20);
    });
    withTrainer({ ...small, learningRate: 1e300 }, (trainer) => {
      trainer.step(20);
      assert.equal(trainer.status, "nan");
    });
  });
});

describe("propagate", () => {
  const last = (values) => values[values.length - 1];

  test("ReLU with He gain keeps the signal, sigmoid's gradient collapses, GELU lies between", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const run = (activation) => gelu.propagate({ layers: 30, width: 256, activation, gain: Math.SQRT2, seed });
      const [relu, middle, sigmoid] = ["relu", "gelu", "sigmoid"].map(run);
      assert.equal(relu.signal.length, 31);
      assert.ok(last(relu.signal) > 0.4 && last(relu.signal) < 2.5, `relu: ${last(relu.signal)}`);
      assert.ok(sigmoid.gradient[0] < 1e-10 && middle.gradient[0] < 0.1 && middle.gradient[0] > 1e-10);
      assert.ok(middle.gradient[0] < relu.gradient[0]);
      assert.ok(Math.abs(last(relu.gradient) - 1) < 0.1 && Math.abs(relu.signal[0] - 1) < 0.1);
    }
  });

  test("with normalisation and residual sums they hardly differ", () => {
    const run = (activation) => gelu.propagate({ activation, gain: Math.SQRT2, layerNorm: true, residual: true });
    const [relu, middle] = ["relu", "gelu"].map(run);
    assert.ok(Math.abs(Math.log(last(relu.signal) / last(middle.signal))) < 0.3);
    assert.ok(Math.abs(Math.log(relu.gradient[0] / middle.gradient[0])) < 0.4);
  });

  test("the unit gain keeps every activation's signal over the first layers", () => {
    for (const { id } of gelu.catalogue) {
      const { signal } = gelu.propagate({ layers: 1, width: 256, activation: id, gain: "unit" });
      assert.ok(Math.abs(signal[1] - 1) < 0.15, `${id}: ${signal[1]}`);
    }
  });

  test("one layer, one unit, one sample; the largest that the lesson offers", () => {
    const { signal, gradient } = gelu.propagate({ layers: 1, width: 1, samples: 1, activation: "relu" });
    assert.ok(signal.length === 2 && gradient.length === 2);
    assert.equal(gelu.propagate({ layers: 48, width: 512, samples: 8 }).signal.length, 49);
  });

  test("errors", () => {
    const bad = (options, code, word) =>
      assert.throws(
        () => gelu.propagate(options),
        (error) => error.code === code && error.message.includes(word),
      );
    for (const name of ["layers", "width", "samples"]) {
      for (const value of [0, -1, 1.5, "3", 2 ** 32]) bad({ [name]: value }, "bad-parameter", name);
    }
    bad({ gain: Number.NaN }, "bad-parameter", "gain");
    bad({ gain: "He" }, "bad-parameter", "gain");
    bad({ layerNorm: 1 }, "bad-type", "layerNorm");
    bad({ widht: 3 }, "unknown-option", "widht");
    bad({ activation: "x" }, "unknown-function", "x");
    bad({ layers: 2 ** 20, width: 2 ** 10 }, "out-of-memory", "bytes");
    bad({ layers: 2 ** 31 - 1, width: 2 ** 31 - 1 }, "out-of-memory", "bytes");
  });
});

describe("the same bits everywhere", () => {
  const OPTIONS = { classes: 3, d: 18, hidden: 37, batch: 16, momentum: 0.9 };
  const RUNS = {
    adamw: { blocks: 2, optimizer: "adamw", learningRate: 0.004, weightDecay: 0.01, initGain: 1, seed: 5 },
    sgd: {
      blocks: 3,
      layerNorm: false,
      residual: false,
      optimizer: "sgd",
      learningRate: 0.002,
      weightDecay: 0.001,
      initGain: 1.5,
      seed: 6,
    },
  };

  /** The hash of tests/c/parity.c over the words of an array. */
  function hash(numbers) {
    let first = 0;
    let second = 0;
    for (const word of new Uint32Array(numbers.buffer)) {
      const a = first ^ word;
      const b = second ^ word;
      first = Math.imul((a << 13) | (a >>> 19), 0x85ebca6b);
      second = Math.imul((b << 17) | (b >>> 15), 0xc2b2ae35);
    }
    return [first, second].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  function uniform(own, seed, n) {
    const source = own.random(seed);
    const numbers = Float32Array.from(source.uniform(n));
    source.free();
    return numbers;
  }

  function trained(own, activation, options) {
    const x = uniform(own, 2026, 121 * 11);
    const y = Array.from({ length: 121 }, (_, i) => i % 3);
    const sets = { x: x.slice(0, 990), y: y.slice(0, 90), validation: { x: x.slice(990), y: y.slice(90) } };
    return withTrainer(
      { ...sets, ...OPTIONS, ...options, activation },
      (trainer) => {
        const losses = Array.from({ length: 50 }, () => trainer.step().loss);
        const statistics = (found) => [
          found.trainLoss,
          found.validationLoss,
          found.trainAccuracy,
          found.validationAccuracy,
          found.offForBatch,
          found.offForSet,
          ...found.gradientNorm,
        ];
        const numbers = [...losses, ...statistics(trainer.epoch())];
        trainer.shiftBiases(-0.75);
        trainer.setLearningRate(0.003);
        const { preActivations, slopeForExample, largest, slope } = trainer.units({ block: 1, example: 17 });
        numbers.push(...statistics(trainer.evaluate()), trainer.step().loss);
        return Float64Array.of(...numbers, ...preActivations, ...slopeForExample, ...largest, ...slope);
      },
      own,
    );
  }

  function deep(own, activation, normalised) {
    const options = { layers: 9, width: 37, samples: 6, gain: 1.25, layerNorm: normalised, residual: normalised, seed: 3 };
    const { signal, gradient } = own.propagate({ ...options, activation });
    return Float64Array.from({ length: 20 }, (_, k) => (k % 2 === 0 ? signal : gradient)[k >> 1]);
  }

  function gated(own, activation) {
    const ffn = own.createFfn({ d: 13, hidden: 70, activation, gated: true, seed: 4 });
    const y = ffn.forward(uniform(own, 5, 65), 5);
    const dx = ffn.backward(y);
    const all = [y, dx, ...Object.values(ffn.gradients)].map((part) => [...part]);
    ffn.free();
    return Float32Array.from(all.flat());
  }

  execFileSync("make", ["-s", "build/native/release/parity"], { cwd: ROOT, stdio: "inherit" });
  const native = execFileSync(`${ROOT}build/native/release/parity`, ["networks"], { encoding: "utf8" }).trimEnd().split("\n");

  for (const [file, load] of BUILDS) {
    test(`${file}: 50 steps of training, deep stacks, gated networks`, async () => {
      const own = await load();
      const got = own.catalogue.flatMap(({ id }) => [
        `adamw.${id} ${hash(trained(own, id, RUNS.adamw))}`,
        `sgd.${id} ${hash(trained(own, id, RUNS.sgd))}`,
        `plain.${id} ${hash(deep(own, id, false))}`,
        `normalised.${id} ${hash(deep(own, id, true))}`,
        `gated.${id} ${hash(gated(own, id))}`,
      ]);
      assert.deepEqual(got, native);
    });
  }
});

test("kernels that are linked without training and depth say so", async () => {
  const page = await loadGelu({ wasm: await readFile(`${ROOT}build/wasm/gelu-page.wasm`) });
  for (const name of ["createTrainer", "propagate"]) {
    assert.throws(
      () => page[name](small),
      (error) => error instanceof GeluError && error.code === "not-included" && error.message.includes(name),
    );
  }
  const ffn = page.createFfn({ d: 3, hidden: 4 });
  assert.equal(ffn.forward(new Float32Array(3), 1).length, 3);
  ffn.free();
  assert.deepEqual(page.catalogue, gelu.catalogue);
});

describe("errors name the value", () => {
  const bad = (options, code, ...words) => assert.throws(() => gelu.createTrainer(options), refusal(code, ...words));

  test("sizes and numbers", () => {
    for (const name of ["d", "hidden", "batch", "classes"]) {
      for (const value of [0, -1, 0.5, Number.NaN, "8", null, 2 ** 31]) {
        bad({ ...small, [name]: value }, "bad-parameter", name, String(value));
      }
    }
    for (const value of [-1, 0.5]) bad({ ...small, blocks: value }, "bad-parameter", "blocks", String(value));
    for (const name of ["learningRate", "momentum", "weightDecay", "initGain"]) {
      for (const value of [-0.1, Number.NaN, Number.POSITIVE_INFINITY, "1", null]) {
        bad({ ...small, [name]: value }, "bad-parameter", name, String(value));
      }
    }
    bad({ ...small, momentum: 1 }, "bad-parameter", "momentum", "1");
    bad({ ...small, seed: -3 }, "bad-parameter", "seed", "-3");
    bad({ ...small, layerNorm: 0 }, "bad-type", "layerNorm", "0");
    bad({ ...small, residual: "yes" }, "bad-type", "residual", "yes");
    bad({ ...small, optimizer: "adam" }, "unknown-option", "adam", "sgd", "adamw");
    bad({ ...small, learning: 1 }, "unknown-option", "learning");
    bad({ ...small, activation: "rel" }, "unknown-function", "rel");
  });

  test("examples and labels", () => {
    bad({ classes: 2 }, "bad-parameter", "length of y", "undefined");
    bad({ ...small, y: [] }, "bad-parameter", "length of y", "0");
    bad({ ...small, x: new Float64Array(80) }, "bad-type", "x must", "Float64Array");
    bad({ ...small, x: new Float32Array(81) }, "bad-type", "x must", "81");
    bad({ ...small, x: new Float32Array(10) }, "bad-type", "x must", "10");
    bad({ ...small, y: small.y.map((label) => label + 1) }, "bad-parameter", "y[1]", "2");
    bad({ ...small, y: small.y.map(() => 0.5) }, "bad-parameter", "y[0]", "0.5");
    bad({ ...small, validation: { x: new Float32Array(3), y: [0] } }, "bad-type", "validation.x", "3");
    bad({ ...small, validation: { x: new Float32Array(2), y: [5] } }, "bad-parameter", "validation.y[0]", "5");
    bad({ ...small, validation: { x: new Float32Array(2), z: 1 } }, "unknown-option", "z");
  });

  test("sizes without room", () => {
    bad({ ...small, d: 2 ** 15, hidden: 2 ** 16 }, "out-of-memory", "bytes");
    bad({ ...small, d: 2 ** 31 - 1, hidden: 2 ** 31 - 1 }, "out-of-memory", "bytes");
    bad({ ...small, blocks: 2 ** 31 - 1 }, "out-of-memory", "bytes");
  });

  test("after free() everything throws but free()", () => {
    const trainer = gelu.createTrainer(small);
    trainer.step();
    trainer.free();
    trainer.free();
    const freed = { code: "freed" };
    assert.throws(() => trainer.step(), freed);
    assert.throws(() => trainer.epoch(), freed);
    assert.throws(() => trainer.status, freed);
    assert.throws(() => trainer.failedAt, freed);
    assert.throws(() => trainer.setActivation("relu"), freed);
    assert.throws(() => trainer.setLearningRate(1), freed);
    assert.throws(() => trainer.evaluate(), freed);
    assert.throws(() => trainer.units(), freed);
    assert.throws(() => trainer.shiftBiases(1), freed);
  });

  test("1,000 rounds give everything back, errors included", async () => {
    const { gelu: own, used } = await loadWithMemory();
    const round = () => {
      withTrainer(
        small,
        (trainer) => {
          trainer.step();
          trainer.shiftBiases(-1);
          trainer.units();
          assert.throws(() => trainer.units({ block: 1 }));
        },
        own,
      );
      own.propagate({ layers: 2, width: 8, samples: 2 });
      assert.throws(() => own.createTrainer({ ...small, d: 2 ** 15, hidden: 2 ** 16 }));
      assert.throws(() => own.createTrainer({ ...small, activation: "none" }));
    };
    round();
    const before = used();
    for (let k = 0; k < 1000; k++) round();
    assert.deepEqual(used(), before);
  });
});
