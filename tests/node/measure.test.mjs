/** Timing in turns, with clocks and contestants that are made up: what comes out is known beforehand. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { clockStep, race, timingOf, turnFor } from "../../web/components/measure.js";
import { ENTRIES, errorsOf, FORMS, formError, ratioToExact } from "../../web/figures/contestants.js";
import { contestants } from "../../web/figures/timed.js";
import { truth } from "../browser/oracle.mjs";

const gelu = await loadGelu();

/** A clock that moves on by itself at every look, and shows whole steps only. */
function madeUpClock(step, look) {
  let now = 0;
  const clock = () => {
    now += look;
    return Math.floor(now / step) * step;
  };
  const pause = async () => {
    now += 4;
  };
  return { clock, pause, now: () => now };
}

/** A contestant whose pass takes so long, on a clock of its own. */
function madeUp(id, costs, log) {
  let turn = 0;
  return {
    id,
    run(passes) {
      log.push([id, passes]);
      return costs[turn++ % costs.length] * passes;
    },
  };
}

const goOn = async () => true;

describe("the step of the clock", () => {
  for (const [name, step] of [
    ["5 µs", 0.005],
    ["0.1 ms", 0.1],
    ["1 ms", 1],
    ["16 ms", 16],
    ["100 ms", 100],
  ]) {
    test(`${name} is found`, async () => {
      const { clock, pause, now } = madeUpClock(step, 0.0007);
      assert.ok(Math.abs((await clockStep(clock, pause)) - step) < 1e-3 * step);
      assert.ok(now() < 800, `took ${now()} ms`);
    });
  }

  test("a clock that stands still has none, and the search ends", async () => {
    assert.equal(
      await clockStep(
        () => 7,
        async () => {},
      ),
      Number.POSITIVE_INFINITY,
    );
  });

  test("a turn is many steps long but no longer than a frame; where that is not possible there is none", () => {
    assert.equal(turnFor(0.005), 4);
    assert.equal(turnFor(0.1), 4);
    assert.equal(turnFor(0.5), 10);
    assert.equal(turnFor(1), 16);
    assert.equal(turnFor(4), 16);
    for (const step of [4.01, 16.67, 100, Number.POSITIVE_INFINITY, Number.NaN]) assert.equal(turnFor(step), null);
  });
});

describe("a race", () => {
  async function run(costs, { rounds = 4, turn = 4, next = goOn } = {}) {
    const log = [];
    const seen = [];
    const isDone = await race({
      contestants: costs.map((list, i) => madeUp(`abcdef`[i], list, log)),
      rounds,
      turn,
      next,
      progress: (round, turns) => seen.push([round, turns.map(({ readings }) => readings.length)]),
    });
    return { log, seen, isDone };
  }

  test("gives everybody one turn a round, each time somebody else first", async () => {
    const { log, seen, isDone } = await run([[1], [1], [1]], { rounds: 3 });
    assert.equal(isDone, true);
    assert.equal(
      log
        .slice(-9)
        .map(([id]) => id)
        .join(""),
      "bcacababc",
    );
    assert.deepEqual(seen, [
      [0, [0, 0, 0]],
      [1, [1, 1, 1]],
      [2, [2, 2, 2]],
      [3, [3, 3, 3]],
    ]);
  });

  test("turns are about as long as asked for, however long a pass takes", async () => {
    const costs = [0.0003, 0.02, 0.9, 3, 50];
    const { log } = await run(costs.map((cost) => [cost]));
    for (const [i, cost] of costs.entries()) {
      const passes = log.filter(([id]) => id === "abcdef"[i]).map(([, count]) => count);
      const longest = Math.max(...passes) * cost;
      assert.ok(longest <= Math.max(cost, 4 * 1.51), `${cost} ms a pass: a turn of ${longest} ms`);
      assert.ok(passes.at(-1) * cost >= Math.min(cost, 4 / 1.51), `${cost} ms a pass: ${passes.at(-1)} passes`);
    }
  });

  test("a contestant that seems to take no time does not hold it up", async () => {
    const { isDone, log } = await run([[0], [1]], { rounds: 1 });
    assert.equal(isDone, true);
    assert.ok(log.length < 200, String(log.length));
  });

  test("a warm-up that something else held up does not leave turns too short to be told", async () => {
    let calls = 0;
    const log = [];
    const run = (passes) => {
      log.push(passes);
      return ++calls <= 3 ? 5 : Math.floor(passes * 0.002 * 10) / 10;
    };
    let readings = [];
    await race({
      contestants: [{ id: "a", run }],
      rounds: 9,
      turn: 4,
      next: goOn,
      progress: (_, [turns]) => {
        readings = turns.readings;
      },
    });
    assert.deepEqual(log.slice(0, 3), [1, 1, 1]);
    assert.equal(readings.length, 9);
    for (const reading of readings) assert.ok(Math.abs(reading / 0.002 - 1) < 0.1, `${reading} ms a pass, want 0.002`);
    assert.ok(log.at(-1) * 0.002 >= 1, `${log.at(-1)} passes`);
  });

  for (const calls of [1, 4, 9, 14]) {
    test(`told to stop after ${calls} turns it stops, and an unfinished round is not counted`, async () => {
      let left = calls;
      const { log, seen, isDone } = await run([[1], [1], [1]], { rounds: 5, next: async () => --left > 0 });
      assert.equal(isDone, false);
      assert.equal(log.length, calls);
      for (const [round, lengths] of seen) assert.deepEqual(lengths, [round, round, round]);
    });
  }

  test("an error of a contestant is the race's", async () => {
    const broken = { id: "a", run: () => assert.fail("broken") };
    await assert.rejects(race({ contestants: [broken], rounds: 1, turn: 4, next: goOn, progress() {} }), /broken/);
  });
});

describe("what the readings say", () => {
  test("the median and the middle half, which one outlier does not move", () => {
    const readings = [5, 1, 3, 2, 4];
    assert.deepEqual(timingOf({ readings, passes: 1000 }, 0), { median: 3, low: 2, high: 4 });
    assert.deepEqual(timingOf({ readings: [500, 1, 3, 2, 4], passes: 1000 }, 0), { median: 3, low: 2, high: 4 });
    assert.deepEqual(timingOf({ readings: [1, 2], passes: 1 }, 0), { median: 1.5, low: 1.25, high: 1.75 });
    assert.deepEqual(readings, [5, 1, 3, 2, 4], "the readings are kept as they were taken");
  });

  test("are no surer than half a step of the clock", () => {
    assert.deepEqual(timingOf({ readings: [2, 2, 2], passes: 4 }, 1), { median: 2, low: 1.875, high: 2.125 });
    assert.deepEqual(timingOf({ readings: [1, 2, 3], passes: 1 }, 0.1), { median: 2, low: 1.5, high: 2.5 });
    assert.equal(timingOf({ readings: [0.1, 0.1, 0.1], passes: 1 }, 1).low, 0);
  });

  test("a ratio is that of the medians to the exact form of the same tier", () => {
    const timing = (median) => ({ median, low: median, high: median });
    const timings = new Map([
      ["gelu.plain", timing(10)],
      ["gelu.rounded", timing(4)],
      ["gelu_tanh.plain", timing(20)],
      ["gelu_tanh.rounded", timing(3)],
    ]);
    const result = { n: 1, rounds: 1, done: 1, turn: 4, step: 0, timings };
    assert.equal(ratioToExact(result, "gelu_tanh", "plain"), 2);
    assert.equal(ratioToExact(result, "gelu_tanh", "rounded"), 0.75);
    assert.ok(Number.isNaN(ratioToExact(result, "relu", "fast")));
  });
});

describe("the contestants", () => {
  test("are the four forms as kernels of either tier and in JavaScript; ReLU has one kernel", () => {
    assert.deepEqual(ENTRIES.map(({ id }) => id).sort(), [
      "gelu.fast",
      "gelu.plain",
      "gelu.rounded",
      "gelu_sigmoid.fast",
      "gelu_sigmoid.plain",
      "gelu_sigmoid.rounded",
      "gelu_tanh.fast",
      "gelu_tanh.plain",
      "gelu_tanh.rounded",
      "relu.plain",
      "relu.rounded",
    ]);
  });

  test("each runs, and many passes take longer than one", () => {
    const all = contestants(gelu, 4096);
    assert.deepEqual(
      all.map(({ id }) => id),
      ENTRIES.map(({ id }) => id),
    );
    for (const { id, run } of all) {
      run(50);
      const [once, often] = [run(1), run(400)];
      assert.ok(once >= 0 && often > 0, `${id}: ${once}, ${often}`);
      assert.ok(often > 3 * once, `${id}: 1 pass ${once} ms, 400 passes ${often} ms`);
    }
  });

  test("compute what they are called after: each form is as far from GELU as the form is, whatever runs it", () => {
    /** Recomputed with formulas that share nothing with kernels or loops. */
    const furthest = (form) => {
      let most = 0;
      for (let i = -8 * 512; i <= 8 * 512; i++) {
        const x = i / 512;
        most = Math.max(most, Math.abs(truth(form, x) - truth("gelu", x)));
      }
      return most;
    };
    const errors = errorsOf(gelu);
    for (const form of FORMS) {
      const want = furthest(form);
      assert.ok(Math.abs(formError(gelu, form) - want) <= 1e-4 * want + 1e-15, `${form}: ${formError(gelu, form)}, want ${want}`);
      for (const { id } of ENTRIES.filter((entry) => entry.form === form)) {
        // Half a ULP of float32 below 8 is 2.4e-7, five of them in the fast tier; erf in JavaScript is good to 1.5e-7.
        const slack = id === "gelu.plain" ? 8.5e-7 : id.endsWith(".fast") ? 2.4e-6 : 2.5e-7;
        const got = errors.get(id);
        assert.ok(Math.abs(got - want) <= slack, `${id}: ${got}, want ${want}`);
      }
    }
    assert.ok(errors.get("gelu.rounded") <= errors.get("gelu.fast") && errors.get("gelu.fast") < errors.get("gelu_tanh.fast"));
    assert.ok(errors.get("gelu.plain") > 1e-8, "nothing in float32 is without an error");
  });
});
