/** The library with its wasm memory in sight, which it keeps to itself. */
import { loadGelu } from "../../dist/lib/gelu.js";

/** The kernels, their exports, and `used()`, which changes when memory that was in use has not been given back. */
export async function loadWithMemory(options) {
  const { instantiate } = WebAssembly;
  let exports;
  WebAssembly.instantiate = async (...args) => {
    const result = await instantiate(...args);
    exports = (result.instance ?? result).exports;
    return result;
  };
  let gelu;
  try {
    gelu = await loadGelu(options);
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  /** Where the next small and the next large block would be, and the length of the memory. */
  const used = () => {
    const blocks = [exports.malloc(64), exports.malloc(65536)];
    for (const pointer of blocks) exports.free(pointer);
    return [...blocks, exports.memory.buffer.byteLength];
  };
  return { gelu, exports, used };
}
