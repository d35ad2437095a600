/** Searches of the figure `fit` through the host: the library's bits in either place, and what a worker that is late, dies or is refused leaves. */
import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";
import { createSearcher } from "../../web/figures/fit/search.js";
import { createHost } from "../../web/host.js";

const gelu = await loadGelu();
/** What a worker has of its own. */
const other = await loadGelu();

globalThis.requestAnimationFrame = /** @type {any} */ ((/** @type {() => void} */ act) => setImmediate(act));
// What a test does not wait for must not keep the process.
mock.timers.enable({ apis: ["setTimeout"] });

const TASKS = /** @type {const} */ ([
  ["gelu_sigmoid", { reference: "gelu", vary: ["k"], params: { k: 1.702 } }],
  ["sigmoid", { reference: "normal_cdf", vary: ["k"], params: { k: 1.702 } }],
  ["gelu_tanh", { reference: "gelu", vary: ["cubic"], params: { scale: 0.81, cubic: 0.05 } }],
  ["gelu_tanh", { reference: "gelu", vary: ["scale", "cubic"], params: {} }],
]);

/** A worker in all but the thread: what goes to it and what comes back is copied, later and in order. */
function createRemote({ failAt = Number.POSITIVE_INFINITY, silentAt = Number.POSITIVE_INFINITY } = {}) {
  const host = createHost(other);
  /** @type {string[]} */
  const log = [];
  const remote = {
    log,
    ends: 0,
    isLocal: false,
    end() {
      remote.ends += 1;
    },
    /** @type {import("../../web/networks.js").Remote["call"]} */
    call(object, method, ...args) {
      log.push(method);
      if (log.length >= silentAt) return new Promise(() => {});
      return new Promise((resolve, reject) =>
        setImmediate(() => {
          if (log.length >= failAt) return reject(new Error("killed"));
          try {
            resolve(structuredClone(host(structuredClone({ object, method, args }))));
          } catch (error) {
            reject(error);
          }
        }),
      );
    },
  };
  return remote;
}

/** @param {any} networks */
function searcherOf(networks) {
  /** @type {string[]} */
  const onPage = [];
  const createFit = (/** @type {any[]} */ ...args) => {
    onPage.push("createFit");
    return /** @type {any} */ (gelu).createFit(...args);
  };
  const watched = new Proxy(gelu, {
    get: (target, name) => (name === "createFit" ? createFit : /** @type {any} */ (target)[name]),
  });
  return { searcher: createSearcher({ gelu: watched, networks }), onPage };
}

const withRemotes = (/** @type {any[]} */ ...remotes) => {
  const asked = { starts: 0 };
  const networks = async () => ({ gelu, remotes: async () => [remotes[Math.min(asked.starts++, remotes.length - 1)]] });
  return { ...searcherOf(networks), asked };
};

/**
 * Everything that a search shows.
 * @param {ReturnType<typeof createSearcher>} searcher
 * @param {readonly [string, any]} task
 */
async function shownBy(searcher, [id, options], { frames = 45, stopAt = Number.POSITIVE_INFINITY } = {}) {
  /** @type {any[]} */
  const shown = [];
  await searcher.run({ id, options, frames, isWanted: () => shown.length < stopAt, show: (result) => void shown.push(result) });
  return shown;
}

/** @param {any} last @param {readonly [string, any]} task */
function assertBits(last, [id, options]) {
  const { params, error, at, done } = last;
  assert.equal(done, true);
  assert.deepEqual({ params, error, at }, gelu.bestFit(/** @type {any} */ (id), options));
}

describe("bit for bit what bestFit finds, step by step", () => {
  for (const task of TASKS) {
    const name = `${task[0]} by ${task[1].vary}`;
    test(`${name}: in a worker and on the page, whatever the frames`, async () => {
      for (const frames of [1, 5, 45, 1000]) {
        const remote = createRemote();
        const { searcher, onPage } = withRemotes(remote);
        const shown = await shownBy(searcher, task, { frames });
        assertBits(shown.at(-1), task);
        assert.deepEqual(onPage, [], "the page computed");
        assert.equal(remote.log[0], "createFit");
        assert.equal(remote.log.at(-1), "free");
        assert.equal(remote.log.filter((method) => method === "step").length, shown.length);
        const local = searcherOf(async () => ({ gelu, remotes: async () => [{ ...createRemote(), isLocal: true }] }));
        const there = await shownBy(local.searcher, task, { frames });
        assertBits(there.at(-1), task);
        assert.deepEqual(local.onPage, ["createFit"]);
        assert.deepEqual(there.at(-1), shown.at(-1), "and in as many steps");
      }
    });
  }

  test("shows the way there, each time something better or as good, spread over the frames", async () => {
    for (const remote of [createRemote(), { ...createRemote(), isLocal: true }]) {
      const shown = await shownBy(withRemotes(remote).searcher, TASKS[3]);
      assert.ok(shown.length >= 40, `${shown.length} shown`);
      for (let i = 1; i < shown.length; i++) {
        assert.ok(shown[i].error <= shown[i - 1].error && shown[i].steps > shown[i - 1].steps);
        assert.ok(shown[i].steps - shown[i - 1].steps <= Math.ceil(shown[i].gridSteps / 45));
      }
    }
  });
});

describe("a search that is no longer wanted", () => {
  test("shows nothing more, gives its memory back, and the next has the same worker", async () => {
    const remote = createRemote();
    const { searcher, onPage, asked } = withRemotes(remote);
    for (const stopAt of [1, 5, 20]) assert.equal((await shownBy(searcher, TASKS[0], { stopAt })).length, stopAt);
    assertBits((await shownBy(searcher, TASKS[0])).at(-1), TASKS[0]);
    const count = (/** @type {string} */ method) => remote.log.filter((each) => each === method).length;
    assert.equal(count("createFit"), 4);
    assert.equal(count("free"), 4);
    assert.equal(asked.starts, 1);
    assert.equal(remote.ends, 0);
    assert.deepEqual(onPage, []);
  });

  test("before the worker is there asks it for nothing", async () => {
    const remote = createRemote();
    assert.deepEqual(await shownBy(withRemotes(remote).searcher, TASKS[0], { stopAt: 0 }), []);
    assert.deepEqual(remote.log, []);
  });

  test("several at once share one worker", async () => {
    const remote = createRemote();
    const { searcher, asked } = withRemotes(remote);
    const all = await Promise.all([shownBy(searcher, TASKS[0], { stopAt: 2 }), ...TASKS.map((task) => shownBy(searcher, task))]);
    TASKS.forEach((task, i) => void assertBits(all[i + 1].at(-1), task));
    assert.equal(asked.starts, 1);
  });

  test("the worker is ended after a while, not during a search, and comes again", async () => {
    const remotes = [createRemote(), createRemote()];
    const { searcher, asked } = withRemotes(...remotes);
    await shownBy(searcher, TASKS[0]);
    mock.timers.tick(4000);
    await shownBy(searcher, TASKS[0]);
    mock.timers.tick(4000);
    assert.equal(remotes[0].ends, 0);
    mock.timers.tick(1001);
    await new Promise(setImmediate);
    assert.equal(remotes[0].ends, 1);
    assertBits((await shownBy(searcher, TASKS[1])).at(-1), TASKS[1]);
    assert.equal(asked.starts, 2);
    assert.equal(remotes[1].ends, 0);
  });
});

describe("the page takes over", () => {
  for (const failAt of [1, 2, 10, 40]) {
    test(`where the worker fails at call ${failAt}: it is ended, and the next search has another`, async () => {
      const [dead, next] = [createRemote({ failAt }), createRemote()];
      const { searcher, onPage, asked } = withRemotes(dead, next);
      assertBits((await shownBy(searcher, TASKS[3])).at(-1), TASKS[3]);
      await new Promise(setImmediate);
      assert.deepEqual(onPage, ["createFit"]);
      assert.equal(dead.ends, 1);
      assertBits((await shownBy(searcher, TASKS[3])).at(-1), TASKS[3]);
      assert.deepEqual([onPage.length, asked.starts, next.ends], [1, 2, 0]);
    });
  }

  test("where the worker says nothing any more", async () => {
    const silent = createRemote({ silentAt: 10 });
    const { searcher, onPage } = withRemotes(silent);
    const search = shownBy(searcher, TASKS[3]);
    while (silent.log.length < 10) await new Promise(setImmediate);
    mock.timers.tick(2999);
    await new Promise(setImmediate);
    assert.deepEqual(onPage, []);
    mock.timers.tick(2);
    assertBits((await search).at(-1), TASKS[3]);
    assert.equal(silent.ends, 1);
  });

  test("not for a search that is over when the worker fails", async () => {
    const silent = createRemote({ silentAt: 10 });
    const { searcher, onPage } = withRemotes(silent);
    let isWanted = true;
    const search = searcher.run({ id: "silu", options: { reference: "gelu" }, frames: 45, isWanted: () => isWanted, show() {} });
    while (silent.log.length < 10) await new Promise(setImmediate);
    isWanted = false;
    mock.timers.tick(3001);
    await search;
    assert.deepEqual(onPage, []);
  });

  test("where the script does not load, and asks for it again next time", async () => {
    const remote = createRemote();
    let tries = 0;
    const { searcher, onPage } = searcherOf(async () => {
      if (tries++ === 0) throw new Error("a script of this page did not load");
      return { gelu, remotes: async () => [remote] };
    });
    assertBits((await shownBy(searcher, TASKS[0])).at(-1), TASKS[0]);
    assert.equal(onPage.length, 1);
    assertBits((await shownBy(searcher, TASKS[0])).at(-1), TASKS[0]);
    assert.equal(onPage.length, 1);
    assert.equal(remote.log.at(-1), "free");
  });

  test("where the script does not come in time; when it has come the worker is there", async () => {
    const remote = createRemote();
    /** @type {(value: any) => void} */
    let arrive = () => {};
    const { searcher, onPage } = searcherOf(() => new Promise((resolve) => (arrive = resolve)));
    const search = shownBy(searcher, TASKS[0]);
    await new Promise(setImmediate);
    mock.timers.tick(3001);
    assertBits((await search).at(-1), TASKS[0]);
    assert.equal(onPage.length, 1);
    arrive({ gelu, remotes: async () => [remote] });
    assertBits((await shownBy(searcher, TASKS[0])).at(-1), TASKS[0]);
    assert.equal(onPage.length, 1);
  });

  test("and says what is wrong where the search itself is", async () => {
    const { searcher } = withRemotes(createRemote());
    await assert.rejects(shownBy(searcher, ["gelu_sigmoid", { reference: "gelu", from: 1, to: 0 }]), GeluError);
  });
});
