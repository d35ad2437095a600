/** c_src/exports.txt: every line is exported, declared in C and used in JavaScript; and nothing else is. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const read = (path) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const listed = (await read("c_src/exports.txt")).trimEnd().split("\n");
const ALL = listed.map((line) => line.slice(1));
const ALLOCATOR = ["malloc", "free"];
/** What a standalone module exports by itself: its memory, start and table, emscripten's stack, libc's errno. */
const OWN = /^(memory|_initialize|__indirect_function_table|_?_?emscripten_\w+|__errno_location|stack(Save|Restore|Alloc))$/;

/** Comments are no use of a name. */
const withoutComments = (code) => code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/.*/g, "");

test("each line is one symbol, none twice", () => {
  for (const line of listed) assert.match(line, /^_[a-z]\w*$/);
  assert.equal(new Set(listed).size, listed.length);
});

/** What the page begins with; training and depth come with gelu.wasm. */
const ON_THE_PAGE = ALL.filter((name) => !/^gelu_(train|depth)/.test(name));

for (const [file, names] of /** @type {const} */ ([
  ["gelu.wasm", ALL],
  ["gelu-scalar.wasm", ALL],
  ["gelu-page.wasm", ON_THE_PAGE],
])) {
  test(`${file} exports its own and nothing else`, async () => {
    const module = await WebAssembly.compile(await readFile(new URL(`../../build/wasm/${file}`, import.meta.url)));
    const exported = WebAssembly.Module.exports(module);
    const functions = exported.filter(({ kind }) => kind === "function").map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => !functions.includes(name)),
      [],
      "listed, not exported",
    );
    assert.deepEqual(
      exported.map(({ name }) => name).filter((name) => !names.includes(name) && !OWN.test(name)),
      [],
      "exported, not listed",
    );
    assert.ok(exported.some(({ name, kind }) => name === "memory" && kind === "memory"));
  });

  test(`${file} asks for nothing but word of memory growth`, async () => {
    const module = await WebAssembly.compile(await readFile(new URL(`../../build/wasm/${file}`, import.meta.url)));
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      assert.equal(`${from}.${name}`, "env.emscripten_notify_memory_growth");
    }
  });
}

test("each is declared in wasm_api.h, or is the allocator", async () => {
  const code = withoutComments(await read("c_src/wasm_api.h"));
  const declared = [...code.matchAll(/^(?!static\b)[a-z][\w *]*?\b(\w+)\([^;{]*\);/gm)].map((match) => match[1]);
  assert.deepEqual([...declared, ...ALLOCATOR].sort(), [...ALL].sort());
});

test("each is called by a fuzz target, and each header of c_src with functions has one", async () => {
  const { readdir } = await import("node:fs/promises");
  const targets = (await readdir(new URL("../c/fuzz/", import.meta.url))).filter((name) => name.endsWith(".c"));
  const code = (await Promise.all(targets.map((name) => read(`tests/c/fuzz/${name}`)))).map(withoutComments).join("\n");
  const called = ALL.filter((name) => !ALLOCATOR.includes(name));
  assert.deepEqual(
    called.filter((name) => !new RegExp(`\\b${name}\\b`).test(code)),
    [],
  );
  // Tables, flags and statuses have nothing to call; wasm_api.h is called by the targets of what it forwards to.
  const WITHOUT = /^(ieee|status|wasm_api|\w+_tables)\.h$/;
  const headers = (await readdir(new URL("../../c_src/", import.meta.url))).filter(
    (name) => name.endsWith(".h") && !WITHOUT.test(name),
  );
  assert.deepEqual(targets.sort(), headers.map((name) => `fuzz_${name.replace(/h$/, "c")}`).sort());
});

test("each is used in kernels.js or by the benchmark, which use no other", async () => {
  const code = withoutComments(await read("web/kernels.js"));
  const used = new Set([...code.matchAll(/\b(?:wasm|exports)\??\.(\w+)/g)].map((match) => match[1]));
  for (const [, name] of withoutComments(await read("tests/bench/own.js")).matchAll(/"(gelu_\w+_f\d\d)"/g)) used.add(name);
  for (const known of ["memory", "_initialize"]) used.delete(known);
  assert.deepEqual([...used].sort(), [...ALL].sort());
});
