/**
 * Faults that other implementations had, the rows of the list of known faults that are not about a number: tests/c/
 * test_known_faults.c has the numbers, and says where each of the other rows is tested.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadGelu } from "../../dist/lib/gelu.js";
import { createContext, cursorOf } from "../../web/components/figure.js";
import { models } from "../../web/content/models.js";
import { figures } from "../../web/figures/index.js";
import { createTable, parse } from "../../web/state.js";
import { sceneToSvg } from "../../web/svg.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const gelu = await loadGelu();

describe("R66 fast-math breaks the gradient (llm.c 19, 149, 168)", () => {
  const compile = (...flags) =>
    spawnSync(process.env.CC ?? "cc", ["-std=c11", "-fsyntax-only", "-Ic_src", ...flags, "c_src/batch.c"], {
      cwd: ROOT,
      encoding: "utf8",
    });

  test("the kernels compile without it", () => assert.equal(compile("-O2").status, 0));

  for (const flag of ["-ffast-math", "-Ofast", "-ffinite-math-only"])
    test(`${flag} is refused, with the reason`, () => {
      const { status, stderr } = compile("-O2", flag);
      assert.notEqual(status, 0);
      assert.match(stderr, /error.*must not be built with -ffast-math/);
    });

  test("the Makefile has none of them, and forbids fused multiply-adds", () => {
    const makefile = readFileSync(`${ROOT}Makefile`, "utf8");
    assert.doesNotMatch(makefile, /-ffast-math|-Ofast|-ffinite-math-only|-funsafe-math/);
    assert.match(makefile, /-ffp-contract=off/);
  });
});

describe("R68 views of memory that has grown (emscripten 6747)", () => {
  test("results are right after a batch that makes memory grow, and are nobody's view", async () => {
    const own = await loadGelu();
    const xs = Float64Array.of(-3, -0.5, 2);
    const before = own.evaluate("gelu", xs);
    const kept = before.slice();
    own.evaluate("gelu", new Float64Array(3_000_000));
    own.random(1).normal(2_000_000);
    assert.deepEqual(before, kept);
    assert.deepEqual(own.evaluate("gelu", xs), kept);
  });
});

test("R70 what cannot be drawn on a log axis is a gap, not a line to the bottom (Chart.js 6934, 8776)", () => {
  const errors = figures.find(({ name }) => name === "errors");
  const state = parse(createTable(gelu.catalogue, figures), "?errors.scale=log");
  const size = { width: 664, height: 400 };
  const context = createContext({ gelu, state, variant: "", density: 1, language: "en", ...size });
  const scene = errors.scene(context);
  const holes = scene.curves.map(({ y }) => y.filter(Number.isNaN).length);
  assert.ok(
    holes.every((count) => count > 0),
    "the two forms are exact at 0, where log 0 is no number",
  );
  const curve = { ...scene.curves[0], x: Float64Array.of(-2, -1, 0, 1, 2), y: Float64Array.of(-3, -4, Number.NaN, -4, -3) };
  const svg = sceneToSvg({ ...scene, curves: [curve] }, cursorOf(errors, context, true), { ...size, id: "clip", title: "" });
  const paths = [...svg.matchAll(/class="curve"[^>]* d="([^"]*)"/g)].map(([, path]) => path);
  assert.deepEqual(
    paths.map((path) => path.match(/[Ml]/g)?.join("")),
    ["Ml", "Ml"],
  );
});

test("R78 no text says that the tanh form is 4.1e-4 off at most (cumo 427): it is 4.73e-4", () => {
  const { error, at } = gelu.maxError("gelu_tanh", "gelu");
  assert.ok(Math.abs(error - 4.732355206872849e-4) < 1e-14);
  assert.ok(Math.abs(Math.abs(at) - 2.69894138637727) < 1e-6);
  const texts = ["en", "zh"].flatMap((language) =>
    readdirSync(`${ROOT}web/content/${language}`).map((name) => `web/content/${language}/${name}`),
  );
  for (const file of [...texts, "README.md", "web/library.md"])
    assert.doesNotMatch(readFileSync(`${ROOT}${file}`, "utf8"), /4\.1\d*\s*(e-0?4|[×x]\s*10\s*⁻⁴)|0\.00041/, file);
});

test("R81 x(1 + c x²) and x + c x³ are one formula (GELUs 1, Megatron-DeepSpeed 84)", () => {
  const [scale, cubic] = gelu.catalogue.find(({ id }) => id === "gelu_tanh").parameters.map(({ value }) => value);
  for (let x = -4; x <= 4; x += 0.125) {
    const [y] = gelu.evaluate("gelu_tanh", Float64Array.of(x));
    for (const u of [x * (1 + cubic * x * x), x + cubic * x ** 3])
      assert.ok(Math.abs(0.5 * x * (1 + Math.tanh(scale * u)) - y) < 1e-15, `at ${x}`);
  }
});

test("R82 T5 v1.0 has ReLU, v1.1 the gated tanh form; BERT began with erf and changed to tanh", () => {
  const of = (name) => {
    const { activation, gated } = models.find((model) => model.name === name);
    return [activation, gated];
  };
  assert.deepEqual(of("T5 v1.0"), ["relu", false]);
  assert.deepEqual(of("T5 v1.1"), ["gelu_tanh", true]);
  assert.deepEqual(of("BERT (2018-10)"), ["gelu", false]);
  assert.deepEqual(of("BERT (2019-02)"), ["gelu_tanh", false]);
});

test("every row of the list is a test, or is said to be one elsewhere", () => {
  const source =
    readFileSync(`${ROOT}tests/c/test_known_faults.c`, "utf8") + readFileSync(fileURLToPath(import.meta.url), "utf8");
  const rows = [1, 4, 6, 7, 10, 13, 15, 16, 19, 21, 23, 25, 26, 29, 31, 34, 36, 37, 39, 42, 45, 46, 49, 50, 51, 53, 56, 57, 59];
  for (const row of [...rows, 61, 64, 66, 68, 70, 73, 74, 76, 78, 81, 82])
    assert.match(source, new RegExp(`\\bR${String(row).padStart(2, "0")}\\b`));
});
