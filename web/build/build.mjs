/** Turns web/, index.html and the compiled kernels into dist/. `--package` adds the handout. Run by build.sh. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { build, transform } from "esbuild";
import { figures } from "../figures/index.js";
import { loadGelu } from "../kernels.js";
import { createTable } from "../state.js";
import { fontStylesheet, loadSections } from "./content.mjs";
import { fillPage } from "./page.mjs";
import { EMBEDDED_CSP, STRICT_CSP } from "./policy.mjs";
import { vectorsAsCsv } from "./vectors.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Browsers of the last three years. */
const TARGET = ["chrome119", "firefox120", "safari17.1"];

const read = (/** @type {string} */ path) => readFile(ROOT + path, "utf8");

/** @param {string} path @param {string | Uint8Array} content */
async function write(path, content) {
  const file = `${ROOT}dist/${path}`;
  await mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
  await writeFile(file, content);
}

/** The version from package.json and the commit; "unknown" where there is no git. */
async function readStamp() {
  const { version } = JSON.parse(await read("package.json"));
  let commit = "unknown";
  try {
    commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    // No git, or no repository: the stamp says so.
  }
  return { version, commit };
}

/**
 * `import wasm, { packing } from "virtual:kernels"` is the wasm in a string. As "text", a character for each byte, 0 being
 * a space: served compressed that is the smallest, by 3.5 kB. As "deflate", deflated and in base64, for a file that is
 * not compressed on its way.
 * @param {"text" | "deflate"} packing
 */
const kernelsPlugin = (packing) => ({
  name: "kernels",
  setup(/** @type {import("esbuild").PluginBuild} */ { onResolve, onLoad }) {
    onResolve({ filter: /^virtual:kernels$/ }, () => ({ path: "kernels", namespace: "kernels" }));
    onLoad({ filter: /.*/, namespace: "kernels" }, async () => {
      const wasm = await readFile(`${ROOT}build/wasm/gelu.wasm`);
      const text =
        packing === "text"
          ? Array.from(wasm, (byte) => String.fromCharCode(byte + 32)).join("")
          : deflateRawSync(wasm, { level: 9 }).toString("base64");
      return { contents: `export const packing = "${packing}"; export default ${JSON.stringify(text)}`, loader: "js" };
    });
  },
});

/**
 * One classic script or one style sheet.
 * @param {string} entry
 * @param {string} version
 * @param {"text" | "deflate"} [packing] of the kernels
 */
async function bundle(entry, version, packing = "text") {
  const result = await build({
    entryPoints: [ROOT + entry],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    charset: "utf8",
    target: TARGET,
    legalComments: "none",
    // Node's own modules are only reached in Node.
    external: ["node:*"],
    define: { "import.meta.url": '""', __VERSION__: JSON.stringify(version) },
    plugins: [kernelsPlugin(packing)],
  });
  return result.outputFiles[0].text;
}

/** @param {{ version: string, commit: string }} stamp */
async function buildLibrary({ version }) {
  const { code } = await transform(await read("web/kernels.js"), {
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    define: { __VERSION__: JSON.stringify(version) },
  });
  await rm(`${ROOT}dist/lib`, { recursive: true, force: true });
  await write("lib/gelu.js", code);
  await write("lib/gelu.d.ts", await read("web/gelu.d.ts"));
  await write("lib/README.md", await read("web/library.md"));
  await cp(`${ROOT}build/wasm/gelu.wasm`, `${ROOT}dist/lib/gelu.wasm`);
  await write(
    "lib/package.json",
    `${JSON.stringify(
      {
        name: "gelu-lab",
        version,
        description: "GELU and its kin: accurate batch kernels in WebAssembly",
        type: "module",
        exports: {
          ".": { types: "./gelu.d.ts", default: "./gelu.js" },
          "./gelu.wasm": "./gelu.wasm",
          "./vectors/*": "./vectors/*",
        },
        types: "./gelu.d.ts",
        sideEffects: false,
        engines: { node: ">=18.19" },
      },
      null,
      2,
    )}\n`,
  );
  const folder = "tests/c/reference/vectors";
  // special_… are building blocks that the library does not export.
  for (const name of (await readdir(ROOT + folder)).filter((file) => !file.startsWith("special_"))) {
    await write(`lib/vectors/${name.replace(/\.\w+$/, ".csv")}`, vectorsAsCsv(await read(`${folder}/${name}`)));
  }
}

/** @param {string} name @param {string} text */
async function writeAsset(name, text) {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  const path = `assets/${name.replace(/(\.\w+)$/, `-${hash}$1`)}`;
  await write(`site/${path}`, text);
  return path;
}

/**
 * @param {string} page the filled skeleton
 * @param {{ head: string, script: string, styles: string, fonts: string }} parts
 */
async function buildSite(page, { head, script, styles, fonts }) {
  await rm(`${ROOT}dist/site`, { recursive: true, force: true });
  const html = page
    .replace(
      "<!-- build: head -->",
      `<script src="${await writeAsset("head.js", head)}"></script>\n` +
        `<link rel="stylesheet" href="${await writeAsset("page.css", styles)}">\n` +
        `<script src="${await writeAsset("page.js", script)}" defer></script>`,
    )
    // At the end, so that text never waits for the font.
    .replace("</body>", `<link rel="stylesheet" href="${await writeAsset("math-font.css", fonts)}">\n</body>`);
  await write("site/index.html", html);
  await write(
    "site/_headers",
    `/*\n  Content-Security-Policy: ${STRICT_CSP}\n  X-Content-Type-Options: nosniff\n\n/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n`,
  );
}

/** A script or style sheet inside the page must not end its own element. */
const inline = (/** @type {string} */ code) => code.replace(/<\/(script|style)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");
const hashOf = (/** @type {string} */ text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * One file that opens from anywhere: everything inside, its own policy with the hashes of what it carries.
 * @param {string} page
 * @param {{ head: string, script: string, styles: string, fonts: string }} parts
 */
async function buildHandout(page, parts) {
  const head = inline(parts.head);
  const script = inline(parts.script);
  const policy = EMBEDDED_CSP([hashOf(head), hashOf(script)], [hashOf(parts.styles), hashOf(parts.fonts)]);
  const html = page
    .replace(
      "<!-- build: head -->",
      () =>
        `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<script>${head}</script>\n<style>${parts.styles}</style>`,
    )
    .replace("</body>", () => `<style>${parts.fonts}</style>\n<script>${script}</script>\n</body>`);
  await write("handout/gelu-handout.html", html);
}

const stamp = await readStamp();
const gelu = await loadGelu({ wasm: await readFile(`${ROOT}build/wasm/gelu.wasm`) });
const skeleton = await read("index.html");
const ids = [...skeleton.matchAll(/<section class="sec" id="(\w+)">/g)].map((match) => match[1]);
const table = createTable(gelu.catalogue, figures);
const page = fillPage(skeleton, await loadSections(ids, { gelu }), { gelu, table, stamp });
/**
 * A function wears its colour and its dash wherever it is named: from its tokens, for every row of the table.
 * @param {string} id
 */
function functionRule(id) {
  const name = id.replaceAll("_", "-");
  return (
    `[data-fn="${id}"]{--c:var(--fn-${name},var(--ink-2));--d:var(--dash-${name},4 4);` +
    `--u:var(--under-${name},var(--under-gelu));--uw:var(--under-${name}-w,100%)}`
  );
}

const parts = {
  head: await bundle("web/head.js", stamp.version),
  script: await bundle("web/main.js", stamp.version),
  styles: (await bundle("web/styles/index.css", stamp.version)) + gelu.catalogue.map(({ id }) => functionRule(id)).join(""),
  fonts: await fontStylesheet(),
};
await buildLibrary(stamp);
await buildSite(page, parts);
if (process.argv.includes("--package")) {
  await buildHandout(page, { ...parts, script: await bundle("web/main.js", stamp.version, "deflate") });
}
