/** Made by web/build/bundle.mjs; bytes as web/packing.js has them. */
declare module "virtual:gelu-page.wasm" {
  const kernels: string;
  export default kernels;
}
/** Null where the page's have everything. */
declare module "virtual:gelu.wasm" {
  const kernels: string | null;
  export default kernels;
}
/** What wasm2js has made of the same C. */
declare module "virtual:gelu-fallback" {
  const instantiate: (imports: object) => object;
  export default instantiate;
}
declare module "virtual:digits" {
  const digits: string;
  export default digits;
}
/** The script of web/worker.js. */
declare module "virtual:worker" {
  const source: string;
  export default source;
}
/** The sheet styles/tools.css. */
declare module "virtual:tools.css" {
  const css: string;
  export default css;
}
/** Names and parameters of the figures in figures/late.js. */
declare module "virtual:late-parameters" {
  const figures: { name: string; parameters: ({ name: string } & Record<string, unknown>)[] }[];
  export default figures;
}
/** web/handout.js in the handout, elsewhere nothing. */
declare module "virtual:handout" {
  export const wireHandout: ((store: import("./state.js").Store) => void) | undefined;
}
/** What web/build/compute.mjs has computed, by the names of figures. */
declare module "virtual:computed" {
  const computed: Record<string, unknown>;
  export default computed;
}

/** Set by web/build/build.mjs from package.json. */
declare const __VERSION__: string;
