/** Made by web/build/build.mjs: the kernels' wasm, packed as a string. */
declare module "virtual:kernels" {
  export const packing: "text" | "deflate";
  const wasm: string;
  export default wasm;
}

/** Set by web/build/build.mjs from package.json. */
declare const __VERSION__: string;
