/** Training runs side by side: who goes when, what a stop does, and that they are what a trainer alone gives. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { loadGelu } from "../../dist/lib/gelu.js";
import { readDigits } from "../../web/data/digits.js";
import { curveOf, median, stepsPerEpoch } from "../../web/figures/race/curve.js";
import { createRun, trainerOptions } from "../../web/figures/race/training.js";
import { createHost } from "../../web/host.js";

const gelu = await loadGelu();
const digits = readDigits(inflateRawSync(await readFile(new URL("../../web/data/digits.deflate", import.meta.url))));

/** Small enough to be quick. */
const network = {
  ...{ hidden: 16, blocks: 1, layerNorm: true, residual: true, optimizer: /** @type {const} */ ("adamw") },
  ...{ learningRate: 0.003, batch: 64, initGain: 1 },
};
const entrants = ["gelu", "relu", "gelu_tanh"].map((fn) => ({
  fn,
  params: Object.fromEntries(
    (gelu.catalogue.find(({ id }) => id === fn)?.parameters ?? []).map(({ name, value }) => [name, value]),
  ),
}));
const plan = { entrants, seeds: 3, limit: 4, patience: 0 };

/** The library behind messages, each answered later; `log`: what was called. */
function createRemote({ isLocal = false } = {}) {
  const host = createHost(gelu);
  /** @type {{ object: number, method: string, args: any[] }[]} */
  const log = [];
  return {
    log,
    isLocal,
    /** @type {any} */
    call: (object, method, ...args) =>
      new Promise((resolve, reject) =>
        setImmediate(() => {
          log.push({ object, method, args });
          try {
            resolve(host({ object, method, args }));
          } catch (error) {
            reject(error);
          }
        }),
      ),
    end() {},
  };
}

/** Goes to an epoch and waits until nothing moves any more. */
async function untilIdle(run, epoch) {
  run.go(epoch);
  do await new Promise((resolve) => setTimeout(resolve, 5));
  while (!run.isIdle());
}

function start(remotes, options = {}, ownPlan = plan) {
  const errors = [];
  let changes = 0;
  const deps = { network, digits, remotes, changed: () => (changes += 1), fail: (error) => errors.push(error), ...options };
  return { run: createRun(deps, ownPlan), errors, changes: () => changes };
}

/** Everything but the times. */
const numbersOf = (curves) =>
  curves.map(({ fn, seeds }) => [fn, seeds.map((epochs) => epochs.map(({ stepMs, ms, ...rest }) => rest))]);

/** What the library gives without all this. */
function alone(entrant, seed, epochs, own = network) {
  const trainer = gelu.createTrainer(trainerOptions(own, entrant, seed, digits));
  const all = [trainer.evaluate(), ...Array.from({ length: epochs }, () => trainer.epoch())];
  trainer.free();
  return all.map(({ ms, ...rest }) => rest);
}

describe("a run", () => {
  for (const [name, remotes] of Object.entries({
    "one worker": () => [createRemote()],
    "two workers": () => [createRemote(), createRemote()],
    "the page's own thread": () => [createRemote({ isLocal: true })],
  })) {
    test(`in ${name} gives, bit for bit, what each trainer gives alone`, async () => {
      const { run, errors } = start(remotes());
      await untilIdle(run, Number.POSITIVE_INFINITY);
      assert.deepEqual(errors, []);
      const expected = entrants.map((entrant) => [entrant.fn, [1, 2, 3].map((seed) => alone(entrant, seed, plan.limit))]);
      assert.deepEqual(numbersOf(run.curves()), expected);
      assert.ok(run.curves().every(({ last, end }) => last === 4 && end?.kind === "limit"));
      assert.deepEqual(run.progress(), { done: 36, most: 36 });
      for (const { seeds } of run.curves())
        for (const epochs of seeds)
          assert.ok(epochs.slice(1).every(({ stepMs }) => stepMs > 0) && Number.isNaN(epochs[0].stepMs));
      run.end();
    });
  }

  test("on the page's own thread takes few steps at once, never an epoch()", async () => {
    const remote = createRemote({ isLocal: true });
    const { run } = start(
      [remote],
      { network: { ...network, hidden: 256 } },
      { ...plan, entrants: entrants.slice(0, 1), seeds: 1 },
    );
    await untilIdle(run, 2);
    const steps = remote.log.filter(({ method }) => method === "timed:step").map(({ args }) => args[0]);
    assert.equal(
      steps.reduce((sum, count) => sum + count, 0),
      2 * stepsPerEpoch(digits.y.length, 64),
    );
    assert.equal(steps[0], 1);
    assert.ok(remote.log.every(({ method }) => method !== "epoch"));
    run.end();
  });

  test("all functions move along together, and each of its seeds", async () => {
    const { run } = start([createRemote(), createRemote()]);
    run.go(Number.POSITIVE_INFINITY);
    while (run.curves().some(({ end }) => end === null)) {
      const lasts = run.curves().map(({ last }) => last);
      assert.ok(Math.max(...lasts) - Math.min(...lasts) <= 1, lasts.join());
      await new Promise((resolve) => setImmediate(resolve));
    }
    run.end();
  });

  test("goes an epoch, pauses, goes on, and the result is the same", async () => {
    const { run } = start([createRemote(), createRemote({ isLocal: true })]);
    await untilIdle(run, 1);
    assert.deepEqual(
      run.curves().map(({ last }) => last),
      [1, 1, 1],
    );
    run.go(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 12; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (i % 3 === 0) run.go(i % 2 === 0 ? -1 : Number.POSITIVE_INFINITY);
    }
    await untilIdle(run, -1);
    const paused = run.progress().done;
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(run.progress().done, paused);
    await untilIdle(run, Number.POSITIVE_INFINITY);
    assert.deepEqual(numbersOf(run.curves())[1], ["relu", [1, 2, 3].map((seed) => alone(entrants[1], seed, 4))]);
    run.end();
  });

  test("another plan keeps what counts: fewer seeds, a function more, a longer limit", async () => {
    const remote = createRemote();
    const { run } = start([remote], {}, { ...plan, entrants: entrants.slice(0, 1), seeds: 3, limit: 2 });
    await untilIdle(run, Number.POSITIVE_INFINITY);
    const created = () => remote.log.filter(({ method }) => method === "createTrainer").length;
    assert.equal(created(), 3);
    run.setPlan({ ...plan, entrants: entrants.slice(0, 2), seeds: 1, limit: 3 });
    assert.deepEqual(
      run.curves().map(({ last, end }) => [last, end]),
      [
        [2, null],
        [-1, null],
      ],
    );
    await untilIdle(run, Number.POSITIVE_INFINITY);
    assert.equal(created(), 4);
    assert.deepEqual(numbersOf(run.curves())[0][1], [alone(entrants[0], 1, 3)]);
    run.end();
  });

  test("an overflow stops its function, says the step, and keeps the last finite numbers; the others go on", async () => {
    const wild = { ...network, optimizer: /** @type {const} */ ("sgd"), learningRate: 0.3, hidden: 256 };
    const two = [
      { fn: "relu", params: {} },
      { fn: "sigmoid", params: { k: 1 } },
    ];
    const { run, errors } = start([createRemote()], { network: wild }, { ...plan, entrants: two, seeds: 1, limit: 2 });
    await untilIdle(run, Number.POSITIVE_INFINITY);
    assert.deepEqual(errors, []);
    const [relu, sigmoid] = run.curves();
    const trainer = gelu.createTrainer(trainerOptions(wild, two[0], 1, digits));
    trainer.epoch();
    assert.equal(trainer.status, "nan");
    assert.deepEqual(relu.end, { kind: "failed", seed: 1, step: trainer.failedAt, epoch: 1 });
    assert.equal(relu.last, 0);
    assert.ok(Number.isFinite(relu.seeds[0][0].validationLoss));
    assert.equal(sigmoid.last, 2);
    trainer.free();
    run.end();
  });

  test("an error of the library ends it and is told once", async () => {
    const { run, errors } = start([createRemote(), createRemote()], { network: { ...network, batch: 0 } });
    await untilIdle(run, Number.POSITIVE_INFINITY);
    assert.ok(errors.length >= 1);
    assert.match(String(errors[0]), /batch/);
    run.end();
  });

  test("its end gives every trainer back, also one that is still being made", async () => {
    const remote = createRemote();
    const { run, changes } = start([remote]);
    run.go(Number.POSITIVE_INFINITY);
    await new Promise((resolve) => setTimeout(resolve, 20));
    run.end();
    const told = changes();
    await new Promise((resolve) => setTimeout(resolve, 60));
    const count = (/** @type {string} */ wanted) => remote.log.filter(({ method }) => method === wanted).length;
    assert.equal(count("free"), count("createTrainer"));
    assert.equal(changes(), told);

    const early = createRemote();
    const other = start([early]);
    other.run.go(0);
    other.run.end();
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual(
      early.log.map(({ method }) => method),
      ["createTrainer", "free"],
    );
  });
});

describe("a curve", () => {
  const entrant = { fn: "gelu", params: {} };
  const seedRun = (losses, failedAt = null) => ({
    epochs: losses.map((validationLoss) => /** @type {any} */ ({ validationLoss })),
    failedAt,
  });
  const rule = { limit: 20, patience: 0, steps: 10 };

  test("goes as far as the slowest of its seeds", () => {
    const curve = curveOf(entrant, [seedRun([3, 2, 1]), seedRun([3, 2])], rule);
    assert.deepEqual([curve.last, curve.end, curve.seeds.map(({ length }) => length)], [1, null, [2, 2]]);
    assert.equal(curveOf(entrant, [seedRun([])], rule).last, -1);
  });

  test("stops after so many epochs without a new low of the median, not of a single seed", () => {
    const runs = [seedRun([3, 2, 2.1, 2.2, 2.3, 1]), seedRun([3, 2, 2.1, 2.2, 2.3, 1]), seedRun([9, 8, 7, 6, 5, 4])];
    const stopped = curveOf(entrant, runs, { ...rule, patience: 3 });
    assert.deepEqual([stopped.last, stopped.end], [4, { kind: "patience" }]);
    assert.equal(curveOf(entrant, runs, { ...rule, patience: 4 }).end, null);
    assert.equal(curveOf(entrant, runs, { ...rule, limit: 3, patience: 3 }).end?.kind, "limit");
  });

  test("ends where a seed failed, and only once the others have come as far", () => {
    const failed = seedRun([3, 2], 17);
    assert.equal(curveOf(entrant, [failed, seedRun([3])], rule).end, null);
    assert.deepEqual(curveOf(entrant, [seedRun([3, 2, 1]), failed], rule).end, { kind: "failed", seed: 2, step: 17, epoch: 2 });
  });

  test("the median is the middle one", () => {
    assert.deepEqual([median([5]), median([3, 1, 2]), median([9, 1, 8, 2, 10])], [5, 2, 8]);
  });
});
