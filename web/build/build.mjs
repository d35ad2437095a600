/** Turns web/, index.html and the compiled kernels into dist/. `--package` adds the handout, as a page and on paper. Run by build.sh. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { figures } from "../figures/index.js";
import { loadGelu } from "../kernels.js";
import { createTable } from "../state.js";
import { bundle, bundleSharing, PAGE, readFallback, shorten } from "./bundle.mjs";
import { compressBeside } from "./compress.mjs";
import { computeFigures } from "./compute.mjs";
import { fontStylesheet, loadSections } from "./content.mjs";
import { downloadsLine, PLACE, withoutDownloads } from "./downloads.mjs";
import { embedPages } from "./embed.mjs";
import { fold } from "./fold.mjs";
import { fillPage } from "./page.mjs";
import { printHandout } from "./pdf.mjs";
import { imageOf, laterPictures, pictureFile } from "./pictures.mjs";
import { EMBEDDED_CSP, headersFile } from "./policy.mjs";
import { scormPackage } from "./scorm.mjs";
import { partSheet } from "./sheets.mjs";
import { vectorsAsCsv } from "./vectors.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

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

/** @param {{ version: string, commit: string }} stamp */
async function buildLibrary({ version, commit }) {
  const compact = async (/** @type {string} */ code) => {
    const define = { __VERSION__: JSON.stringify(version) };
    const { code: whole } = await transform(code, { minify: true, format: "esm", target: "es2022", charset: "utf8", define });
    return shorten(whole, { module: true });
  };
  await rm(`${ROOT}dist/lib`, { recursive: true, force: true });
  await write("lib/gelu.js", await compact(await read("web/kernels.js")));
  await write("lib/gelu-fallback.js", await compact(await readFallback()));
  await write("lib/gelu.d.ts", await read("web/gelu.d.ts"));
  await write("lib/gelu-fallback.d.ts", await read("web/gelu-fallback.d.ts"));
  await write("lib/README.md", await read("web/library.md"));
  await write("lib/gelu.wasm", await readFile(`${ROOT}build/wasm/gelu.wasm`));
  await write(
    "lib/package.json",
    `${JSON.stringify(
      {
        name: "gelu-lab",
        version,
        commit,
        description: "GELU and its kin: accurate batch kernels in WebAssembly",
        keywords: ["gelu", "activation function", "erf", "silu", "webassembly", "simd"],
        // Nobody has chosen a licence yet.
        license: "UNLICENSED",
        type: "module",
        exports: {
          ".": { types: "./gelu.d.ts", default: "./gelu.js" },
          "./gelu-fallback.js": { types: "./gelu-fallback.d.ts", default: "./gelu-fallback.js" },
          "./gelu.wasm": "./gelu.wasm",
          "./vectors/*": "./vectors/*",
          "./package.json": "./package.json",
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

/** dist/lib as npm would publish it. */
async function packLibrary() {
  const folder = `${ROOT}dist/npm`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: `${ROOT}dist/lib`, stdio: "pipe" });
}

/** @param {string} name @param {string} text */
async function writeAsset(name, text) {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 10);
  const path = `assets/${name.replace(/(\.\w+)$/, `-${hash}$1`)}`;
  await write(`site/${path}`, text);
  return path;
}

/**
 * @typedef {{ head: string, unfold: string, page: string, later: string, tools: string, pressed: string,
 *   networks: string, fallback: string, digits: string }} Scripts
 *   unfold: of the handout
 */

/**
 * @typedef {{ styles: string, page: string, parts: Record<string, string>, sheets: string[] }} SiteAssets addresses below the
 *   site's root; sheets: those that no text waits for
 */

/** @typedef {{ styles: string, later: string, "math-font": string }} Sheets styles: those that the first screens need */

/** @param {import("./bundle.mjs").Options} options */
async function buildScripts(options) {
  const later = "web/later.js";
  const sharing = [
    { entry: PAGE, after: [] },
    { entry: later, after: [PAGE] },
    { entry: "web/tools.js", after: [PAGE] },
    { entry: "web/pressed.js", after: [PAGE, later] },
  ];
  const [pageScript, laterScript, tools, pressed] = await bundleSharing(sharing, options);
  return {
    head: await bundle("web/head.js", options),
    unfold: await bundle("web/unfold.js", options),
    page: pageScript,
    later: laterScript,
    tools,
    pressed,
    networks: await bundle("web/networks-part.js", options),
    fallback: await bundle("web/fallback-part.js", options),
    digits: await bundle("web/digits-part.js", options),
  };
}

/**
 * Puts the pictures of the figures further down into files of their own.
 * @param {string} page
 * @param {string} css theirs
 */
async function withPictureFiles(page, css) {
  let html = page;
  for (const { name, svg } of laterPictures(page)) {
    const address = await writeAsset(`picture-${name}.svg`, pictureFile(svg, css));
    html = html.replace(svg, () => imageOf(svg, address));
  }
  return html;
}

/**
 * @param {string} page the filled skeleton
 * @param {Scripts} scripts
 * @param {Sheets & { picture: string }} sheets
 * @param {import("./downloads.mjs").Download[]} downloads
 * @returns {Promise<SiteAssets>} where they are
 */
async function buildSite(page, { head, page: script, unfold: _, ...parts }, { styles, picture, ...sheets }, downloads) {
  await rm(`${ROOT}dist/site`, { recursive: true, force: true });
  /** @type {SiteAssets} */
  const assets = {
    styles: await writeAsset("page.css", styles),
    page: await writeAsset("page.js", script),
    parts: {},
    sheets: [],
  };
  for (const [name, text] of Object.entries(parts)) assets.parts[name] = await writeAsset(`${name}.js`, text);
  for (const [name, text] of Object.entries(sheets)) assets.sheets.push(await writeAsset(`${name}.css`, text));
  const addresses = Object.entries(assets.parts).map(([name, address]) => ` data-${name}="${address}"`);
  const links = assets.sheets.map((address) => `<link rel="stylesheet" href="${address}">\n`);
  const html = (await withPictureFiles(page, picture))
    .replace(
      "<!-- build: head -->",
      `<script src="${await writeAsset("head.js", head)}"></script>\n` +
        `<link rel="stylesheet" href="${assets.styles}">\n` +
        `<script src="${assets.page}" defer${addresses.join("")}></script>`,
    )
    .replace(PLACE, downloadsLine(downloads))
    // At the end, so that text never waits for them.
    .replace("</body>", `${links.join("")}</body>`);
  await write("site/index.html", html);
  for (const { name, bytes } of downloads) await write(`site/${name}`, bytes);
  await write("site/_headers", headersFile((process.env.SITE_ORIGIN ?? "").replace(/\/+$/, "")));
  return assets;
}

/**
 * The pages that show one figure in somebody else's: with the site's own scripts and sheets, and a few lines more.
 * @param {SiteAssets} assets
 * @param {import("./content.mjs").Section[]} sections
 * @param {import("./bundle.mjs").Options} options
 */
async function buildEmbeds(assets, sections, options) {
  const script = async (/** @type {string} */ name) =>
    writeAsset(`embed-${name}.js`, await bundle(`web/embed/${name}.js`, options));
  const own = {
    head: await script("head"),
    script: await script("embed"),
    choose: await script("choose"),
    sheet: await writeAsset("embed.css", await bundle("web/styles/embed.css", options)),
  };
  const pages = embedPages(sections, { gelu, table, stamp, computed }, { ...assets, ...own });
  for (const [path, html] of Object.entries(pages)) await write(`site/${path}`, html);
  await write("site/gelu-embed.js", await bundle("web/embed/gelu-embed.js", options));
}

const hashOf = (/** @type {string} */ text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * One file that opens from anywhere: everything inside, its own policy with the hashes of what it carries.
 * @param {string} page
 * @param {Scripts} scripts
 * @param {Sheets & { handout: string }} sheets
 */
async function buildHandout(page, scripts, { styles, handout, later, "math-font": font }) {
  // It is for screens and paper that show the wide picture; a narrow one shows it smaller.
  const slim = page.replace(/<div class="picture-narrow">[\s\S]*?<\/svg><\/div>/g, "");
  const { head, unfold, ...others } = scripts;
  const code = Object.values(others).join("\n");
  const [early, late] = [styles + handout, later].map((sheet) => partSheet(sheet, slim));
  const policy = EMBEDDED_CSP(
    [head, unfold, code].map(hashOf),
    [early.still, early.whole, late.still, late.whole, font].map(hashOf),
  );
  const html = slim
    .replace(PLACE, "")
    .replace(
      "<!-- build: head -->",
      () =>
        `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<script type="application/json" id="saved-state">[]</script>\n<script>${head}</script>\n<style data-part>${early.still}</style>\n<style data-part>${late.still}</style>\n<style>${font}</style>`,
    )
    .replace("</body>", () => `${fold([code, early.rest, late.rest])}\n<script>${unfold}</script>\n</body>`);
  await write("handout/gelu-handout.html", html);
}

/** @returns {Promise<import("./downloads.mjs").Download[]>} */
async function makeHandout() {
  const own = await bundle("web/styles/handout.css", { ...options, isWhole: true });
  await buildHandout(page, await buildScripts({ ...options, isWhole: true }), { ...sheets, handout: own });
  const folder = `${ROOT}dist/handout/`;
  const names = ["gelu-handout.html", "gelu-handout.zh.pdf", "gelu-handout.en.pdf"];
  await printHandout(folder + names[0], [
    { language: "zh", path: folder + names[1] },
    { language: "en", path: folder + names[2] },
  ]);
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(folder + name) })));
}

/** @param {import("./bundle.mjs").Options} options */
async function buildScorm(options) {
  const site = new Map();
  for (const name of ["index.html", ...(await readdir(`${ROOT}dist/site/assets`)).map((file) => `assets/${file}`)]) {
    site.set(name, await readFile(`${ROOT}dist/site/${name}`));
  }
  // The learner has the lesson in the platform; its files are not there.
  site.set("index.html", Buffer.from(withoutDownloads(String(site.get("index.html")))));
  const script = await bundle("web/scorm/scorm.js", options);
  await write("scorm/gelu-lab-scorm12.zip", scormPackage(site, script, options.version));
}

const stamp = await readStamp();
const gelu = await loadGelu({ wasm: await readFile(`${ROOT}build/wasm/gelu.wasm`) });
const skeleton = await read("index.html");
const ids = [...skeleton.matchAll(/<section class="sec" id="(\w+)">/g)].map((match) => match[1]);
const table = createTable(gelu.catalogue, figures);
const computed = await computeFigures(gelu);
const sections = await loadSections(ids, { gelu });
const page = fillPage(skeleton, sections, { gelu, table, stamp, computed });
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

const options = { version: stamp.version, computed };
const functionRules = gelu.catalogue.map(({ id }) => functionRule(id)).join("");
const sheets = {
  styles: (await bundle("web/styles/index.css", { ...options, isWhole: false })) + functionRules,
  later: await bundle("web/styles/later.css", { ...options, isWhole: false }),
  "math-font": await fontStylesheet(),
};
const isPackage = process.argv.includes("--package");
await buildLibrary(stamp);
const downloads = isPackage ? await makeHandout() : [];
const picture = (await bundle("web/styles/picture-file.css", { ...options, isWhole: false })) + functionRules;
const assets = await buildSite(page, await buildScripts({ ...options, isWhole: false }), { ...sheets, picture }, downloads);
await buildEmbeds(assets, sections, { ...options, isWhole: false });
if (isPackage) {
  await packLibrary();
  await buildScorm({ ...options, isWhole: false });
}
await compressBeside(`${ROOT}dist/site/`, `${ROOT}build/compressed/`);
