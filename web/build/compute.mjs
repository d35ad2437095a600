/** What figures show before anybody has pressed a button: computed by the same kernels, kept until something changes. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { readDigits } from "../data/digits.js";
import { computeDead } from "../figures/dead/compute.js";
import { computeDepth } from "../figures/depth/compute.js";
import { computeRace } from "../figures/race/compute.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIGITS = `${ROOT}web/data/digits.deflate`;

/** Of everything that an answer depends on. */
async function hashOfSources() {
  const hash = createHash("sha256");
  const scripts = (await readdir(`${ROOT}web`, { recursive: true })).filter((path) => path.endsWith(".js")).sort();
  for (const path of ["build/wasm/gelu.wasm", "web/data/digits.deflate", ...scripts.map((script) => `web/${script}`)]) {
    hash.update(await readFile(ROOT + path));
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * @param {import("../kernels.js").Gelu} gelu
 * @returns {Promise<Record<string, any>>} by the names of the figures that have something to compute
 */
export async function computeFigures(gelu) {
  const file = `${ROOT}build/computed/${await hashOfSources()}.json`;
  const kept = await readFile(file, "utf8").catch(() => null);
  if (kept !== null) return JSON.parse(kept);
  const digits = readDigits(inflateRawSync(await readFile(DIGITS)));
  const computed = { depth: computeDepth(gelu), dead: computeDead(gelu, digits), race: computeRace(gelu, digits) };
  const text = JSON.stringify(computed);
  await mkdir(`${ROOT}build/computed`, { recursive: true });
  await writeFile(file, text);
  // As the page will read it.
  return JSON.parse(text);
}
