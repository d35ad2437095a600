/** Everyone who runs, in the order of the report. */
import { networksOf } from "./networks.js";
import { onnxruntime } from "./onnxruntime.js";
import { own } from "./own.js";
import { plain } from "./plain.js";
import { scalar } from "./scalar.js";
import { tfjs } from "./tfjs.js";

/**
 * Where an engine finds what it needs. Node and the page fill it in.
 * @typedef {object} Place
 * @property {(name: "gelu" | "musl" | "gemm") => Promise<BufferSource>} wasm the bytes of a module
 * @property {string} [tfjs] the folder of its wasm files, where it cannot find them itself
 * @property {string} [onnxruntime] the address of its wasm file, likewise
 */

/**
 * @param {import("../../web/gelu.d.ts").Gelu} gelu
 * @param {Place} place
 * @returns {Promise<import("./measure.js").Contestant[]>}
 */
export async function everyone(gelu, place) {
  const networks = networksOf(gelu);
  return [
    ...(await own(gelu, place, networks)),
    ...(await scalar(place)),
    ...(await onnxruntime(place, networks)),
    ...(await tfjs(place, networks)),
    ...plain(),
  ];
}
