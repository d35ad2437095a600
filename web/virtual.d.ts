/** Made by web/build/build.mjs: the kernels' wasm, deflated and in base64. */
declare module "virtual:kernels" {
  const deflated: string;
  export default deflated;
}
