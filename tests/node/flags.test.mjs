/** Flags under which NaN, signed zeros, roundings or the order of operations are not what is written: refused. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const sources = readdirSync(`${ROOT}c_src`).filter((name) => name.endsWith(".c"));

const compile = (source, ...flags) =>
  spawnSync("cc", ["-std=c11", "-Ic_src", "-fsyntax-only", ...flags, `c_src/${source}`], { cwd: ROOT, encoding: "utf8" });

for (const flag of ["-ffast-math", "-ffinite-math-only"]) {
  test(`no source file can be compiled with ${flag}`, () => {
    assert.ok(sources.length > 5);
    for (const source of sources) {
      const { status, stderr } = compile(source, flag);
      assert.notEqual(status, 0, `${source} was compiled`);
      assert.match(stderr, /GELU Lab must not be built with -ffast-math: .*\./, source);
    }
  });
}

test("no source file can be compiled with excess precision", () => {
  // what gcc defines with -mfpmath=387, which other machines do not know
  for (const source of sources) {
    const { status, stderr } = compile(source, "-U__FLT_EVAL_METHOD__", "-D__FLT_EVAL_METHOD__=2");
    assert.notEqual(status, 0, `${source} was compiled`);
    assert.match(stderr, /GELU Lab must not be built with excess precision .*\./, source);
  }
});

test("without the flag every one is", () => {
  for (const source of sources) assert.equal(compile(source).status, 0, source);
});
