/** Bytes that a page would load for each: raw, gzip -9, brotli -11. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ORT = `${HERE}node_modules/onnxruntime-web/dist`;

/** tfjs as it ships at its smallest: one bundle of what load/tfjs.mjs uses. */
async function tfjsBundle() {
  const result = await build({
    entryPoints: [`${HERE}load/tfjs.mjs`],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    logLevel: "error",
  });
  return result.outputFiles[0].contents;
}

/** @typedef {{ raw: number, gzip: number, brotli: number }} Weight */

/** Brotli needs half a minute for onnxruntime's 14 MB, so what it answered for a content is kept. */
const KEPT = `${ROOT}build/bench/weights.json`;

/** @returns {Promise<{ who: string, files: string, weight: Weight }[]>} */
export async function measureWeights() {
  const kept = JSON.parse(await readFile(KEPT, "utf8").catch(() => "{}"));
  const weigh = (/** @type {Uint8Array} */ bytes) => {
    const key = createHash("sha256").update(bytes).digest("hex");
    kept[key] ??= {
      raw: bytes.length,
      gzip: gzipSync(bytes, { level: 9 }).length,
      brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
    };
    return /** @type {Weight} */ (kept[key]);
  };
  const rows = [];
  for (const [who, files, contents] of /** @type {[string, string, Uint8Array[]][]} */ ([
    ["GELU Lab", "gelu.js, gelu.wasm", [await readFile(`${ROOT}dist/lib/gelu.js`), await readFile(`${ROOT}dist/lib/gelu.wasm`)]],
    [
      "tfjs-wasm",
      "core and backend, bundled to what GELU needs; simd.wasm",
      [await tfjsBundle(), await readFile(`${HERE}node_modules/@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm`)],
    ],
    [
      "onnxruntime-web",
      "ort.wasm.bundle.min.mjs, ort-wasm-simd-threaded.wasm",
      [await readFile(`${ORT}/ort.wasm.bundle.min.mjs`), await readFile(`${ORT}/ort-wasm-simd-threaded.wasm`)],
    ],
  ])) {
    const weight = contents.map(weigh).reduce((a, b) => ({
      raw: a.raw + b.raw,
      gzip: a.gzip + b.gzip,
      brotli: a.brotli + b.brotli,
    }));
    rows.push({ who, files, weight });
  }
  await writeFile(KEPT, JSON.stringify(kept));
  return rows;
}
