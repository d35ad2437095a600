/** One fresh process of Node: measures everyone, or (`errors`) says how wrong each is. JSON in as argument, JSON out. */
import { readFile } from "node:fs/promises";
import "../../build/bench/tfjs-gradients.mjs";
import { loadGelu } from "../../dist/lib/gelu.js";
import { everyone } from "./contestants.js";
import { errorsOf } from "./errors.js";
import { inputsOf } from "./inputs.js";
import { idOf, measure } from "./measure.js";
import { WHO } from "./own.js";

const ROOT = new URL("../../", import.meta.url);
const FILES = { gelu: "build/wasm/gelu.wasm", musl: "build/bench/musl.wasm", gemm: "build/bench/gemm.wasm" };

const { task, points, ...options } = JSON.parse(process.argv[2]);
// tfjs greets on the console; the output is ours.
console.log = console.info = console.warn = () => {};
const gelu = await loadGelu();
const contestants = await everyone(gelu, { wasm: (name) => readFile(new URL(FILES[name], ROOT)) });

const tasks = {
  rows: () =>
    contestants.map(({ work, who, how, against, hidden, sizes, truth }) => ({ work, who, how, against, hidden, sizes, truth })),
  measure: () => measure(contestants, { ...options, inputs: inputsOf(gelu) }),
  async errors() {
    const errors = {};
    for (const contestant of contestants) {
      // Our float64 kernels are what the others are measured by.
      const reference = contestant.who === WHO && contestant.truth?.precision === "float64";
      if (contestant.truth !== undefined && !reference) errors[idOf(contestant)] = await errorsOf(gelu, contestant, points);
    }
    return errors;
  },
};
process.stdout.write(`${JSON.stringify(await tasks[task]())}\n`);
