/** What ./build.sh build and serve run needs no package but those that they install. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));

/** What a module names at its top level; import() is not among it. */
const STATIC = /^(?:import|export)\s[^;"'()=]*?from\s*"([^"]+)"|^import\s*"([^"]+)"/gm;

/**
 * Every package that loading a module brings in, with the module that asks for it.
 * @param {URL} start
 * @returns {Map<string, string>}
 */
function packagesOf(start) {
  const packages = new Map();
  const seen = new Set();
  const waiting = [start];
  for (let module = waiting.pop(); module; module = waiting.pop()) {
    if (seen.has(module.href)) continue;
    seen.add(module.href);
    for (const [, named, bare] of readFileSync(module, "utf8").matchAll(STATIC)) {
      const name = named ?? bare;
      if (name.startsWith(".")) waiting.push(new URL(name, module));
      else if (!isBuiltin(name)) {
        packages.set(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0], fileURLToPath(module).slice(fileURLToPath(ROOT).length));
      }
    }
  }
  return packages;
}

test("what build and serve load, they have installed: no package of the tests", () => {
  const built = packagesOf(new URL("web/build/build.mjs", ROOT));
  assert.ok(built.has("esbuild") && built.has("markdown-it"), "the walk finds no packages");
  for (const [name, module] of [...built, ...packagesOf(new URL("web/build/serve.mjs", ROOT))]) {
    assert.ok(name in dependencies, `${module} imports ${name}`);
  }
});

test("that walk would see one: the tests' own browser is found", () => {
  assert.ok(packagesOf(new URL("tests/browser/visit.mjs", ROOT)).has("puppeteer-core"));
});
