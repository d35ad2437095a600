/** The npm package as others get it: what is in the tarball, what it says of itself, its types, and its README's program. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { programs } from "../programs.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

const FUNCTIONS = "elu gelu gelu_sigmoid gelu_tanh leaky_relu mish normal_cdf relu sigmoid silu softplus tanh".split(" ");
const CONTENTS = [
  "README.md",
  "gelu-fallback.d.ts",
  "gelu-fallback.js",
  "gelu.d.ts",
  "gelu.js",
  "gelu.wasm",
  "package.json",
  ...FUNCTIONS.map((name) => `vectors/${name}.csv`),
];

let folder = "";
let installed = "";
before(async () => {
  const { version } = JSON.parse(await readFile(`${ROOT}package.json`, "utf8"));
  folder = await mkdtemp(join(tmpdir(), "package-"));
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--silent", `${ROOT}dist/npm/gelu-lab-${version}.tgz`];
  execFileSync("npm", install, { cwd: folder, stdio: "inherit" });
  installed = join(folder, "node_modules/gelu-lab");
});
after(() => rm(folder, { recursive: true, force: true }));

describe("the tarball", () => {
  test("has what is listed here and nothing else, the same as dist/lib", async () => {
    const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(installed.length + 1));
    assert.deepEqual(files.sort(), [...CONTENTS].sort());
    for (const name of CONTENTS) {
      assert.deepEqual(await readFile(join(installed, name)), await readFile(`${ROOT}dist/lib/${name}`), name);
    }
  });

  test("says what it is: version, commit, licence, Node, no side effects, no dependency, no script", async () => {
    const own = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    const { version } = JSON.parse(await readFile(`${ROOT}package.json`, "utf8"));
    const page = await readFile(`${ROOT}dist/site/index.html`, "utf8");
    assert.equal(own.version, version);
    assert.match(own.commit, /^([0-9a-f]{7,40}|unknown)$/);
    assert.ok(page.includes(`${version} (${own.commit})`), "the site has another stamp");
    assert.equal(own.sideEffects, false);
    assert.equal(own.type, "module");
    assert.equal(own.engines.node, ">=18.19");
    const licences = (await readdir(ROOT)).filter((name) => /^(licen[cs]e|copying)/i.test(name));
    assert.equal(own.license === "UNLICENSED", licences.length === 0, `${own.license}, but ${licences}`);
    for (const name of ["dependencies", "peerDependencies", "scripts", "bin"]) assert.equal(own[name], undefined, name);
    assert.doesNotMatch(JSON.stringify(own), /\/(tmp|home|root|work)\b/);
  });

  test("every way in of its exports map exists, and no other is open", async () => {
    const { exports } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
    const targets = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)));
    for (const target of targets) {
      const pattern = new RegExp(`^${target.slice(2).replaceAll(".", "\\.").replace("*", ".+")}$`);
      assert.ok(
        CONTENTS.some((name) => pattern.test(name)),
        target,
      );
    }
    await writeFile(
      join(folder, "ways.mjs"),
      `import { readFile } from "node:fs/promises";
      import { createRequire } from "node:module";
      import { loadGelu } from "gelu-lab";
      import start from "gelu-lab/gelu-fallback.js";
      const { resolve } = createRequire(import.meta.url);
      const wasm = await readFile(resolve("gelu-lab/gelu.wasm"));
      const csv = await readFile(resolve("gelu-lab/vectors/gelu.csv"), "utf8");
      const one = await loadGelu({ wasm });
      const two = await loadGelu({ backend: "js", fallback: () => start });
      const closed = await import("gelu-lab/README.md").catch((error) => error.code);
      console.log(JSON.stringify([one.backend, two.backend, csv.split("\\n")[0], closed]));`,
    );
    const { stdout } = await run("node", ["ways.mjs"], { cwd: folder });
    assert.deepEqual(JSON.parse(stdout), [
      "wasm-simd",
      "js",
      "function,order,parameters,x,float64,float32",
      "ERR_PACKAGE_PATH_NOT_EXPORTED",
    ]);
  });

  test("its sizes, to be told; the README tells that of the fallback", async () => {
    const compressed = new Map();
    for (const name of ["gelu.js", "gelu.wasm", "gelu-fallback.js"]) {
      const bytes = await readFile(join(installed, name));
      compressed.set(name, brotliCompressSync(bytes).length);
      console.log(`${name}: ${bytes.length} bytes, ${compressed.get(name)} with brotli`);
    }
    const told = (await readFile(join(installed, "README.md"), "utf8")).match(/(\d+) kB with brotli/)[1];
    assert.ok(Math.abs(compressed.get("gelu-fallback.js") - 1000 * told) < 1000);
  });
});

test("the vectors hold what the kernels give, read as a stranger would read them", async () => {
  const { loadGelu } = await import(join(installed, "gelu.js"));
  const gelu = await loadGelu();
  const number = (text) => ({ nan: Number.NaN, inf: Infinity, "-inf": -Infinity })[text] ?? Number(text);
  for (const id of FUNCTIONS) {
    const [head, ...rows] = (await readFile(join(installed, `vectors/${id}.csv`), "utf8")).trimEnd().split("\n");
    assert.equal(head, "function,order,parameters,x,float64,float32");
    const usual = rows
      .map((row) => row.split(","))
      .filter(([, , parameters, , , float32]) => parameters === "" && float32 !== "");
    assert.ok(usual.length > 1000, `${id}: ${usual.length}`);
    for (const order of [0, 1, 2]) {
      const own = usual.filter((row) => Number(row[1]) === order);
      const xs = own.map((row) => number(row[3]));
      const got = gelu.evaluate(id, Float64Array.from(xs), { order });
      own.forEach(([, , , x, float64], i) => {
        const want = number(float64);
        const off = Math.abs(got[i] - want);
        // The bounds that library.test.mjs holds are stricter; this is about the file.
        const isNear = Object.is(got[i], want) || off <= 1e-14 * Math.abs(want) + 1e-15;
        assert.ok(isNear, `${id} order ${order} at ${x}: ${got[i]}, want ${float64}`);
      });
    }
  }
});

test("tsc takes a program that uses it, and refuses what is wrong in it", async () => {
  await copyFile(`${ROOT}tests/types/sample.ts`, join(folder, "sample.ts"));
  const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"];
  const { stdout } = await run("node", [`${ROOT}node_modules/typescript/bin/tsc`, ...options, "sample.ts"], {
    cwd: folder,
  }).catch((error) => error);
  assert.equal(stdout, "");
});

test("the README's program for Node prints what it says", async () => {
  const readme = await readFile(join(installed, "README.md"), "utf8");
  const program = programs(readme).get("example.mjs");
  const promised = program.match(/console\.log\(.*\); \/\/ (.*)/)[1];
  await writeFile(join(folder, "example.mjs"), program);
  const { stdout, stderr } = await run("node", ["example.mjs"], { cwd: folder });
  assert.equal(stdout, `${promised}\n`);
  assert.equal(stderr, "");
});

test("every line of the README's list of calls runs, and gives what stands beside it", async () => {
  const readme = await readFile(join(installed, "README.md"), "utf8");
  const calls = readme
    .match(/## What it can do\n\n```js\n([\s\S]*?)```/)[1]
    .trimEnd()
    .split("\n");
  const { loadGelu } = await import(join(installed, "gelu.js"));
  const gelu = await loadGelu();
  const numbersIn = (text) => [...text.matchAll(/-?\d+\.\d+(?:…?e-?\d+)?/g)].map(([word]) => Number(word.replace("…", "")));
  const flat = (value) => (typeof value === "number" ? [value] : Object.values(value).flatMap(flat));
  let compared = 0;
  assert.ok(calls.length >= 8);
  for (const line of calls) {
    const [code, said] = line.split("; // ");
    const answer = flat(new Function("gelu", `return ${code}`)(gelu));
    assert.ok(answer.length > 0, code);
    if (!/…|\d\.\d{6}/.test(said ?? "")) continue;
    for (const want of numbersIn(said)) {
      assert.ok(
        answer.some((value) => Math.abs(value - want) <= 1e-4 * Math.abs(want)),
        `${code} gives ${answer}, not ${want}`,
      );
      compared++;
    }
  }
  assert.ok(compared >= 6, `${compared} numbers compared`);
});
