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

export interface FitOptions {
  /** What the function is to come close to. */
  reference: FunctionId;
  /** Finite, from < to, at most 10000 in size. Defaults -10 and 10. A search beyond ±100 takes seconds. */
  from?: number;
  to?: number;
  order?: Order;
  /** The parameters to find, one or two, each within its range of the catalogue. Default: all of the function. */
  vary?: readonly string[];
  /** The others. */
  params?: Parameters;
  referenceParams?: Parameters;
}

export interface FitResult {
  /** All parameters of the function, found and given ones, as evaluate() takes them. */
  readonly params: Record<string, number>;
  /** The largest difference with them. */
  readonly error: number;
  /** An x where it is reached, the leftmost of equal ones. */
  readonly at: number;
}

export interface FitProgress extends FitResult {
  readonly done: boolean;
  /** Steps taken so far. */
  readonly steps: number;
  /** How many of them the grid takes that a search begins with; a few more come after it. */
  readonly gridSteps: number;
}

/** A search that is carried on step by step, so that it can show where it is and be given up. */
export interface Fit {
  /** At most n steps further (default 1), each well below 10 ms on ±10, and the best so far. */
  step(n?: number): FitProgress;
  /** Gives its memory back; once more is harmless, a step afterwards throws. */
  free(): void;
}

/** binary16 and bfloat16 besides the two that JavaScript has. */
export type Format = "float64" | "float32" | "float16" | "bfloat16";

/** ½x(1 + erf(x/√2)), ½x·erfc(−x/√2), ½x(1 + tanh(√(2/π)(x + 0.044715x³))), x·(1/(1 + exp(−1.702x))). */
export type Form = "erf" | "erfc" | "tanh" | "sigmoid";

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

/** Arrays of a feed-forward network, row-major: all weights, or all gradients. */
export interface FfnArrays {
  /** d × hidden. */
  readonly w1: Float32Array;
  /** hidden. */
  readonly b1: Float32Array;
  /** d × hidden; only where gated. */
  readonly v?: Float32Array;
  /** hidden; only where gated. */
  readonly c?: Float32Array;
  /** hidden × d. */
  readonly w2: Float32Array;
  /** d. */
  readonly b2: Float32Array;
}

export interface FfnOptions {
  /** Numbers per token, from 1. */
  d: number;
  /** Hidden units, from 1. */
  hidden: number;
  /** Default "gelu". */
  activation?: FunctionId;
  params?: Parameters;
  /** act(xW₁ + b₁) is multiplied by xV + c. Default false. */
  gated?: boolean;
  /**
   * Weights are drawn from the normal distribution (RandomSource's) with standard deviation 1/√d for w1 and v and
   * 1/√hidden for w2; biases are 0. Default 1.
   */
  seed?: number;
  /** In place of drawn weights; biases that are left out are 0. They are copied. */
  weights?: Partial<FfnArrays> & Pick<FfnArrays, "w1" | "w2">;
}

/**
 * The feed-forward network of a Transformer, y = act(xW₁ + b₁)W₂ + b₂, or gated y = (act(xW₁ + b₁) ⊙ (xV + c))W₂ + b₂, in
 * float32. Every array that it answers is a copy. After free() everything but free() throws.
 */
export interface Ffn {
  /** x and the result: tokens × d. NaN in a token gives NaN in all of its results. No tokens are allowed. */
  forward(x: Float32Array, tokens: number): Float32Array;
  /** From the gradient with respect to the last result, tokens × d, that with respect to its x; and `gradients`. */
  backward(dy: Float32Array): Float32Array;
  readonly weights: FfnArrays;
  /** Those of the last backward(), which do not add up over calls; null before the first. */
  readonly gradients: FfnArrays | null;
  /** xW₁ + b₁ of the last forward(): tokens × hidden. */
  readonly preActivations: Float32Array;
  /** What W₂ multiplied in the last forward(): tokens × hidden. */
  readonly hiddenValues: Float32Array;
  /** Gives its memory back; once more is harmless. */
  free(): void;
}

/** Labels are whole numbers from 0 to classes - 1. */
type Labels = ArrayLike<number>;

export interface TrainerOptions {
  /** Examples × inputs, row-major; `y` says how many examples. */
  x: Float32Array;
  y: Labels;
  classes: number;
  /** Examples for validation only; without them its loss and accuracy are NaN. */
  validation?: { x: Float32Array; y: Labels };
  /** Width of the network. Default 64. */
  d?: number;
  /** Hidden units of each block. Default 4 d. */
  hidden?: number;
  /** Feed-forward blocks, from 0. Default 1. */
  blocks?: number;
  /** Default "gelu". */
  activation?: FunctionId;
  params?: Parameters;
  /** Layer normalisation before each block, and the sum with its input behind it. Default true. */
  layerNorm?: boolean;
  residual?: boolean;
  /** Default "adamw" (β₁ = 0.9, β₂ = 0.999, ε = 1e-8). */
  optimizer?: "sgd" | "adamw";
  /** Default 0.001. */
  learningRate?: number;
  /** Of "sgd", from 0 to below 1. Default 0.9. */
  momentum?: number;
  /** Decoupled from the gradient, of matrices only. Default 0.01. */
  weightDecay?: number;
  /** Examples per step. Default 64. */
  batch?: number;
  /** Weights of the blocks begin with standard deviation initGain/√fan-in. Default 1. */
  initGain?: number;
  /** Of weights and the order of examples. Default 1. */
  seed?: number;
}

export interface TrainerProgress {
  /** Steps done. */
  readonly step: number;
  /** The epoch that the last step belongs to, from 1. */
  readonly epoch: number;
  /** Mean cross-entropy of the last mini-batch in nats, before its update. */
  readonly loss: number;
}

/**
 * All of the present weights. The last mini-batch is, before the first step, the first `batch` examples of the set.
 */
export interface TrainerStatistics {
  /** Epochs done. */
  readonly epoch: number;
  /** Mean cross-entropy over the whole set in nats. */
  readonly trainLoss: number;
  readonly validationLoss: number;
  /** Share of examples whose largest output is the label's. */
  readonly trainAccuracy: number;
  readonly validationAccuracy: number;
  /** For each block the Euclidean norm of the gradient of its weights, for the last mini-batch. */
  readonly gradientNorm: Float64Array;
  /** Share of units whose derivative is 0 in float32 for every example of the last mini-batch; of the training set. */
  readonly offForBatch: number;
  readonly offForSet: number;
  /** Milliseconds for the statistics, and of epoch() for its steps. */
  readonly ms: number;
}

/** What the hidden units of a block do, one number for each. Off: the slope is exactly 0 in float32. */
export interface TrainerUnits {
  /** xW₁ + b₁ of the chosen example of the training set. */
  readonly preActivations: Float32Array;
  /** act′ there, with its sign. */
  readonly slopeForExample: Float32Array;
  /** 1 where that is 0. */
  readonly offForExample: Uint8Array;
  /** The largest pre-activation over the training set. */
  readonly largest: Float32Array;
  /** The largest |act′| over the training set. */
  readonly slope: Float32Array;
  /** 1 where that is 0: no example moves the unit's incoming weights. */
  readonly offForSet: Uint8Array;
}

/**
 * A classifier: input projection, residual pre-LayerNorm feed-forward blocks, output layer; in float32. The same seed
 * gives the same numbers (but for ms), bit for bit, on every engine. After free() everything but free() throws.
 */
export interface Trainer {
  /** n mini-batches (default 1). What the last finite step was; null if there was none. */
  step(n?: number): TrainerProgress | null;
  /** What is left of the epoch, a whole one at its end. The last finite statistics; null if there were none. */
  epoch(): TrainerStatistics | null;
  /**
   * The statistics of the present weights, without a step: epoch 0 before the first. Steps afterwards are the same with
   * and without it. After a stop as epoch().
   */
  evaluate(): TrainerStatistics | null;
  /**
   * The hidden units of a block (default 0), for an example of the training set (default 0) and for the whole set, as the
   * weights are now. null after a stop.
   * @throws GeluError unless block and example are whole numbers and exist
   */
  units(options?: { block?: number; example?: number }): TrainerUnits | null;
  /** "nan" once a loss or a weight was NaN or infinite: further calls then do nothing. */
  readonly status: "ok" | "nan";
  /** The number of the step that stopped the run, or null. */
  readonly failedAt: number | null;
  /** From the next step on; the weights stay. */
  setActivation(id: FunctionId, params?: Parameters): void;
  /** From the next step on; moments stay. From 0. */
  setLearningRate(rate: number): void;
  /** Adds delta to b₁ of every hidden unit of every block: far down, units go off. Finite in float32. */
  shiftBiases(delta: number): void;
  /** Gives its memory back; once more is harmless. */
  free(): void;
}

export interface PropagateOptions {
  /** Default 24. */
  layers?: number;
  /** Default 128. */
  width?: number;
  /** Default "gelu". */
  activation?: FunctionId;
  params?: Parameters;
  /** Weights have standard deviation gain/√width; "unit": the gain that keeps the activation's second moment. Default 1. */
  gain?: number | "unit";
  /** Default false. */
  layerNorm?: boolean;
  residual?: boolean;
  /** Default 1. */
  seed?: number;
  /** Inputs, drawn from N(0, 1). Default 32. */
  samples?: number;
}

export type Backend = "wasm-simd" | "js";

export interface Gelu {
  readonly version: string;
  /** Which kernels compute: WebAssembly, or the same C in JavaScript: slower, with the same bits. */
  readonly backend: Backend;
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
   * The parameters for which the largest difference from a reference over an interval is least: to about 12 digits where
   * the best error is reached at several places, as those of the approximations of GELU are, to about 7 where it is not.
   * @throws GeluError for a wrong id, order, parameter or interval
   */
  bestFit(id: FunctionId, options: FitOptions): FitResult;
  /**
   * The same search, step by step.
   * @throws GeluError as bestFit
   */
  createFit(id: FunctionId, options: FitOptions): Fit;
  /**
   * The nearest numbers of a format, ties to even: straight from the input, so that nothing is rounded twice. Beyond its
   * largest number ±∞; subnormal numbers are not flushed; NaN stays NaN. A new array of the input's type.
   * @throws GeluError for a wrong format or type
   */
  round<T extends Float32Array | Float64Array>(xs: T, format: "float16" | "bfloat16"): T;
  /**
   * A formula as it is written out, x, the constants and the result of every operation rounded to the format; erf, erfc,
   * tanh and exp count as one operation, computed in float64. A new array of the input's type: of a Float32Array the
   * results in float64 are rounded once more, when they are put there.
   * @throws GeluError for a wrong form, format or type
   */
  emulate<T extends Float32Array | Float64Array>(form: Form, xs: T, format: Format): T;
  /**
   * Every step of emulate() for one x, in order; the last one is the result.
   *
   * erf: x, x/√2, erf, 1 + erf, ½x, result. erfc: x, −x/√2, erfc, ½x, result. tanh: x, x², x³, 0.044715x³, x + 0.044715x³,
   * √(2/π)(…), tanh, 1 + tanh, ½x, result. sigmoid: x, −1.702x, exp, 1 + exp, 1/(1 + exp), result.
   * @throws GeluError for a wrong form, format or type
   */
  emulateSteps(form: Form, x: number, format: Format): Float64Array;
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
  /**
   * A feed-forward network with its weights in wasm memory.
   * @throws GeluError for a wrong option, type, size or length, or where its arrays have no room
   */
  createFfn(options: FfnOptions): Ffn;
  /**
   * A training run with its examples, which are copied, in wasm memory.
   * @throws GeluError for a wrong option, type, size, length or label, where its arrays have no room, or where the kernels
   * are linked without it
   */
  createTrainer(options: TrainerOptions): Trainer;
  /**
   * Root mean square, over samples and units, of the signal and of a random gradient at each layer of a random network
   * x ← act(x)W, with layer normalisation before act and x added behind where asked. layers + 1 numbers each, index 0 the
   * input. What overflows shows as infinity or NaN.
   * @throws GeluError for a wrong option, type or size, where its arrays have no room, or where the kernels are linked
   * without it
   */
  propagate(options?: PropagateOptions): { signal: Float64Array; gradient: Float64Array };
}

export interface LoadOptions {
  /** The kernels, where gelu.wasm beside gelu.js is not wanted: its bytes, a Response, or a compiled module. */
  wasm?: BufferSource | Response | WebAssembly.Module | PromiseLike<BufferSource | Response | WebAssembly.Module>;
  /**
   * Default: "wasm-simd", and "js" where a Content-Security-Policy without 'wasm-unsafe-eval', the engine or its age leaves
   * no WebAssembly or none with SIMD. Asked for by name it is that one or an error.
   */
  backend?: Backend;
  /** Loads what gelu-fallback.js exports by default, where that file beside gelu.js is not wanted. Called for "js" only. */
  fallback?: () => Fallback | PromiseLike<Fallback>;
}

/** The kernels in JavaScript, to be handed to loadGelu. */
export type Fallback = (imports: object) => object;

/** Loads gelu.wasm, or gelu-fallback.js where wasm is refused (in Node ≥ 18.19 and in browsers), and answers the library. */
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
    | "unknown-form"
    | "unknown-format"
    | "unknown-backend"
    | "bad-type"
    | "bad-parameter"
    | "bad-interval"
    | "load-failed"
    | "refused"
    | "freed"
    | "out-of-memory"
    | "not-included"
    | "kernel";
}
