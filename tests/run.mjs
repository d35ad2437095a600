/**
 * Runs every suite, shows its output, adds up what passed and failed. `node tests/run.mjs [suite …]` runs some,
 * `--every-engine` all of them and the browser tests in each of the other engines.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import * as coverage from "./c/coverage.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const files = (/** @type {string} */ folder, /** @type {RegExp} */ pattern) =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);

/**
 * Runs a command, shows its output, answers its exit code and text.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 * @param {"at once" | "at the end" | "never"} [show]
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(command, args, environment, show = "at once") {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const [stream, out] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      stream.on("data", (data) => {
        output += data;
        if (show === "at once") out.write(data);
      });
    }
    child.on("error", (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on("close", (code) => {
      if (show === "at the end") process.stdout.write(output);
      resolve({ code: code ?? 1, output });
    });
  });
}

const count = (/** @type {string} */ text, /** @type {RegExp} */ pattern) => (text.match(pattern) ?? []).length;

/** @typedef {{ passed: number, failed: number }} Result */

const FUZZ_SECONDS = Number(process.env.FUZZ_SECONDS ?? 15);
/** Always the same inputs first, so that a failure can be had again; FUZZ_SEED=0 draws others each time. */
const FUZZ_SEED = process.env.FUZZ_SEED ?? "2026";

const PROCESSORS = availableParallelism();

/**
 * Runs the jobs, one on each processor at a time, and adds up their results.
 * @param {(() => Promise<Result>)[]} jobs
 * @returns {Promise<Result>}
 */
async function together(jobs) {
  const left = [...jobs];
  const total = { passed: 0, failed: 0 };
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      const { passed, failed } = await job();
      total.passed += passed;
      total.failed += failed;
    }
  };
  await Promise.all(Array.from({ length: PROCESSORS }, work));
  return total;
}

/** A command that passes or fails as one. */
async function single(/** @type {string} */ command, /** @type {string[]} */ args) {
  const { code } = await run(command, args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

const make = (/** @type {string[]} */ ...args) => run("make", ["-s", `-j${PROCESSORS}`, ...args]);

/** test_memory refuses memory by the linker's help. */
const PROGRAMS = files("tests/c", /^test_.*\.c$/)
  .map((source) => source.replace(/^.*\/(.*)\.c$/, "$1"))
  .filter((name) => process.platform === "linux" || name !== "test_memory");

/** What takes minutes under valgrind, and what starts programs or allocators of its own. */
const NOT_UNDER_VALGRIND = /test_(compare|depth|fast_f32|gelu_table|halffloat|kernels_f64|matrix|memory|rounded_f32)$/;
const VALGRIND = ["valgrind", "--quiet", "--error-exitcode=1", "--leak-check=full"];

/**
 * cmocka programs in one configuration; a program that ends badly without naming a test counts as one failure.
 * @param {string} configuration
 * @param {string[]} [programs]
 * @param {string[]} [before] what runs the program
 */
async function cmocka(configuration, programs = PROGRAMS, before = []) {
  const made = await make("tests", `CONFIG=${configuration}`);
  const folder = `build/native/${configuration}`;
  const environment = { CMOCKA_MESSAGE_OUTPUT: "TAP", GELU_TABLE: `${folder}/gelu-table` };
  const total = await together(
    programs.map((name) => async () => {
      const [command, ...args] = [...before, `${folder}/${name}`];
      const { code, output } = await run(command, args, environment, "at the end");
      const failed = count(output, /^not ok /gm);
      return { passed: count(output, /^ok /gm), failed: failed > 0 || code === 0 ? failed : 1 };
    }),
  );
  return { passed: total.passed, failed: total.failed + (made.code === 0 ? 0 : 1) };
}

/** All programs unoptimised, and as one more test that they run nearly every line of c_src. */
async function covered() {
  const folder = "build/native/coverage";
  await make("tests", "CONFIG=coverage");
  for (const name of readdirSync(folder).filter((name) => coverage.COUNTS.test(name))) rmSync(`${folder}/${name}`);
  const { passed, failed } = await cmocka("coverage");
  const enough = coverage.report() >= coverage.FLOOR;
  return { passed: passed + (enough ? 1 : 0), failed: failed + (enough ? 0 : 1) };
}

/** Each fuzz target for some seconds, as one test; what it found so far is in build/fuzz. */
async function fuzz() {
  const made = await make("fuzzers", "CONFIG=fuzz");
  const total = await together(
    files("tests/c/fuzz", /^fuzz_.*\.c$/).map((source) => async () => {
      const name = source.replace(/^.*fuzz_(.*)\.c$/, "$1");
      mkdirSync(`build/fuzz/${name}`, { recursive: true });
      const limits = [
        `-seed=${FUZZ_SEED}`,
        `-max_total_time=${FUZZ_SECONDS}`,
        "-timeout=20",
        "-rss_limit_mb=2048",
        `-artifact_prefix=build/fuzz/${name}-`,
      ];
      const target = `build/native/fuzz/fuzz_${name}`;
      const { code, output } = await run(
        target,
        [...limits, "-verbosity=0", "-print_final_stats=1", `build/fuzz/${name}`],
        {},
        "at the end",
      );
      const executions = output.match(/number_of_executed_units: *(\d+)/)?.[1] ?? "?";
      console.log(`${code === 0 ? "ok" : "not ok"} - fuzz ${name}: ${executions} executions`);
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
    }),
  );
  return { passed: total.passed, failed: total.failed + (made.code === 0 ? 0 : 1) };
}

/** A part of the proof (tests/prove/prove.mjs), which answers in TAP as well. */
async function proof(/** @type {string} */ part) {
  const made = await run("make", ["-s", "prove-tools"]);
  const { code, output } = made.code === 0 ? await run("node", ["tests/prove/prove.mjs", part]) : made;
  const failed = count(output, /^not ok /gm);
  return { passed: count(output, /^ok /gm), failed: failed > 0 || code === 0 ? failed : 1 };
}

/** They take minutes; of the others the size is a good guess. */
const LONG = /\/(access|embed|engines|faults|lesson|lighthouse|page|parity)\.test\.mjs$/;

/**
 * The files of a folder, the longest first, so that none is left alone at the end. They are named one by one: `node --test
 * FOLDER` skips some and says nothing.
 */
function testsIn(/** @type {string} */ folder) {
  const length = (/** @type {string} */ file) => (LONG.test(file) ? 1e6 : 0) + statSync(file).size;
  return files(folder, /\.test\.mjs$/).sort((a, b) => length(b) - length(a));
}

const nodeTests = () => together(testsIn("tests/node").map((file) => () => nodeTest(file)));

/** @param {string} file @param {Record<string, string>} [environment] */
async function nodeTest(file, environment) {
  const started = Date.now();
  const { code, output } = await run("node", ["--test", "--test-reporter=tap", file], environment, "at the end");
  const number = (/** @type {string} */ name) => Number(output.match(new RegExp(`^# ${name} (\\d+)$`, "m"))?.[1] ?? 0);
  const failed = number("fail") + number("cancelled");
  console.log(`== ${file}: ${number("pass")} passed, ${failed} failed, ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return { passed: number("pass"), failed: failed > 0 || code === 0 ? failed : 1 };
}

/** What starts the engines that it is about itself. */
const CHOOSES_ENGINES = /\/(engines|lighthouse|paper|webkit)\.test\.mjs$/;

/** More files than so many that fail once and not again are no accident. */
const MOST_UNSTEADY = 2;
/** @type {string[]} */
const unsteady = [];

/**
 * The browser tests. A browser on a machine with other work can be late once, so a file that fails is run again when the others
 * are done; what it said the first time stands above, and the last line of all names it.
 * @param {string} engine
 */
async function browserTests(engine) {
  const all = testsIn("tests/browser").filter((file) => engine === "chromium" || !CHOOSES_ENGINES.test(file));
  const environment = { ENGINE: engine };
  /** @type {Map<string, Result>} */
  const results = new Map();
  await together(
    all.map((file) => async () => {
      const result = await nodeTest(file, environment);
      results.set(file, result);
      return result;
    }),
  );
  const failed = all.filter((file) => results.get(file)?.failed !== 0);
  if (failed.length <= MOST_UNSTEADY) {
    for (const file of failed) {
      console.log(`== ${file} failed; once more, alone`);
      const again = await nodeTest(file, environment);
      if (again.failed === 0) {
        unsteady.push(engine === "chromium" ? file : `${file} in ${engine}`);
        results.set(file, again);
      }
    }
  }
  return [...results.values()].reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }));
}

const CPPCHECK = [
  ...["--quiet", "--std=c11", "--enable=warning,performance,portability", "--error-exitcode=1"],
  ...["--suppress=missingIncludeSystem", "-Ic_src", "c_src"],
];

/**
 * One test: the command succeeds for every file.
 * @param {string} command
 * @param {string[]} sources
 * @param {(source: string) => string[]} argumentsFor
 */
async function all(command, sources, argumentsFor) {
  const outcomes = await together(
    sources.map((source) => async () => {
      const { code, output } = await run(command, argumentsFor(source), {}, "never");
      if (code !== 0) console.log(output);
      return { passed: 0, failed: code === 0 ? 0 : 1 };
    }),
  );
  return outcomes.failed === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function lint() {
  const bin = "node_modules/.bin/";
  const c = ["c_src", "tests/c", "tests/c/fuzz", "tests/c/reference", "tests/prove", "tests/bench"].flatMap((folder) =>
    files(folder, /\.[ch]$/),
  );
  const sources = files("c_src", /\.c$/);
  // gcc 12 takes the lanes of a vector for the bits of its numbers: every shift is too far for it.
  const analyzer = [
    "-std=c11",
    "-O0",
    "-fanalyzer",
    "-Wno-analyzer-shift-count-overflow",
    "-Werror",
    "-Ic_src",
    "-c",
    "-o",
    "/dev/null",
  ];
  const steps = [
    await single("cppcheck", CPPCHECK),
    await all("clang-tidy", sources, (source) => ["--quiet", source, "--", "-std=c11", "-Ic_src"]),
    ...(process.platform === "linux" ? [await all("gcc", sources, (source) => [...analyzer, source])] : []),
    await single(`${bin}biome`, ["ci", "--colors=off", "."]),
    await single(`${bin}tsc`, ["--project", "tsconfig.json"]),
    await single("clang-format", ["--dry-run", "--Werror", ...c]),
    await single("shellcheck", ["build.sh", ".ci/run"]),
    await single(`${bin}html-validate`, ["index.html", "dist/site/**/*.html"]),
  ];
  return steps.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }));
}

/** @type {Record<string, () => Promise<{ passed: number, failed: number }>>} */
const suites = {
  lint,
  cmocka: () => cmocka("release"),
  "cmocka under ASan and UBSan": () => cmocka("asan"),
  // Elsewhere one compiler goes by both names, and has no fuzzer.
  ...(process.platform === "linux"
    ? {
        "cmocka, gcc -O0, and the lines that it runs": covered,
        "cmocka, gcc -O3": () => cmocka("gcc-O3"),
        "cmocka, clang -O0": () => cmocka("clang-O0"),
        "cmocka, clang -O3": () => cmocka("clang-O3"),
        "cmocka under valgrind": () =>
          cmocka(
            "gcc-O3",
            PROGRAMS.filter((name) => !NOT_UNDER_VALGRIND.test(name)),
            VALGRIND,
          ),
        fuzz,
      }
    : {}),
  // The long double of other systems is no better than a double, or their linker cannot put a fault into a library.
  ...(process.platform === "linux"
    ? { "the proof, strided": () => proof("sample"), "the proof finds faults": () => proof("self-test") }
    : {}),
  node: nodeTests,
  browser: () => browserTests("chromium"),
};

/** Each nearly as long as all of the above: they run when they are asked for. */
const everySuite = {
  ...suites,
  "browser in firefox": () => browserTests("firefox"),
  "browser in webkit": () => browserTests("webkit"),
};

let wanted = process.argv.slice(2);
if (wanted.length === 0) wanted = Object.keys(suites);
else if (wanted[0] === "--every-engine") wanted = Object.keys(everySuite);
const total = { passed: 0, failed: 0 };
for (const name of wanted) {
  if (!Object.hasOwn(everySuite, name)) {
    console.error(`unknown suite ${JSON.stringify(name)}; allowed: ${Object.keys(everySuite).join(", ")}`);
    process.exit(2);
  }
  console.log(`\n== ${name}`);
  const started = Date.now();
  const { passed, failed } = await everySuite[name]();
  console.log(`== ${name}: passed ${passed}, failed ${failed}, in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  // A suite that ran nothing has proved nothing.
  total.passed += passed;
  total.failed += passed + failed === 0 ? 1 : failed;
}
const named = unsteady.length > 0 ? `; failed once and passed when run again: ${unsteady.join(", ")}` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${named}`);
process.exit(total.failed === 0 ? 0 : 1);
