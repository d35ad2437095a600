/**
 * The proof of the kernels' accuracy: gives the pieces of build/prove/prove to all cores, keeps what each found, adds up.
 *
 *   node tests/prove/prove.mjs [word …]     all of it, or the parts whose name has each word (float32 gelu 0)
 *   node tests/prove/prove.mjs sample       a strided part in under a minute, in TAP; `test` runs it
 *   node tests/prove/prove.mjs self-test    whether the proof finds faults that are put into a library on purpose, in TAP
 *
 * All of it writes tests/prove/results.txt and tests/prove/hardest/*.txt. What is done stands in build/prove/state.jsonl, so
 * that a run that was stopped goes on where it was; another program (other kernels, another proof) begins anew.
 * PROVE_CORES: how many processes at a time (default: all cores). Exit code 1 if anything is wrong.
 */
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseHex } from "../../web/build/vectors.mjs";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));

const PROGRAM = "build/prove/prove";
const STATE = "build/prove/state.jsonl";
const RESULTS = "tests/prove/results.txt";
const HARDEST = "tests/prove/hardest";
const HARDEST_KEPT = 64;
const CORES = Number(process.env.PROVE_CORES) || availableParallelism();

const run = promisify(execFile);

/** Display order of the table; those with parameters have a part of their own for other parameters. */
const FUNCTIONS = [
  ...["gelu", "gelu_tanh", "gelu_sigmoid", "relu", "sigmoid", "tanh"],
  ...["silu", "softplus", "elu", "leaky_relu", "mish", "normal_cdf"],
];
const WITH_PARAMETERS = ["gelu_tanh", "gelu_sigmoid", "sigmoid", "silu", "elu", "leaky_relu"];
/** Whose float32 value is promised to be the nearest. */
const NEAREST = ["gelu", "gelu_tanh", "gelu_sigmoid", "relu", "sigmoid", "tanh", "silu", "normal_cdf"];

/**
 * @typedef {{ size: number, x: string }} Extreme
 * @typedef {[x: string, nearest: string, distance: number]} Hard
 * @typedef {{
 *   inputs: number, wrong: number, notNearest: number, byRule: number, byMpfr: number, checked: number, deviation: number,
 *   seconds: number, worst: Extreme, nearZero: Extreme, fast: Extreme, smallHard: Hard[], hard: Hard[], faults: string[],
 * }} Tally what tally.h says
 * @typedef {{ name: string, kind: string, id: string, order: number, stride: number, pieces: number, batch: number }} Part
 * @typedef {{ part: Part, first: number, end: number }} Task
 */

// ---------- the parts ----------

/** The largest part of float32 first: what takes longest must not be left to one core at the end. */
function parts(/** @type {{ strides: (id: string, order: number) => number, points: number, sets: number }} */ plan) {
  /** @type {Part[]} */
  const list = [];
  for (const order of [0, 1, 2])
    for (const id of FUNCTIONS) {
      const stride = plan.strides(id, order);
      const which = stride === 1 ? "every input" : `one input in ${stride}`;
      const pieces = Number(execFileSync(PROGRAM, ["pieces", id, String(order), String(stride), "0"], { encoding: "utf8" }));
      list.push({ name: `float32 ${id} order ${order}, ${which}`, kind: "float32", id, order, stride, pieces, batch: 16 });
    }
  for (const id of FUNCTIONS)
    for (const order of [0, 1, 2]) {
      const name = `float64 ${id} order ${order}`;
      list.push({ name, kind: "float64", id, order, stride: 0, pieces: Math.ceil(plan.points / 50_000), batch: 20 });
    }
  for (const id of WITH_PARAMETERS)
    for (const order of [0, 1, 2])
      list.push({
        name: `parameters ${id} order ${order}`,
        kind: "parameters",
        id,
        order,
        stride: 0,
        pieces: plan.sets,
        batch: 20,
      });
  return list;
}

const WHOLE = {
  strides: (/** @type {string} */ id, /** @type {number} */ order) => (order === 0 || id === "gelu" ? 1 : 16),
  points: 1e7,
  sets: 60,
};
/** A prime, so that all bits of the inputs vary. */
const SAMPLE = { strides: () => 1021, points: 1e4, sets: 4 };

/** @returns {Promise<Tally>} */
async function runTask(/** @type {Task} */ { part, first, end }, program = PROGRAM, environment = {}) {
  const range = [String(first), String(end)];
  const strided = part.kind === "float32" ? [String(part.stride), "0"] : [];
  const { stdout } = await run(program, [part.kind, part.id, String(part.order), ...strided, ...range], {
    maxBuffer: 2 ** 24,
    env: { ...process.env, ...environment },
  });
  return JSON.parse(stdout);
}

// ---------- adding up ----------

/** @returns {Tally} */
function nothing() {
  const none = { size: 0, x: "0x0p+0" };
  const counts = { inputs: 0, wrong: 0, notNearest: 0, byRule: 0, byMpfr: 0, checked: 0, deviation: 0, seconds: 0 };
  return { ...counts, worst: none, nearZero: none, fast: none, smallHard: [], hard: [], faults: [] };
}

const larger = (/** @type {Extreme} */ a, /** @type {Extreme} */ b) => (b.size > a.size ? b : a);

/** The hardest of two lists, each input once. */
function hardest(/** @type {Hard[]} */ a, /** @type {Hard[]} */ b) {
  const all = new Map([...a, ...b].map((row) => [row[0], row]));
  return [...all.values()].sort((p, q) => p[2] - q[2] || (p[0] < q[0] ? -1 : 1)).slice(0, HARDEST_KEPT);
}

/** @returns {Tally} */
function add(/** @type {Tally} */ a, /** @type {Tally} */ b) {
  return {
    inputs: a.inputs + b.inputs,
    wrong: a.wrong + b.wrong,
    notNearest: a.notNearest + b.notNearest,
    byRule: a.byRule + b.byRule,
    byMpfr: a.byMpfr + b.byMpfr,
    checked: a.checked + b.checked,
    deviation: Math.max(a.deviation, b.deviation),
    seconds: a.seconds + b.seconds,
    worst: larger(a.worst, b.worst),
    nearZero: larger(a.nearZero, b.nearZero),
    fast: larger(a.fast, b.fast),
    smallHard: hardest(a.smallHard, b.smallHard),
    hard: hardest(a.hard, b.hard),
    faults: [...a.faults, ...b.faults].slice(0, 10),
  };
}

// ---------- the state of a run ----------

/** Tallies by part and first piece, of this very program. */
class State {
  constructor(/** @type {string} */ key) {
    /** @type {Map<string, Tally>} */
    this.done = new Map();
    /** @type {Map<string, Task>} */
    this.ranges = new Map();
    const lines = existsSync(STATE) ? readFileSync(STATE, "utf8").split("\n") : [];
    const kept = lines[0] === JSON.stringify({ key }) ? lines.slice(1).filter((line) => this.take(line)) : [];
    // Written anew without the line that an interruption may have torn.
    writeFileSync(STATE, [JSON.stringify({ key }), ...kept, ""].join("\n"));
  }

  take(/** @type {string} */ line) {
    try {
      const { name, first, end, tally } = JSON.parse(line);
      this.done.set(`${name} ${first} ${end}`, tally);
      return true;
    } catch {
      return false;
    }
  }

  has(/** @type {Task} */ { part, first, end }) {
    return this.done.has(`${part.name} ${first} ${end}`);
  }

  record(/** @type {Task} */ { part, first, end }, /** @type {Tally} */ tally) {
    // JSON knows no infinity; written as C writes it, JSON.parse reads it as one.
    const line = JSON.stringify({ name: part.name, first, end, tally }, (_, value) =>
      value === Infinity ? "∞" : value,
    ).replaceAll('"∞"', "1e999");
    appendFileSync(STATE, `${line}\n`);
    this.take(line);
  }

  total(/** @type {Part} */ part) {
    return tasksOf(part)
      .filter((task) => this.has(task))
      .map(({ first, end }) => /** @type {Tally} */ (this.done.get(`${part.name} ${first} ${end}`)))
      .reduce(add, nothing());
  }
}

/** The first piece of a part stands alone: it tells how long the rest will take. */
function tasksOf(/** @type {Part} */ part) {
  /** @type {Task[]} */
  const tasks = [];
  for (let first = 0; first < part.pieces; ) {
    const end = first === 0 ? 1 : Math.min(part.pieces, first + part.batch);
    tasks.push({ part, first, end });
    first = end;
  }
  return tasks;
}

/** Core-seconds that are left, by the pieces of each part that are done; at least the first is. */
function secondsLeft(/** @type {Part[]} */ list, /** @type {State} */ state) {
  let left = 0;
  for (const part of list) {
    const done = tasksOf(part).filter((task) => state.has(task));
    const pieces = done.reduce((sum, { first, end }) => sum + end - first, 0);
    if (pieces > 0) left += (state.total(part).seconds / pieces) * (part.pieces - pieces);
  }
  return left;
}

const minutes = (/** @type {number} */ seconds) => `${(seconds / 60).toFixed(seconds < 600 ? 1 : 0)} min`;
const count = (/** @type {number} */ n) => n.toLocaleString("en");

/** Runs tasks on all cores, but for those that are done; `report` is told of each. */
async function runTasks(/** @type {Task[]} */ tasks, /** @type {State} */ state, /** @type {(task: Task) => void} */ report) {
  const queue = tasks.filter((task) => !state.has(task));
  const worker = async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
      state.record(task, await runTask(task));
      report(task);
    }
  };
  await Promise.all(Array.from({ length: CORES }, worker));
}

// ---------- what it says ----------

const decimal = (/** @type {string} */ hex) => Number(parseHex(hex).toPrecision(9));

function errorText(/** @type {Part} */ part, /** @type {Tally} */ tally) {
  if (tally.worst.size === 0) return part.kind === "float64" ? "exact" : "at most 0.5 ULP";
  return `${tally.worst.size.toFixed(4)} ULP at ${decimal(tally.worst.x)} (${tally.worst.x})`;
}

function lineOf(/** @type {Part} */ part, /** @type {Tally} */ tally) {
  const said = [`${part.name}: ${count(tally.inputs)} inputs`];
  if (part.kind === "float32" && part.order === 0)
    said.push(
      `${count(tally.notNearest)} ${NEAREST.includes(part.id) ? "wrong roundings" : "not the nearest float32 (1 ULP is allowed)"}`,
    );
  said.push(`${count(tally.wrong)} wrong`, `worst ${errorText(part, tally)}`);
  if (tally.nearZero.size > 0)
    said.push(`within 1/4 of a zero at most ${tally.nearZero.size.toFixed(4)} of 2^-52 at ${decimal(tally.nearZero.x)}`);
  if (tally.fast.size > 0)
    said.push(`fast tier at most ${tally.fast.size.toFixed(4)} ULP at ${decimal(tally.fast.x)} (${tally.fast.x})`);
  said.push(`by rule ${count(tally.byRule)}, by MPFR ${count(tally.byMpfr)}`);
  if (tally.checked > 0)
    said.push(`reference checked at ${count(tally.checked)}, off by ${tally.deviation.toFixed(3)} of its bound`);
  said.push(`${tally.seconds.toFixed(1)} s`);
  return said.join("; ");
}

function output(/** @type {string} */ command, /** @type {string[]} */ args) {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

function heading() {
  const commit = output("git", ["rev-parse", "HEAD"]) || "unknown";
  // What the proof itself writes does not count as a change.
  const dirty =
    commit !== "unknown" &&
    output("git", ["status", "--porcelain", "--", ".", ":!tests/prove/results.txt", `:!${HARDEST}`]) !== "";
  const compiler = output(process.env.CC ?? "cc", ["--version"]).split("\n")[0];
  return [
    "The proof of the kernels' accuracy: the output of ./build.sh prove (tests/prove/prove.mjs says how it works).",
    "",
    `commit     ${commit}${dirty ? ", with changes that are not committed" : ""}`,
    `date       ${new Date().toISOString()}`,
    `compiler   ${compiler}`,
    `processor  ${cpus()[0]?.model.trim() ?? "unknown"}, ${CORES} processes`,
    "",
    "float32    against long double arithmetic where its error bound of 2^-54 decides the rounding with room to spare (2^-44),",
    "           against MPFR where it does not, against a proved rule where the answer needs no computation (truth.c); each",
    "           input in two surroundings at least (float32.c).",
    "float64    random inputs against binary128 arithmetic (error below 2^-98 of what it adds up); MPFR gives every worst error",
    "           and checks the arithmetic at one input in 1021. A sample, not a proof.",
    "parameters random parameters and inputs, half of them float32 (1 ULP is allowed), half float64 (4 ULP).",
    "wrong      counts results outside the contract, and results that depend on their neighbours.",
    "worst      is told to a thousandth; a float32 result that is always the nearest counts as 0.5 ULP at most.",
    "seconds    are those of one core.",
    "",
  ];
}

// ---------- the hardest inputs ----------

/** Those of earlier runs stay until harder ones push them out: a strided run knows only a part. */
function writeHardest(/** @type {string} */ id, /** @type {Tally} */ tally) {
  const path = `${HARDEST}/${id}.txt`;
  /** @type {Hard[]} */
  const known = (existsSync(path) ? readFileSync(path, "utf8").split("\n") : [])
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [x, nearest, distance] = line.split(" ");
      return [x, nearest, 2 ** Number(distance)];
    });
  const isSmall = (/** @type {Hard} */ row) => Math.abs(parseHex(row[0])) < 2 ** -12;
  const small = hardest(tally.smallHard, known.filter(isSmall));
  const large = hardest(
    tally.hard,
    known.filter((row) => !isSmall(row)),
  );
  if (small.length + large.length === 0) return;
  const lines = [...small, ...large].map(([x, nearest, distance]) => `${x} ${nearest} ${Math.log2(distance).toFixed(2)}`);
  mkdirSync(HARDEST, { recursive: true });
  writeFileSync(
    path,
    [
      `# x, the float32 nearest to ${id}(x), and log2 of how far the truth is from the middle of two float32, as a share of it.`,
      `# The hardest ${HARDEST_KEPT} below 2^-12 in size and the hardest ${HARDEST_KEPT} others, decided by MPFR. Written by tests/prove/prove.mjs:`,
      `# the last run tried ${count(tally.inputs)} inputs; of earlier runs the hardest are kept.`,
      ...lines,
      "",
    ].join("\n"),
  );
}

// ---------- scalar, SIMD and native ----------

/** tests/node/parity.test.mjs with ten million inputs for each function and order. */
async function parity(/** @type {(text: string) => void} */ say) {
  const started = Date.now();
  const result = await run("node", ["--test", "--test-reporter=tap", "tests/node/parity.test.mjs"], {
    env: { ...process.env, PARITY_COUNT: "10000000" },
    maxBuffer: 2 ** 26,
  }).catch((error) => error);
  const passed = Number(/^# pass (\d+)$/m.exec(result.stdout ?? "")?.[1] ?? 0);
  const good = result.code === undefined && passed > 0;
  say(
    `parity: native, wasm with SIMD and without give ${good ? "the same bits" : "DIFFERENT BITS"} for 10,000,000 inputs of each function, order and type; ${((Date.now() - started) / 1000).toFixed(0)} s`,
  );
  if (!good) say(result.stdout ?? String(result));
  return good ? 0 : 1;
}

// ---------- the three commands ----------

function fingerprint() {
  const hash = createHash("sha256");
  for (const file of [PROGRAM, "build/wasm/gelu.wasm", "build/wasm/gelu-scalar.wasm"])
    hash.update(existsSync(file) ? readFileSync(file) : "");
  return hash.digest("hex");
}

async function prove(/** @type {string[]} */ words) {
  const list = parts(WHOLE).filter(({ name }) => words.every((word) => name.split(/[ ,]+/).includes(word)));
  const whole = words.length === 0;
  const state = new State(fingerprint());
  const started = Date.now();
  let told = 0;
  const doneBefore = list.reduce((sum, part) => sum + state.total(part).seconds, 0);
  /** @type {Set<string>} */
  const finished = new Set();
  const lines = whole ? heading() : [];
  const say = (/** @type {string} */ text) => {
    console.log(text);
    lines.push(text);
    if (whole) writeFileSync(RESULTS, [...lines, ""].join("\n"));
  };
  if (whole) console.log(lines.join("\n"));
  const finish = (/** @type {Part} */ part) => {
    if (finished.has(part.name) || !tasksOf(part).every((task) => state.has(task))) return;
    finished.add(part.name);
    const tally = state.total(part);
    say(lineOf(part, tally));
    for (const fault of tally.faults) say(`  WRONG: ${fault}`);
    if (part.kind === "float32" && part.order === 0) writeHardest(part.id, tally);
  };
  const report = (/** @type {Task} */ task) => {
    finish(task.part);
    if (Date.now() - told < 10_000) return;
    told = Date.now();
    const done = list.reduce((sum, part) => sum + state.total(part).seconds, 0);
    const left = secondsLeft(list, state);
    // Others may be at work on this machine: what a second of a core took so far, it will take.
    const pace = (Date.now() - started) / 1000 / Math.max(1, done - doneBefore);
    console.error(`${((100 * done) / (done + left)).toFixed(1)} %, about ${minutes(left * pace)} left; now ${task.part.name}`);
  };
  for (const part of list) finish(part);
  const tasks = list.flatMap(tasksOf);
  const isFirst = (/** @type {Task} */ { first }) => first === 0;
  await runTasks(tasks.filter(isFirst), state, ({ part }) => finish(part));
  const estimate = secondsLeft(list, state) + list.reduce((sum, part) => sum + state.total(part).seconds, 0);
  console.error(`estimate: ${minutes(estimate)} of one core in all, ${minutes(estimate / CORES)} on ${CORES}`);
  await runTasks(tasks, state, report);
  const tallies = list.map((part) => state.total(part));
  const total = tallies.reduce(add, nothing());
  const parityFaults = whole ? await parity(say) : 0;
  const roundings = list.reduce(
    (sum, { kind, order, id }, k) =>
      sum + (kind === "float32" && order === 0 && NEAREST.includes(id) ? tallies[k].notNearest : 0),
    0,
  );
  const wrong = total.wrong + parityFaults;
  say(
    `\n${count(total.inputs)} inputs, ${count(roundings)} wrong roundings, ${count(wrong)} wrong in all; ${minutes((Date.now() - started) / 1000)} in this run, ${minutes(total.seconds)} of one core in all runs`,
  );
  return wrong === 0;
}

/** In TAP: one test for each part. */
async function sample() {
  const list = parts(SAMPLE);
  /** @type {Map<string, Tally>} */
  const totals = new Map();
  const queue = list.flatMap((part) => [{ part, first: 0, end: part.pieces }]);
  const worker = async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) totals.set(task.part.name, await runTask(task));
  };
  await Promise.all(Array.from({ length: CORES }, worker));
  let good = true;
  list.forEach((part, k) => {
    const tally = /** @type {Tally} */ (totals.get(part.name));
    good &&= tally.wrong === 0;
    console.log(`${tally.wrong === 0 ? "ok" : "not ok"} ${k + 1} - ${lineOf(part, tally)}`);
    for (const fault of tally.faults) console.log(`# ${fault}`);
  });
  return good;
}

// ---------- does the proof find what is wrong? ----------

/** The piece, of every input, that holds these bits: float32.c's order. */
const pieceOf = (/** @type {number} */ bits) => Math.floor((bits % 2 ** 24) / 4096);

/** @type {{ name: string, kind?: string, id: string, order?: number, bits: string, environment?: Record<string, string>, find: RegExp, mpfr?: boolean }[]} */
const MUTATIONS = [
  { name: "one ULP where long double decides", id: "gelu", bits: "bf9e0652", find: /nearest is/ },
  { name: "one ULP where only MPFR decides", id: "silu", bits: "37100000", find: /nearest is/, mpfr: true },
  { name: "one ULP where a rule decides", id: "gelu", bits: "c2f00000", find: /nearest is|away/ },
  { name: "one ULP at the smallest subnormal", id: "sigmoid", bits: "00000001", find: /nearest is/ },
  { name: "a NaN at infinity", id: "gelu", bits: "7f800000", find: /inf ULP away/ },
  {
    name: "one ULP in a batch of its own, at one input in 61",
    id: "gelu",
    bits: "3f80000b",
    environment: { MUTATE_WHERE: "alone" },
    find: /alone/,
  },
  {
    name: "one ULP in batches of more than one",
    id: "gelu",
    bits: "bf9e0652",
    environment: { MUTATE_WHERE: "batch" },
    find: /nearest is/,
  },
  {
    name: "one ULP alone in its group",
    id: "gelu",
    bits: "3f800010",
    environment: { MUTATE_WHERE: "lone" },
    find: /alone in its group/,
  },
  {
    name: "more than one ULP of a derivative",
    id: "gelu",
    order: 1,
    bits: "bfc00000",
    environment: { MUTATE_BY: "2" },
    find: /away, allowed 1/,
  },
  {
    name: "more than five ULP in the fast tier",
    id: "gelu",
    bits: "bfc00000",
    environment: { MUTATE_TIER: "1", MUTATE_BY: "7" },
    find: /away, allowed 5/,
  },
];

async function selfTest() {
  let good = true;
  let number = 0;
  const say = (/** @type {boolean} */ found, /** @type {string} */ text) => {
    good &&= found;
    console.log(`${found ? "ok" : "not ok"} ${++number} - ${text}`);
  };
  const part = { name: "", kind: "float32", id: "gelu", order: 0, stride: 1, pieces: 4096, batch: 1 };
  for (const { name, id, order = 0, bits, environment = {}, find, mpfr = false } of MUTATIONS) {
    const piece = pieceOf(Number.parseInt(bits, 16));
    const task = { part: { ...part, id, order }, first: piece, end: piece + 1 };
    const tally = await runTask(task, "build/prove/mutated", { MUTATE_F32: bits, ...environment });
    const found = tally.wrong > 0 && tally.faults.some((fault) => find.test(fault)) && (!mpfr || tally.byMpfr > 0);
    say(found, `finds ${name}: ${tally.faults[0] ?? "nothing"}`);
  }
  const clean = await runTask({ part, first: pieceOf(0x3f800000), end: pieceOf(0x3f800000) + 1 }, "build/prove/mutated");
  say(clean.wrong === 0, "finds nothing where nothing was changed");
  const double = { part: { ...part, kind: "float64" }, first: 0, end: 1 };
  const tally = await runTask(double, "build/prove/mutated", { MUTATE_EVERY_F64: "1" });
  say(
    tally.wrong > 0 && tally.faults.some((fault) => /away, allowed 2/.test(fault)),
    `finds three ULP in float64: ${tally.faults[0] ?? "nothing"}`,
  );
  return good;
}

const [command = "", ...rest] = process.argv.slice(2);
const good =
  command === "sample"
    ? await sample()
    : command === "self-test"
      ? await selfTest()
      : await prove(command === "" ? [] : [command, ...rest]);
process.exit(good ? 0 : 1);
