/** Fresh headless Chromiums that measure everyone. */
import { once } from "node:events";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createSiteServer, listen } from "../../web/build/serve.mjs";
import { launch } from "../browser/browser.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SITE = `${ROOT}build/bench/site`;

const FILES = [
  `${ROOT}build/wasm/gelu.wasm`,
  `${ROOT}build/bench/musl.wasm`,
  `${ROOT}build/bench/gemm.wasm`,
  `${HERE}node_modules/@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm`,
  `${HERE}node_modules/@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm`,
  `${HERE}node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm`,
];

/** Peers come as they are; all is from the page's own address. */
const CSP = "default-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:";

async function writeSite() {
  await mkdir(SITE, { recursive: true });
  for (const file of FILES) await copyFile(file, `${SITE}/${file.slice(file.lastIndexOf("/") + 1)}`);
  await build({
    entryPoints: [`${HERE}page.js`],
    outfile: `${SITE}/page.js`,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["node:*"],
    logLevel: "error",
  });
  await writeFile(`${SITE}/index.html`, '<!doctype html><title>bench</title><script type="module" src="page.js"></script>\n');
}

/**
 * Serves the page; `measure` runs it in a browser of its own.
 * @returns {Promise<{ measure: (options: object) => Promise<any>, version: string, close: () => Promise<void> }>}
 */
export async function openChromium() {
  await writeSite();
  const server = createSiteServer({ root: SITE, csp: CSP });
  server.prependListener("request", (_, response) => {
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
  });
  const port = await listen(server, 8600 + Math.floor(Math.random() * 4000), "127.0.0.1");
  const browser = await launch();
  const version = await browser.version();
  await browser.close();
  return {
    version,
    measure: (options) => measureOnce(`http://127.0.0.1:${port}/`, options),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function measureOnce(address, options) {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.waitForFunction("globalThis.measureAll");
    // The page calls back, because one evaluate() may not take as long as this does.
    const { error, result } = await new Promise((resolve, reject) => {
      browser.on("disconnected", () => reject(new Error("the browser is gone")));
      page.on("error", reject);
      page
        .exposeFunction("done", resolve)
        .then(() =>
          page.evaluate((given) => {
            globalThis.measureAll(given).then(
              (result) => globalThis.done({ result }),
              (error) => globalThis.done({ error: String(error.stack ?? error) }),
            );
          }, options),
        )
        .catch(reject);
    });
    if (error !== undefined) throw new Error(`in Chromium: ${error}`);
    return result;
  } finally {
    await browser.close();
  }
}
