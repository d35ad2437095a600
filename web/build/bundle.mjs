/** The page's scripts and style sheets: classic ones, each in one piece, with wasm and data as strings. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { build } from "esbuild";
import { minify } from "terser";
import { late } from "../figures/late.js";
import { leanChart } from "./lean.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The page's first script. */
export const PAGE = "web/main.js";
/** Browsers of the last three years. */
const TARGET = ["chrome119", "firefox120", "safari17.1"];

/** @typedef {{ version: string, isWhole: boolean, computed: Record<string, unknown> }} Options isWhole: in one file */

/**
 * Served compressed that is smaller than base64 of what is deflated (web/packing.js undoes it). Turned by 7, for then fewer of
 * the frequent bytes of wasm are quotes, backslashes or take two bytes of UTF-8.
 * @param {Uint8Array} bytes
 */
const pack = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(32 + ((byte + 7) % 256))).join("");

/** The kernels in JavaScript: one function that needs nothing around it, so that a worker can be sent its text. */
export async function readFallback() {
  const text = await readFile(`${ROOT}build/wasm/gelu-fallback.js`, "utf8");
  if (!/^function instantiate\(\w+\) \{/.test(text))
    throw new Error("wasm2js --emscripten no longer writes a function instantiate");
  return `export default ${text}`;
}

/**
 * What trains networks comes with networks.js, which has all of the library.
 * @type {import("esbuild").Plugin}
 */
const withoutNetworks = {
  name: "without-networks",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]web[\\/]kernels\.js$/ }, async ({ path }) => {
      const parts = (await readFile(path, "utf8")).split(/^ *\/\/ #region networks$|^ *\/\/ #endregion$/m);
      return { contents: parts.filter((_, i) => i % 2 === 0).join(""), loader: "js" };
    });
  },
};

/**
 * The modules that only the build knows (web/virtual.d.ts).
 * @param {Options} options
 */
const virtualPlugin = (options) => ({
  name: "virtual",
  setup(/** @type {import("esbuild").PluginBuild} */ { onResolve, onLoad }) {
    const { isWhole } = options;
    const kernels = async (/** @type {string} */ name) => pack(await readFile(`${ROOT}build/wasm/${name}`));
    /** @type {Record<string, () => Promise<any>>} */
    const modules = {
      // In one file the page's kernels are all there are.
      "gelu.wasm": async () => (isWhole ? null : kernels("gelu.wasm")),
      "gelu-page.wasm": () => kernels(isWhole ? "gelu.wasm" : "gelu-page.wasm"),
      "gelu-fallback": () => readFallback(),
      digits: async () => pack(inflateRawSync(await readFile(`${ROOT}web/data/digits.deflate`))),
      worker: () => bundle("web/worker.js", options),
      "tools.css": () => bundle("web/styles/tools.css", options),
      "late-parameters": async () => late.map(({ name, parameters }) => ({ name, parameters })),
      computed: async () => options.computed,
    };
    onResolve({ filter: /^virtual:handout$/ }, () =>
      isWhole ? { path: `${ROOT}web/handout.js` } : { path: "handout", namespace: "nothing" },
    );
    onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "export const wireHandout = undefined;" }));
    onResolve({ filter: /^virtual:/ }, ({ path }) => ({ path: path.slice("virtual:".length), namespace: "virtual" }));
    onLoad({ filter: /.*/, namespace: "virtual" }, async ({ path }) => {
      const contents = await modules[path]();
      return path === "gelu-fallback" ? { contents, loader: "js" } : { contents: JSON.stringify(contents), loader: "json" };
    });
  },
});

/**
 * @param {string} entry
 * @param {Options} options
 * @returns {import("esbuild").BuildOptions & { plugins: import("esbuild").Plugin[] }}
 */
const settings = (entry, options) => ({
  entryPoints: [ROOT + entry],
  bundle: true,
  write: false,
  minify: true,
  metafile: true,
  format: "iife",
  charset: "utf8",
  target: TARGET,
  legalComments: "none",
  alias: { "@kurkle/color": `${ROOT}web/build/nocolour.js` },
  // Node's own modules are only reached in Node, and the library's file where nobody hands it the fallback.
  external: ["node:*", "./gelu-fallback.js"],
  define: { "import.meta.url": '""', __VERSION__: JSON.stringify(options.version) },
  plugins: [leanChart, virtualPlugin(options), ...(entry === PAGE ? [withoutNetworks] : [])],
});

/**
 * One script or one style sheet.
 * @param {string} entry
 * @param {Options} options
 */
export async function bundle(entry, options) {
  const result = await build(settings(entry, options));
  return entry.endsWith(".css") ? textOf(result) : compact(result);
}

/** @param {import("esbuild").BuildResult} result of one file */
const textOf = ({ outputFiles }) => /** @type {import("esbuild").OutputFile[]} */ (outputFiles)[0].text;

/** What the browser loads. @param {import("esbuild").BuildResult} result */
const compact = (result) => shorten(textOf(result));

/**
 * Terser leaves a 25th less than esbuild does.
 * @param {string} script
 * @param {import("terser").MinifyOptions} [options]
 */
export async function shorten(script, options) {
  const { code } = await minify(script, { ecma: 2020, compress: { passes: 3 }, format: { comments: false }, ...options });
  return /** @type {string} */ (code);
}

/**
 * Scripts that find in those before them what they share with them.
 * @param {{ entry: string, after: string[] }[]} scripts in the order in which they come; after: those that are here by then
 * @param {Options} options
 * @returns {Promise<string[]>}
 */
export async function bundleSharing(scripts, options) {
  const modulesOf = async (/** @type {string} */ entry) => {
    const { metafile } = await build(settings(entry, options));
    return Object.keys(/** @type {import("esbuild").Metafile} */ (metafile).inputs).filter((path) => /^web\/.*\.js$/.test(path));
  };
  const modules = Object.fromEntries(await Promise.all(scripts.map(async ({ entry }) => [entry, await modulesOf(entry)])));
  const giverOf = (/** @type {string} */ path, /** @type {string[]} */ after) =>
    after.find((entry) => modules[entry].includes(path));
  /** By script, what others find in it. @type {Record<string, string[]>} */
  const given = Object.fromEntries(
    scripts.map(({ entry }) => {
      const takers = scripts.filter(({ after }) => after.includes(entry));
      const isTaken = (/** @type {string} */ path) =>
        takers.some((taker) => modules[taker.entry].includes(path) && giverOf(path, taker.after) === entry);
      return [entry, modules[entry].filter(isTaken)];
    }),
  );

  const bundleOne = async (/** @type {{ entry: string, after: string[] }} */ { entry, after }) => {
    const own = settings(entry, options);
    own.plugins.unshift(takingFrom((path) => placeOf(path, after)));
    if (given[entry].length > 0) {
      delete own.entryPoints;
      own.stdin = { contents: await givingModules(given[entry], entry), resolveDir: ROOT };
    }
    return compact(await build(own));
  };
  /** @param {string} path @param {string[]} after */
  function placeOf(path, after) {
    const giver = giverOf(path, after);
    return giver === undefined ? null : `${nameOf(giver)}[${given[giver].indexOf(path)}]`;
  }
  return Promise.all(scripts.map(bundleOne));
}

/** Where a script leaves its modules: geluModules_later. @param {string} entry */
const nameOf = (entry) => `globalThis.geluModules_${entry.replace(/^.*\/|\.js$/g, "")}`;

/**
 * @param {(path: string) => string | null} placeOf null: a module of the script's own
 * @returns {import("esbuild").Plugin}
 */
const takingFrom = (placeOf) => ({
  name: "shared",
  setup({ onLoad }) {
    onLoad({ filter: /\/web\/.*\.js$/ }, async ({ path }) => {
      const place = placeOf(path.slice(ROOT.length));
      return place === null ? null : { contents: `export const { ${await exportsOf(path)} } = ${place};`, loader: "js" };
    });
  },
});

/** @param {string} path */
const exportsOf = async (path) => Object.keys(await import(path));

/**
 * A script that hands out what modules export, as plain objects: for a namespace esbuild writes a loop over an object that
 * takes up whatever somebody else has put on Object.prototype.
 * @param {string[]} paths
 * @param {string} entry what runs
 */
async function givingModules(paths, entry) {
  const modules = await Promise.all(paths.map((path) => exportsOf(ROOT + path)));
  const each = (/** @type {(module: number, name: string) => string} */ write) =>
    modules.map((names, i) => `{ ${names.map((name) => write(i, name))} }`);
  const imports = each((i, name) => `${name} as m${i}_${name}`).map((names, i) => `import ${names} from "./${paths[i]}";`);
  const objects = each((i, name) => `${name}: m${i}_${name}`);
  return `${imports.join("\n")}\n${nameOf(entry)} = [${objects}];\nimport "./${entry}";`;
}
