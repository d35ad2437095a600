/**
 * GELU and its kin as batch kernels in WebAssembly.
 *
 * float32 results are correctly rounded for gelu, gelu_tanh, gelu_sigmoid, sigmoid, silu, tanh, relu and normal_cdf at
 * order 0 with default parameters, and within 1 ULP otherwise; float64 within 2 ULP, with other parameters within 4
 * (README.md beside this file lists the worst that were found).
 * NaN gives NaN; results are the same bits at every position, length and alignment.
 */

/** A new row of the table gets its line here. */
export type FunctionId =
  | "gelu"
  | "gelu_tanh"
  | "gelu_sigmoid"
  | "relu"
  | "sigmoid"
  | "tanh"
  | "silu"
  | "softplus"
  | "elu"
  | "leaky_relu"
  | "mish"
  | "normal_cdf";

/** 0: the value, 1 and 2: the first and second derivative. At a kink the derivative from the left. */
export type Order = 0 | 1 | 2;

/** Parameters by name; those left out keep their defaults. Any finite number is allowed. */
export type Parameters = Readonly<Record<string, number>>;

export interface CatalogueParameter {
  readonly name: string;
  /** The default. */
  readonly value: number;
  /** The range that sliders offer; evaluate() takes any finite number. */
  readonly min: number;
  readonly max: number;
}

export interface CatalogueEntry {
  readonly id: FunctionId;
  readonly parameters: readonly CatalogueParameter[];
  readonly orders: readonly Order[];
}

export interface EvaluateOptions<T extends Float32Array | Float64Array> {
  /** Default 0. */
  order?: Order;
  params?: Parameters;
  /** "fast" concerns float32 only; where no fast kernel exists the default one serves. Default "default". */
  accuracy?: "default" | "fast";
  /** Where to put the results: same type and length as the input, may be the input itself. */
  out?: T;
}

export interface MaxErrorOptions {
  /** Finite, from < to, at most 10000 in size. Defaults -10 and 10. */
  from?: number;
  to?: number;
  order?: Order;
  /** Divide by the size of the reference; points where it is 0 are left out. Default false. */
  relative?: boolean;
  params?: Parameters;
  referenceParams?: Parameters;
}

export interface BenchmarkOptions {
  /** How many numbers a pass takes, from 1 to 16777216. Default 65536. */
  n?: number;
  /** How many passes are timed together, from 1. Default 16. */
  repeats?: number;
  /** Default 0. */
  order?: Order;
  params?: Parameters;
  /** Default "float32". */
  precision?: "float32" | "float64";
  /** As in evaluate(). Default "default". */
  accuracy?: "default" | "fast";
}

export interface MaxErrorResult {
  /**
   * The largest difference. Infinity where a relative one has no bound: at a zero of the reference that the function
   * does not share. Where the reference is subnormal a relative difference is as coarse as float64 is there.
   */
  readonly error: number;
  /** An x where it is reached, the leftmost of equal ones. */
  readonly at: number;
  /** Root mean square of the difference over the interval. */
  readonly rms: number;
}

/** Seeded numbers (PCG32), the same bit for bit on every engine. */
export interface RandomSource {
  /** The next n uniform numbers in (0, 1). */
  uniform(n: number): Float64Array;
  /** The next n standard normal numbers. */
  normal(n: number): Float64Array;
  /** Gives its memory back; once more is harmless, drawing afterwards throws. */
  free(): void;
}

export interface Gelu {
  readonly version: string;
  readonly backend: "wasm-simd" | "js";
  /** Every function, in display order. */
  readonly catalogue: readonly CatalogueEntry[];
  /**
   * The function at every x. The result is a new array of the input's type (or `out`), never a view of wasm memory; the
   * input is not modified unless `out` is the input.
   * @throws GeluError for a wrong id, order, parameter, accuracy or type
   */
  evaluate<T extends Float32Array | Float64Array>(id: FunctionId, xs: T, options?: EvaluateOptions<T>): T;
  /**
   * Largest and root-mean-square difference of a function from a reference over an interval, in float64.
   * @throws GeluError for a wrong id, order, parameter or interval
   */
  maxError(id: FunctionId, reference: FunctionId, options?: MaxErrorOptions): MaxErrorResult;
  /**
   * Milliseconds that `repeats` passes over n numbers took together, inside the kernel: nothing is copied, inputs and
   * results stay in wasm memory. The inputs are seeded, normal with standard deviation 2; one pass goes before, untimed.
   * Engines compile in steps, so the first calls are slower; browsers round their clock, so let a call take 10 ms or more.
   * @throws GeluError for a wrong id, order, parameter, accuracy, precision, n or repeats
   */
  benchmark(id: FunctionId, options?: BenchmarkOptions): number;
  /**
   * A source of random numbers of its own.
   * @throws GeluError unless seed is a whole number from 0 to 2^53 - 1
   */
  random(seed: number): RandomSource;
}

export interface LoadOptions {
  /** The kernels, where gelu.wasm beside gelu.js is not wanted: its bytes, a Response, or a compiled module. */
  wasm?: BufferSource | Response | WebAssembly.Module | PromiseLike<BufferSource | Response | WebAssembly.Module>;
  backend?: "wasm-simd";
}

/** Loads gelu.wasm (in Node ≥ 18.19 and in browsers) and answers the library. */
export function loadGelu(options?: LoadOptions): Promise<Gelu>;

/** An argument that the library cannot take: the message holds the bad value and what is allowed. */
export class GeluError extends Error {
  readonly code:
    | "unknown-function"
    | "unknown-order"
    | "unknown-parameter"
    | "unknown-option"
    | "unknown-accuracy"
    | "unknown-precision"
    | "unknown-backend"
    | "bad-type"
    | "bad-parameter"
    | "bad-interval"
    | "load-failed"
    | "freed"
    | "out-of-memory"
    | "kernel";
}
