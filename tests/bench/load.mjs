/** Milliseconds of whole Node processes, from nothing to the first result. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const LOADS = [
  { name: "empty", who: "an empty process" },
  { name: "own", who: "GELU Lab" },
  { name: "tfjs", who: "tfjs-wasm" },
  { name: "onnxruntime", who: "onnxruntime-web" },
];

/** In turns, so that what disturbs one disturbs all. @param {number} rounds @returns {Record<string, number[]>} by name */
export function measureLoads(rounds) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(LOADS.map(({ name }) => [name, []]));
  // The first round fills the file cache.
  for (let round = -1; round < rounds; round++) {
    for (const { name } of LOADS) {
      const file = fileURLToPath(new URL(`load/${name}.mjs`, import.meta.url));
      const started = performance.now();
      const { status, stderr } = spawnSync(process.execPath, [file], { stdio: ["ignore", "ignore", "pipe"] });
      const took = performance.now() - started;
      if (status !== 0) throw new Error(`load/${name}.mjs: ${stderr}`);
      if (round >= 0) times[name].push(took);
    }
  }
  return times;
}
