/** JavaScript as a page writes it, and the one erfc in npm that keeps the tail. Loops of their own, so that each stays fast. */
import erfc from "@stdlib/math-base-special-erfc";
import { timed } from "./measure.js";
import { SIZES } from "./sizes.js";

const SCALE = Math.sqrt(2 / Math.PI);

function geluErfc(xs, ys) {
  for (let i = 0; i < xs.length; i++) ys[i] = 0.5 * xs[i] * erfc(-xs[i] * Math.SQRT1_2);
}

function geluErfc64(xs, ys) {
  for (let i = 0; i < xs.length; i++) ys[i] = 0.5 * xs[i] * erfc(-xs[i] * Math.SQRT1_2);
}

function geluTanh(xs, ys) {
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    ys[i] = 0.5 * x * (1 + Math.tanh(SCALE * (x + 0.044715 * x * x * x)));
  }
}

function geluExp(xs, ys) {
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i];
    ys[i] = x / (1 + Math.exp(-2 * SCALE * (x + 0.044715 * x * x * x)));
  }
}

function siluExp(xs, ys) {
  for (let i = 0; i < xs.length; i++) ys[i] = xs[i] / (1 + Math.exp(-xs[i]));
}

function relu(xs, ys) {
  for (let i = 0; i < xs.length; i++) ys[i] = Math.max(0, xs[i]);
}

/** @returns {import("./measure.js").Contestant[]} */
export function plain() {
  const STDLIB = "@stdlib/math-base-special-erfc";
  const OWN = "JavaScript";
  return [
    row("gelu", "float32", STDLIB, "erfc", geluErfc),
    row("gelu", "float64", STDLIB, "erfc", geluErfc64),
    row("gelu_tanh", "float32", OWN, "Math.tanh", geluTanh),
    row("gelu_tanh", "float32", OWN, "Math.exp", geluExp),
    row("silu", "float32", OWN, "Math.exp", siluExp),
    row("relu", "float32", OWN, "Math.max", relu),
  ];
}

function row(id, precision, who, how, run) {
  return {
    work: `${id} ${precision}`,
    who,
    how,
    against: "arrays",
    sizes: SIZES,
    truth: { id, precision },
    prepare: (xs) => {
      const typed = precision === "float32" ? Float32Array.from(xs) : xs;
      const ys = typed.slice();
      return { sample: timed(() => run(typed, ys)) };
    },
    evaluate: (xs) => {
      const ys = xs.slice();
      run(xs, ys);
      return ys;
    },
  };
}
