/** Made by web/build/build.mjs: the kernels' wasm, deflated and in base64. */
declare module "virtual:kernels" {
  const deflated: string;
  export default deflated;
}

/** Set by web/build/build.mjs from package.json. */
declare const __VERSION__: string;
