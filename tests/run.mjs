/** Runs every suite, shows its output, adds up what passed and failed. `node tests/run.mjs [suite …]` runs some. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const files = (/** @type {string} */ folder, /** @type {RegExp} */ pattern) =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);

/**
 * Runs a command, passes its output through, answers its exit code and text.
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(command, args, environment) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const [stream, out] of /** @type {const} */ ([
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ])) {
      stream.on("data", (data) => {
        output += data;
        out.write(data);
      });
    }
    child.on("error", (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

const count = (/** @type {string} */ text, /** @type {RegExp} */ pattern) => (text.match(pattern) ?? []).length;

/** A command that passes or fails as one. */
async function single(/** @type {string} */ command, /** @type {string[]} */ args) {
  const { code } = await run(command, args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

/** All cmocka programs in one configuration; a program that ends badly without naming a test counts as one failure. */
async function cmocka(/** @type {string} */ configuration) {
  const made = await run("make", ["-s", "tests", `CONFIG=${configuration}`]);
  const total = { passed: 0, failed: made.code === 0 ? 0 : 1 };
  for (const source of files("tests/c", /^test_.*\.c$/)) {
    const program = source.replace("tests/c/", `build/native/${configuration}/`).replace(/\.c$/, "");
    const { code, output } = await run(program, [], { CMOCKA_MESSAGE_OUTPUT: "TAP" });
    const failed = count(output, /^not ok /gm);
    total.passed += count(output, /^ok /gm);
    total.failed += failed > 0 || code === 0 ? failed : 1;
  }
  return total;
}

/** A part of the proof (tests/prove/prove.mjs), which answers in TAP as well. */
async function proof(/** @type {string} */ part) {
  const made = await run("make", ["-s", "prove-tools"]);
  const { code, output } = made.code === 0 ? await run("node", ["tests/prove/prove.mjs", part]) : made;
  const failed = count(output, /^not ok /gm);
  return { passed: count(output, /^ok /gm), failed: failed > 0 || code === 0 ? failed : 1 };
}

/** One folder of node tests. Files are named one by one: `node --test FOLDER` skips some and says nothing. */
async function nodeTests(/** @type {string} */ folder) {
  const { code, output } = await run("node", ["--test", "--test-reporter=tap", ...files(folder, /\.test\.mjs$/)]);
  const number = (/** @type {string} */ name) => Number(output.match(new RegExp(`^# ${name} (\\d+)$`, "m"))?.[1] ?? 0);
  const failed = number("fail") + number("cancelled");
  return { passed: number("pass"), failed: failed > 0 || code === 0 ? failed : 1 };
}

async function lint() {
  const bin = "node_modules/.bin/";
  const c = ["c_src", "tests/c", "tests/c/reference", "tests/prove", "tests/bench"].flatMap((folder) => files(folder, /\.[ch]$/));
  const steps = [
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
  // The long double of other systems is no better than a double, or their linker cannot put a fault into a library.
  ...(process.platform === "linux"
    ? { "the proof, strided": () => proof("sample"), "the proof finds faults": () => proof("self-test") }
    : {}),
  node: () => nodeTests("tests/node"),
  browser: () => nodeTests("tests/browser"),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(suites);
const total = { passed: 0, failed: 0 };
for (const name of wanted) {
  if (!Object.hasOwn(suites, name)) {
    console.error(`unknown suite ${JSON.stringify(name)}; allowed: ${Object.keys(suites).join(", ")}`);
    process.exit(2);
  }
  console.log(`\n== ${name}`);
  const started = Date.now();
  const { passed, failed } = await suites[name]();
  console.log(`== ${name}: passed ${passed}, failed ${failed}, in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  // A suite that ran nothing has proved nothing.
  total.passed += passed;
  total.failed += passed + failed === 0 ? 1 : failed;
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
