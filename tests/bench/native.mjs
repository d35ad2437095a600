/** The native program: scalar.h by gcc -O3 over this machine's C library. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { errorsOf } from "./errors.js";
import { idOf, median } from "./measure.js";
import { COPY, FORMS } from "./scalar.js";
import { SIZES } from "./sizes.js";

const PROGRAM = fileURLToPath(new URL("../../build/bench/native", import.meta.url));

/** @type {(import("./measure.js").Contestant & { name: string })[]} */
export const NATIVE = [
  ...FORMS.map((form) => ({ ...form, who: "C over glibc, native", sizes: SIZES, evaluate: (xs) => valuesOf(form.name, xs) })),
  { ...COPY, who: "the limit", how: "memcpy, native", sizes: SIZES },
];

/** @param {string[]} args @param {Float32Array | Float64Array} input */
function run(args, input) {
  const { status, stdout, stderr, error } = spawnSync(PROGRAM, args, {
    input: new Uint8Array(input.buffer, input.byteOffset, input.byteLength),
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw error ?? new Error(`native ${args.join(" ")}: ${stderr}`);
  return stdout;
}

function valuesOf(name, xs) {
  const bytes = Uint8Array.from(run(["values", name], xs));
  return new xs.constructor(bytes.buffer);
}

/** As measure() answers it. */
export function measureNative({ sizes, rounds, target, inputs }) {
  /** @type {Record<string, Record<number, number>>} */
  const result = {};
  for (const n of sizes) {
    for (const line of run(["time", String(rounds), String(target)], inputs(n))
      .toString()
      .trim()
      .split("\n")) {
      const [name, ...times] = line.split(" ");
      const row = NATIVE.find((form) => form.name === name);
      if (row === undefined) throw new Error(`native measured ${name}, which scalar.js does not know`);
      const id = idOf(row);
      result[id] ??= {};
      result[id][n] = median(times.map(Number));
    }
  }
  return result;
}

export async function nativeErrors(gelu, points) {
  const errors = {};
  for (const row of NATIVE) if (row.truth !== undefined) errors[idOf(row)] = await errorsOf(gelu, row, points);
  return errors;
}
