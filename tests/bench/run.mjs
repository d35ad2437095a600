/**
 * `./build.sh bench [--quick]`: measures everyone, writes results.md here and the summary into README.md, prints it.
 * --quick is a try-out in a minute or two. --rounds=, --processes= override; with fewer than the full numbers everything
 * goes to build/bench/results.md and nothing that is committed changes.
 */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { loadGelu } from "../../dist/lib/gelu.js";
import { openChromium } from "./chromium.mjs";
import { inputsOf } from "./inputs.js";
import { measureLoads } from "./load.mjs";
import { measureNative, NATIVE, nativeErrors } from "./native.mjs";
import { report, summary } from "./report.js";
import { SIZES } from "./sizes.js";
import { measureWeights } from "./weights.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
process.chdir(ROOT);

/** rounds in each process, processes of each engine; ms of a sample, ms of warm-up; points of the error scan; load rounds. */
const FULL = { rounds: 15, processes: 5, target: 4, warm: 120, points: 1_000_000, loads: 25 };
const QUICK = { rounds: 3, processes: 1, target: 1, warm: 30, points: 100_000, loads: 3 };

const CC = process.env.CC ?? "cc";
const C_FLAGS = ["-std=gnu11", "-O3", "-ffp-contract=off"];
const WASM_FLAGS = [
  ...["-msimd128", "-mbulk-memory", "-sSTANDALONE_WASM", "--no-entry", "-sMALLOC=emmalloc", "-sALLOW_MEMORY_GROWTH"],
  "-sEXPORTED_FUNCTIONS=_malloc,_free",
];

const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);

function readArguments() {
  const { values } = parseArgs({
    options: { quick: { type: "boolean", default: false }, rounds: { type: "string" }, processes: { type: "string" } },
  });
  const options = { ...(values.quick ? QUICK : FULL), quick: false };
  for (const name of /** @type {const} */ (["rounds", "processes"])) {
    if (values[name] === undefined) continue;
    const count = Number(values[name]);
    if (!Number.isInteger(count) || count < 1 || count > 1000) {
      throw new Error(`--${name}=${values[name]}: a whole number from 1 to 1000`);
    }
    options[name] = count;
  }
  options.quick = values.quick || options.rounds < FULL.rounds || options.processes < FULL.processes;
  return options;
}

async function compile() {
  await mkdir("build/bench", { recursive: true });
  execFileSync(CC, [...C_FLAGS, "tests/bench/native.c", "-lm", "-o", "build/bench/native"], { stdio: "inherit" });
  const objects = ["matrix", "size"].map((name) => `build/wasm/simd/${name}.o`);
  for (const [name, parts] of /** @type {const} */ ([
    ["musl", []],
    ["gemm", ["-Ic_src", ...objects]],
  ])) {
    const files = [`tests/bench/${name}.c`, ...parts, "-o", `build/bench/${name}.wasm`];
    execFileSync(process.env.EMCC ?? "emcc", [...C_FLAGS, ...WASM_FLAGS, ...files], { stdio: "inherit" });
  }
}

/**
 * tfjs-core as Node finds it has no gradients; its modules for bundlers have. Both find the same registry and the same
 * engine, which are global.
 */
const bundleGradients = () =>
  build({
    stdin: { contents: 'import "@tensorflow/tfjs-core/dist/register_all_gradients.js"', resolveDir: `${ROOT}tests/bench` },
    outfile: "build/bench/tfjs-gradients.mjs",
    bundle: true,
    format: "esm",
    platform: "node",
    mainFields: ["module", "main"],
    logLevel: "error",
  });

/** The first line that a command prints, or "unknown". */
function firstLine(/** @type {string} */ command, /** @type {string[]} */ args) {
  try {
    return execFileSync(command, args, { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .split("\n")[0]
      .trim();
  } catch {
    return "unknown";
  }
}

async function facts(/** @type {string} */ chromium) {
  const processors = cpus();
  const lock = JSON.parse(await readFile("tests/bench/package-lock.json", "utf8"));
  const changed = firstLine("git", ["status", "--porcelain", "--untracked-files=no"]) === "" ? "" : ", with changes";
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: `${firstLine("git", ["rev-parse", "--short", "HEAD"])}${changed}`,
    processor: `${processors[0].model.trim()}, ${processors.length} cores`,
    node: `Node ${process.versions.node} (V8 ${process.versions.v8})`,
    chromium: chromium.replace("HeadlessChrome/", "Chromium ").replace("Chrome/", "Chromium "),
    emcc: firstLine(process.env.EMCC ?? "emcc", ["--version"]),
    compiler: firstLine(CC, ["--version"]),
    libc: firstLine("ldd", ["--version"]),
    peers: Object.keys(lock.packages[""].dependencies)
      .map((name) => `${name} ${lock.packages[`node_modules/${name}`].version}`)
      .join(", "),
  };
}

function nodeProcess(/** @type {object} */ task) {
  const output = execFileSync(process.execPath, ["tests/bench/node-process.mjs", JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(output.toString());
}

/** Engines take turns too. */
async function measureAll(options, chromium, inputs) {
  const { rounds, target, warm, processes } = options;
  const task = { task: "measure", rounds, target, warm };
  const runs = { node: [], chromium: [] };
  for (let i = 1; i <= processes; i++) {
    say(`process ${i} of ${processes}: Node and native`);
    runs.node.push({ ...nodeProcess(task), ...measureNative({ sizes: SIZES, rounds, target, inputs }) });
    say(`process ${i} of ${processes}: Chromium`);
    runs.chromium.push(await chromium.measure(task));
  }
  return runs;
}

const MARKED = /(<!-- bench:begin -->)[\s\S]*?(<!-- bench:end -->)/;

/** Puts the summary between the markers of the README. */
async function fillReadme(/** @type {string} */ text) {
  const readme = await readFile("README.md", "utf8");
  if (!MARKED.test(readme)) {
    say("README.md has no <!-- bench:begin --> … <!-- bench:end -->: left as it is");
    return;
  }
  await writeFile(
    "README.md",
    readme.replace(MARKED, (_, begin, end) => `${begin}\n${text}\n${end}`),
  );
}

function readArgumentsOrExit() {
  try {
    return readArguments();
  } catch (error) {
    say(`${/** @type {Error} */ (error).message}\nusage: ./build.sh bench [--quick] [--rounds=N] [--processes=N]`);
    process.exit(2);
  }
}

const options = readArgumentsOrExit();
const started = Date.now();
await compile();
await bundleGradients();
const gelu = await loadGelu();
const inputs = inputsOf(gelu);
const chromium = await openChromium();
try {
  say("errors");
  const errors = { ...nodeProcess({ task: "errors", points: options.points }), ...(await nativeErrors(gelu, options.points)) };
  const runs = await measureAll(options, chromium, inputs);
  say("loading");
  const loads = measureLoads(options.loads);
  say("sizes");
  const weights = await measureWeights();
  const rows = [...nodeProcess({ task: "rows" }), ...NATIVE];
  const measured = { facts: await facts(chromium.version), rows, runs, errors, loads, weights, options };
  const file = options.quick ? "build/bench/results.md" : "tests/bench/results.md";
  await writeFile(file, report(measured));
  if (!options.quick) await fillReadme(summary(measured));
  process.stdout.write(`${summary(measured)}\n`);
  say(`\n${file} is written, after ${Math.round((Date.now() - started) / 1000)} s`);
} finally {
  await chromium.close();
}
