/** The README's programs for a browser, copied out of the package as a reader would, from a plain static server. */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { programs } from "../programs.mjs";
import { launch, openPage, serveSite } from "./browser.mjs";

const LIB = fileURLToPath(new URL("../../dist/lib", import.meta.url));
const [OPEN, CLOSED] = ["script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'", "script-src 'self' 'unsafe-inline'"];

/** @type {import("puppeteer-core").Browser} */
let browser;
let folder = "";
/** @type {{ address: string, close(): Promise<void> }[]} */
let servers = [];
/** @type {Map<string, string>} */
let files;

before(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), "readme-"));
  await mkdir(join(folder, "node_modules"));
  await cp(LIB, join(folder, "node_modules/gelu-lab"), { recursive: true });
  files = programs(await readFile(join(LIB, "README.md"), "utf8"));
  // A browser asks for it by itself.
  await writeFile(join(folder, "favicon.ico"), "");
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  servers = await Promise.all([OPEN, CLOSED].map((csp) => serveSite({ root: folder, csp })));
});

after(async () => {
  await browser?.close();
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true, force: true });
});

for (const name of ["example.html", "worker.html"]) {
  for (const [label, which] of /** @type {const} */ ([
    ["with wasm", 0],
    ["under a policy that refuses wasm", 1],
  ])) {
    test(`${name} ${label} shows what it says`, async () => {
      const promised = files.get(name)?.match(/value = .*; \/\/ (.*)/)?.[1];
      assert.ok(promised);
      const { page, complaints, requests } = await openPage(browser);
      await page.goto(servers[which].address + name);
      await page.waitForFunction(() => document.querySelector("output")?.textContent !== "", { timeout: 10_000 });
      assert.equal(await page.$eval("output", (output) => output.value), promised);
      const asked = (/** @type {string} */ file) => requests.some((url) => url.endsWith(file));
      // A worker's requests are not the page's.
      if (name === "example.html")
        assert.deepEqual([asked("gelu.wasm"), asked("gelu-fallback.js")], which === 0 ? [true, false] : [false, true]);
      assert.deepEqual(
        complaints.filter((complaint) => which === 0 || !/wasm/.test(complaint)),
        [],
      );
      await page.close();
    });
  }
}

test("example.html follows what is typed", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${servers[0].address}example.html`);
  await page.waitForFunction(() => document.querySelector("output")?.textContent !== "", { timeout: 10_000 });
  await page.click("#x", { count: 3 });
  await page.keyboard.type("2");
  assert.equal(await page.$eval("output", (output) => output.value), "1.9544997361036416");
  await page.close();
});
