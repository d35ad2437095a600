/** Turns web/, index.html and the compiled kernels into dist/. Run by build.sh. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { build, transform } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TARGET = ["chrome120", "firefox121", "safari17.2"];

const read = (/** @type {string} */ path) => readFile(ROOT + path, "utf8");

/** Version from package.json and the commit, "unknown" where there is no git. */
async function readStamp() {
  const { version } = JSON.parse(await read("package.json"));
  let commit = "unknown";
  try {
    commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {}
  return { version, commit };
}

/** `import deflatedWasm from "virtual:kernels"` is the wasm, deflated and in base64. */
const kernelsPlugin = {
  name: "kernels",
  setup(/** @type {import("esbuild").PluginBuild} */ { onResolve, onLoad }) {
    onResolve({ filter: /^virtual:kernels$/ }, () => ({ path: "kernels", namespace: "kernels" }));
    onLoad({ filter: /.*/, namespace: "kernels" }, async () => {
      const wasm = await readFile(`${ROOT}build/wasm/gelu.wasm`);
      return { contents: `export default "${deflateRawSync(wasm, { level: 9 }).toString("base64")}"`, loader: "js" };
    });
  },
};

/** @param {string} entry */
async function bundle(entry, define = {}) {
  const result = await build({
    entryPoints: [ROOT + entry],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    charset: "utf8",
    target: TARGET,
    legalComments: "none",
    external: ["node:*"],
    define: { "import.meta.url": '""', ...define },
    plugins: [kernelsPlugin],
  });
  return result.outputFiles[0].text;
}

/** @param {string} name @param {string} text */
async function writeHashed(name, text) {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  const hashed = name.replace(/(\.\w+)$/, `-${hash}$1`);
  await mkdir(`${ROOT}dist/site/assets`, { recursive: true });
  await writeFile(`${ROOT}dist/site/assets/${hashed}`, text);
  return `assets/${hashed}`;
}

async function buildLibrary(stamp) {
  const source = (await read("web/kernels.js")).replaceAll("__VERSION__", stamp.version);
  const { code } = await transform(source, { minify: true, format: "esm", target: "es2022", charset: "utf8" });
  await mkdir(`${ROOT}dist/lib`, { recursive: true });
  await writeFile(`${ROOT}dist/lib/gelu.js`, code);
  await cp(`${ROOT}build/wasm/gelu.wasm`, `${ROOT}dist/lib/gelu.wasm`);
}

const stamp = await readStamp();
await rm(`${ROOT}dist`, { recursive: true, force: true });
await buildLibrary(stamp);
const script = await bundle("web/main.js");
const styles = await bundle("web/styles/index.css");
const html = (await read("index.html"))
  .replace(/<!-- source -->[\s\S]*?<!-- \/source -->/, "")
  .replace("<!-- styles -->", `<link rel="stylesheet" href="${await writeHashed("page.css", styles)}">`)
  .replace("<!-- script -->", `<script src="${await writeHashed("page.js", script)}" defer></script>`);
await writeFile(`${ROOT}dist/site/index.html`, html);
