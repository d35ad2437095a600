/**
 * The only JavaScript file that touches wasm memory: loads the kernels, copies numbers in and out, checks arguments. The
 * regions "networks" are not in the page's first script (web/build/bundle.mjs).
 */

/** An argument that the library cannot take. `code` is stable; the message holds the bad value and what is allowed. */
export class GeluError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "GeluError";
    this.code = code;
  }
}

/** Values per crossing into wasm: small enough to stay in the processor's cache, and memory in use is bounded. */
const CHUNK = 16384;

/** maxError looks no further than this. */
const INTERVAL_LIMIT = 1e4;

const ORDERS = [0, 1, 2];
const ACCURACIES = ["default", "fast"];
const PRECISIONS = ["float32", "float64"];
/** In the order of c_src/halffloat.h. */
const FORMATS = ["float64", "float32", "float16", "bfloat16"];
const HALF_FORMATS = FORMATS.slice(2);
const FORMS = ["erf", "erfc", "tanh", "sigmoid"];
/** No form has more steps, no function more parameters. */
const MOST_STEPS = 10;
const MOST_PARAMETERS = 2;

/** benchmark takes no more numbers than this: input and output in float64 are then 256 MiB. */
const BENCHMARK_LIMIT = 2 ** 24;

/** What the C side answers (c_src/status.h); a status that JavaScript's own checks should have caught names itself. */
const STATUS_NAMES = [
  "ok",
  "unknown function",
  "unknown order",
  "bad parameter",
  "bad interval",
  "null pointer",
  "unknown option",
  "too large",
  "bad size",
  "not finite",
];

/** No block of wasm memory is as large, and no size in a call: a larger number would wrap around in 32 bits. */
const BLOCK_LIMIT = 2 ** 31;
const BACKENDS = ["wasm-simd", "js"];
const OPTIMIZERS = ["sgd", "adamw"];

/** What gelu_train_epoch and gelu_train_evaluate write before the gradient norms. */
const STATISTICS = ["epoch", "trainLoss", "validationLoss", "trainAccuracy", "validationAccuracy", "offForBatch", "offForSet"];

/**
 * A value as it reads in an error message: short, and never a crash for a strange one.
 * @param {unknown} value
 */
function show(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean" || value == null) return String(value);
  if (ArrayBuffer.isView(value)) return value.constructor.name;
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

/**
 * Where the value stands among those that are allowed.
 * @param {readonly unknown[]} allowed
 * @param {unknown} value
 * @param {string} what
 */
function positionIn(allowed, value, what, code = `unknown-${what}`) {
  const position = allowed.indexOf(value);
  if (position < 0) throw new GeluError(code, `unknown ${what} ${show(value)}; allowed: ${allowed.join(", ")}`);
  return position;
}

/** @param {unknown} xs */
function checkNumbers(xs) {
  if (xs instanceof Float32Array || xs instanceof Float64Array) return;
  throw new GeluError("bad-type", `xs must be a Float32Array or a Float64Array, got ${show(xs)}`);
}

/**
 * @param {unknown} from
 * @param {unknown} to
 */
function checkInterval(from, to) {
  for (const [name, end] of Object.entries({ from, to })) {
    if (typeof end !== "number" || !(Math.abs(end) <= INTERVAL_LIMIT)) {
      throw new GeluError(
        "bad-interval",
        `${name} must be a number from ${-INTERVAL_LIMIT} to ${INTERVAL_LIMIT}, got ${show(end)}`,
      );
    }
  }
  if (Number(from) >= Number(to)) {
    throw new GeluError("bad-interval", `from must be less than to, got from ${from} and to ${to}`);
  }
}

/**
 * @param {unknown} options
 * @param {string[]} allowed
 * @returns {Record<string, any>}
 */
function readOptions(options, allowed) {
  if (options === undefined) return {};
  if (options === null || typeof options !== "object") {
    throw new GeluError("bad-type", `options must be an object, got ${show(options)}`);
  }
  for (const name of Object.keys(options)) positionIn(allowed, name, "option");
  return { ...options };
}

/** A module with one vector operation: whatever refuses wasm or its SIMD refuses this. */
const PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

/** Whether a policy, the engine or its age leaves us wasm. WebKit lets a policy that refuses it compile, and no more. */
function wasmIsRefused() {
  try {
    return !(WebAssembly.validate(PROBE) && new WebAssembly.Instance(new WebAssembly.Module(PROBE)));
  } catch {
    return true;
  }
}

/** The kernels in JavaScript, in gelu-fallback.js beside this file. */
async function importFallback() {
  return (await import("./gelu-fallback.js")).default;
}

/**
 * What instantiate gives of wasm, from kernels that wasm2js has made: they know no end of memory, and throw where there is
 * no room for more of it.
 * @param {any} load
 */
async function startFallback(load) {
  let start;
  try {
    start = await load();
  } catch (error) {
    if (error instanceof GeluError) throw error;
    throw new GeluError("load-failed", `the kernels in JavaScript did not load: ${/** @type {Error} */ (error).message}`);
  }
  const env = { emscripten_notify_memory_growth() {} };
  const kernels = start({ ...env, env });
  kernels._initialize();
  const malloc = (/** @type {number} */ bytes) => {
    if (kernels.memory.buffer.byteLength + bytes >= BLOCK_LIMIT) return 0;
    try {
      return kernels.malloc(bytes);
    } catch {
      return 0;
    }
  };
  return { ...kernels, malloc };
}

/**
 * The bytes of gelu.wasm beside this file.
 * @returns {Promise<unknown>}
 */
async function fetchDefault() {
  const url = new URL("gelu.wasm", import.meta.url);
  if (url.protocol === "file:" && typeof process === "object") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  return fetch(url);
}

/**
 * What WebAssembly.instantiate takes.
 * @param {unknown} source
 */
async function bytesOf(source) {
  if (source instanceof WebAssembly.Module || source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (!(typeof Response === "function" && source instanceof Response)) {
    throw new GeluError("bad-type", `wasm must be bytes, a Response or a WebAssembly.Module, got ${show(source)}`);
  }
  if (!source.ok) throw new GeluError("load-failed", `${source.url || "the wasm file"} answered ${source.status}`);
  return source.arrayBuffer();
}

/**
 * @param {unknown} source WebAssembly.Module, bytes, or a Response
 * @returns {Promise<Record<string, any>>} the exports
 */
async function instantiate(source) {
  /** @type {WebAssembly.Imports} */
  const imports = {
    // The views below are made afresh at each call, so growth needs no answer.
    env: { emscripten_notify_memory_growth() {} },
  };
  const bytes = await bytesOf(source);
  let result;
  try {
    result = await WebAssembly.instantiate(/** @type {any} */ (bytes), imports);
  } catch (error) {
    throw new GeluError("load-failed", `the kernels could not be started: ${/** @type {Error} */ (error).message}`);
  }
  const instance = result instanceof WebAssembly.Instance ? result : result.instance;
  const exports = /** @type {any} */ (instance.exports);
  exports._initialize?.();
  return exports;
}

/**
 * @param {string} name
 * @param {any} value
 * @param {number} least
 */
function checkWhole(name, value, least, most = Number.MAX_SAFE_INTEGER) {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new GeluError("bad-parameter", `${name} must be a whole number from ${least} to ${most}, got ${show(value)}`);
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkFlag(name, value) {
  if (typeof value !== "boolean") throw new GeluError("bad-type", `${name} must be true or false, got ${show(value)}`);
}

/**
 * Several sizes at once, each from 1 up.
 * @param {Record<string, unknown>} sizes
 */
function checkSizes(sizes) {
  for (const [name, value] of Object.entries(sizes)) checkWhole(name, value, 1, BLOCK_LIMIT - 1);
}

/**
 * @param {string} name
 * @param {any} value
 */
function checkNotNegative(name, value, below = Infinity) {
  if (typeof value !== "number" || !(value >= 0 && value < below)) {
    throw new GeluError("bad-parameter", `${name} must be a number from 0 to below ${below}, got ${show(value)}`);
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} length
 */
function checkFloats(name, value, length) {
  if (value instanceof Float32Array && value.length === length) return;
  const got = value instanceof Float32Array ? `one of length ${value.length}` : show(value);
  throw new GeluError("bad-type", `${name} must be a Float32Array of length ${length}, got ${got}`);
}

/**
 * The page's first kernels are linked without training and depth.
 * @param {unknown} kernel
 * @param {string} what
 */
function checkIncluded(kernel, what) {
  if (kernel === undefined) throw new GeluError("not-included", `these kernels are without ${what}; gelu.wasm has it`);
}

/** @param {number} status */
function checkStatus(status) {
  if (status !== 0) throw new GeluError("kernel", `the kernel refused the call: ${STATUS_NAMES[status] ?? status}`);
}

/**
 * @param {Record<string, any>} wasm
 * @param {number} bytes
 * @returns {number} where they are; the caller frees
 */
function allocate(wasm, bytes) {
  const pointer = bytes < BLOCK_LIMIT ? wasm.malloc(bytes) : 0;
  if (pointer === 0) throw new GeluError("out-of-memory", `no room for ${bytes} bytes in wasm memory`);
  return pointer;
}

/** @param {number} n */
function roomFor(n) {
  try {
    return new Float64Array(n);
  } catch {
    throw new GeluError("out-of-memory", `no room for ${n} numbers`);
  }
}

/** @param {{ wasm?: unknown, backend?: string, fallback?: unknown }} [options] */
export async function loadGelu(options) {
  const known = ["wasm", "backend", "fallback"];
  const { wasm, backend, fallback = importFallback } = readOptions(options, known);
  if (backend !== undefined) positionIn(BACKENDS, backend, "backend");
  if (typeof fallback !== "function") throw new GeluError("bad-type", `fallback must be a function, got ${show(fallback)}`);
  const isRefused = backend !== "js" && wasmIsRefused();
  if (isRefused && backend !== undefined) throw new GeluError("refused", "WebAssembly or its SIMD is not to be had here");
  if (isRefused || backend === "js") {
    // The caller's script comes to its end first.
    await null;
    return new Gelu(await startFallback(fallback), "js");
  }
  const source = await (wasm === undefined ? fetchDefault() : wasm);
  return new Gelu(await instantiate(source), "wasm-simd");
}

export class Gelu {
  /** @type {Record<string, any>} */
  #wasm;

  /**
   * @param {Record<string, any>} wasm
   * @param {"wasm-simd" | "js"} backend
   */
  constructor(wasm, backend) {
    this.#wasm = wasm;
    this.version = typeof __VERSION__ === "string" ? __VERSION__ : "unbuilt";
    this.backend = backend;
    this.catalogue = this.#readCatalogue();
    Object.freeze(this);
  }

  #readCatalogue() {
    const wasm = this.#wasm;
    const rows = [];
    for (let i = 0; i < wasm.gelu_function_count(); i++) {
      const parameters = [];
      for (let j = 0; j < wasm.gelu_parameter_count(i); j++) {
        parameters.push(
          Object.freeze({
            name: this.#text(wasm.gelu_parameter_name(i, j)),
            value: wasm.gelu_parameter_value(i, j),
            min: wasm.gelu_parameter_min(i, j),
            max: wasm.gelu_parameter_max(i, j),
          }),
        );
      }
      rows.push(
        Object.freeze({
          id: this.#text(wasm.gelu_function_id(i)),
          parameters: Object.freeze(parameters),
          orders: Object.freeze([...ORDERS]),
        }),
      );
    }
    return Object.freeze(rows);
  }

  /** @param {number} pointer to a C string of ASCII characters */
  #text(pointer) {
    const bytes = new Uint8Array(this.#wasm.memory.buffer);
    return String.fromCharCode(...bytes.subarray(pointer, bytes.indexOf(0, pointer)));
  }

  /**
   * Runs `use` with a block of wasm memory and gives it back whatever happens.
   * @template T
   * @param {number} bytes
   * @param {(pointer: number) => T} use
   * @returns {T}
   */
  #withMemory(bytes, use) {
    const pointer = allocate(this.#wasm, bytes);
    try {
      return use(pointer);
    } finally {
      this.#wasm.free(pointer);
    }
  }

  /** @param {unknown} id */
  #row(id) {
    const ids = this.catalogue.map((row) => row.id);
    return positionIn(ids, id, "function");
  }

  /**
   * The values of a row's parameters in the row's order: the given ones, else the defaults.
   * @param {number} index
   * @param {unknown} params
   * @returns {number[]}
   */
  #parameters(index, params) {
    const { id, parameters } = this.catalogue[index];
    const values = parameters.map((parameter) => parameter.value);
    if (params === undefined) return values;
    if (params === null || typeof params !== "object" || Array.isArray(params)) {
      throw new GeluError("bad-type", `params must be an object such as { name: number }, got ${show(params)}`);
    }
    for (const [name, value] of Object.entries(params)) {
      const position = parameters.findIndex((parameter) => parameter.name === name);
      if (position < 0) {
        const allowed = parameters.map((parameter) => parameter.name).join(", ");
        throw new GeluError("unknown-parameter", `${id} has no parameter ${show(name)}; allowed: ${allowed || "none"}`);
      }
      if (typeof value !== "number" || !Number.isFinite(value)) {
        throw new GeluError("bad-parameter", `${id}.${name} must be a finite number, got ${show(value)}`);
      }
      values[position] = value;
    }
    return values;
  }

  /**
   * @template {Float32Array | Float64Array} T
   * @param {string} id
   * @param {T} xs
   * @param {{ order?: 0 | 1 | 2, params?: Record<string, number>, accuracy?: "default" | "fast", out?: T }} [options]
   * @returns {T}
   */
  evaluate(id, xs, options) {
    const { order = 0, params, accuracy = "default", out } = readOptions(options, ["order", "params", "accuracy", "out"]);
    const index = this.#row(id);
    positionIn(ORDERS, order, "order");
    const values = this.#parameters(index, params);
    const tier = positionIn(ACCURACIES, accuracy, "accuracy");
    checkNumbers(xs);
    if (out !== undefined && (out?.constructor !== xs.constructor || out.length !== xs.length)) {
      throw new GeluError(
        "bad-type",
        `out must be a ${xs.constructor.name} of length ${xs.length}, got ${show(out)} of length ${show(out?.length)}`,
      );
    }
    return /** @type {T} */ (this.#map(index, order, values, tier, xs, out));
  }

  /**
   * One call into wasm. The last four are offsets into its memory, and how many numbers.
   * @param {boolean} single
   * @param {number} index
   * @param {number} order
   * @param {number} parameters
   * @param {number} accuracy
   * @param {number} x
   * @param {number} y
   * @param {number} n
   */
  #kernel(single, index, order, parameters, accuracy, x, y, n) {
    checkStatus(
      single
        ? this.#wasm.gelu_evaluate_f32(index, order, parameters, accuracy, x, y, n)
        : this.#wasm.gelu_evaluate_f64(index, order, parameters, x, y, n),
    );
  }

  /**
   * @param {number} index
   * @param {number} order
   * @param {number[]} values
   * @param {number} accuracy
   * @param {Float32Array | Float64Array} xs
   * @param {Float32Array | Float64Array} [out]
   */
  #map(index, order, values, accuracy, xs, out) {
    const single = xs instanceof Float32Array;
    const ArrayType = single ? Float32Array : Float64Array;
    // A partial overlap would read results as inputs, so those go to an array of their own first.
    const overlaps = out !== undefined && out.buffer === xs.buffer && out.byteOffset !== xs.byteOffset;
    const result = out === undefined || overlaps ? new ArrayType(xs.length) : out;
    const size = ArrayType.BYTES_PER_ELEMENT;
    const parameterBytes = 8 * values.length;
    this.#withMemory(parameterBytes + size * Math.min(xs.length, CHUNK) + 8, (pointer) => {
      new Float64Array(this.#wasm.memory.buffer, pointer, values.length).set(values);
      const data = pointer + parameterBytes;
      for (let start = 0; start < xs.length; start += CHUNK) {
        const part = xs.subarray(start, start + CHUNK);
        const view = new ArrayType(this.#wasm.memory.buffer, data, part.length);
        view.set(part);
        this.#kernel(single, index, order, pointer, accuracy, data, data, part.length);
        result.set(view, start);
      }
    });
    if (overlaps) out?.set(result);
    return out ?? result;
  }

  /**
   * @param {string} id
   * @param {{ n?: number, repeats?: number, order?: 0 | 1 | 2, params?: Record<string, number>,
   *   precision?: "float32" | "float64", accuracy?: "default" | "fast" }} [options]
   * @returns {number}
   */
  benchmark(id, options) {
    const known = ["n", "repeats", "order", "params", "precision", "accuracy"];
    const {
      n = 65536,
      repeats = 16,
      order = 0,
      params,
      precision = "float32",
      accuracy = "default",
    } = readOptions(options, known);
    const index = this.#row(id);
    positionIn(ORDERS, order, "order");
    const values = this.#parameters(index, params);
    const tier = positionIn(ACCURACIES, accuracy, "accuracy");
    positionIn(PRECISIONS, precision, "precision");
    checkWhole("n", n, 1, BENCHMARK_LIMIT);
    checkWhole("repeats", repeats, 1);
    const single = precision === "float32";
    const ArrayType = single ? Float32Array : Float64Array;
    const bytes = ArrayType.BYTES_PER_ELEMENT * n;
    const xs = this.#benchmarkInputs(n);
    // Eight bytes more, so that the results too begin at a multiple of 8.
    return this.#withMemory(8 * values.length + 2 * bytes + 8, (pointer) => {
      new Float64Array(this.#wasm.memory.buffer, pointer, values.length).set(values);
      const x = pointer + 8 * values.length;
      const y = x + 8 * Math.ceil(bytes / 8);
      new ArrayType(this.#wasm.memory.buffer, x, n).set(xs);
      const run = () => this.#kernel(single, index, order, pointer, tier, x, y, n);
      // The first touch of the results' memory is no part of the kernel.
      run();
      const started = performance.now();
      for (let i = 0; i < repeats; i++) run();
      return performance.now() - started;
    });
  }

  /**
   * The same at every call: normal with standard deviation 2, what a layer feeds its activation and some of the tail.
   * @param {number} n
   */
  #benchmarkInputs(n) {
    const source = this.random(1);
    try {
      return source.normal(n).map((value) => 2 * value);
    } finally {
      source.free();
    }
  }

  /**
   * @param {string} id
   * @param {string} reference
   * @param {{ from?: number, to?: number, order?: 0 | 1 | 2, relative?: boolean, params?: Record<string, number>,
   *   referenceParams?: Record<string, number> }} [options]
   * @returns {{ error: number, at: number, rms: number }}
   */
  maxError(id, reference, options) {
    const known = ["from", "to", "order", "relative", "params", "referenceParams"];
    const { from = -10, to = 10, order = 0, relative = false, params, referenceParams } = readOptions(options, known);
    const index = this.#row(id);
    const referenceIndex = this.#row(reference);
    positionIn(ORDERS, order, "order");
    const values = this.#parameters(index, params);
    const referenceValues = this.#parameters(referenceIndex, referenceParams);
    checkInterval(from, to);
    checkFlag("relative", relative);
    return this.#withMemory(8 * (values.length + referenceValues.length + 3), (pointer) => {
      const referencePointer = pointer + 8 * values.length;
      const resultPointer = referencePointer + 8 * referenceValues.length;
      new Float64Array(this.#wasm.memory.buffer, pointer, values.length).set(values);
      new Float64Array(this.#wasm.memory.buffer, referencePointer, referenceValues.length).set(referenceValues);
      checkStatus(
        this.#wasm.gelu_max_error(
          index,
          pointer,
          referenceIndex,
          referencePointer,
          order,
          from,
          to,
          Number(relative),
          resultPointer,
        ),
      );
      const [error, at, rms] = new Float64Array(this.#wasm.memory.buffer, resultPointer, 3);
      return { error, at, rms };
    });
  }

  /**
   * @param {string} id
   * @param {import("./gelu.d.ts").FitOptions} options
   * @returns {import("./gelu.d.ts").Fit}
   */
  createFit(id, options) {
    const known = ["reference", "from", "to", "order", "vary", "params", "referenceParams"];
    const { reference, from = -10, to = 10, order = 0, vary, params, referenceParams } = readOptions(options, known);
    const wasm = this.#wasm;
    const index = this.#row(id);
    const referenceIndex = this.#row(reference);
    positionIn(ORDERS, order, "order");
    const values = this.#parameters(index, params);
    const referenceValues = this.#parameters(referenceIndex, referenceParams);
    checkInterval(from, to);
    const names = this.catalogue[index].parameters.map(({ name }) => name);
    const bits = this.#varied(id, names, vary);
    let fit = wasm.malloc(wasm.gelu_fit_bytes());
    if (fit === 0) throw new GeluError("out-of-memory", "no room for a search in wasm memory");
    try {
      this.#withMemory(16 * MOST_PARAMETERS, (pointer) => {
        const referencePointer = pointer + 8 * MOST_PARAMETERS;
        new Float64Array(wasm.memory.buffer, pointer, values.length).set(values);
        new Float64Array(wasm.memory.buffer, referencePointer, referenceValues.length).set(referenceValues);
        checkStatus(wasm.gelu_fit_start(fit, index, pointer, referenceIndex, referencePointer, order, from, to, bits));
      });
    } catch (error) {
      wasm.free(fit);
      throw error;
    }
    return {
      step: (n = 1) => {
        if (fit === 0) throw new GeluError("freed", "this search has been freed");
        checkWhole("n", n, 1, 2 ** 31);
        const done = wasm.gelu_fit_step(fit, n) === 0;
        return this.#withMemory(8 * (4 + MOST_PARAMETERS), (pointer) => {
          checkStatus(wasm.gelu_fit_read(fit, pointer));
          const [steps, gridSteps, error, at, ...best] = new Float64Array(wasm.memory.buffer, pointer, 4 + MOST_PARAMETERS);
          return { done, steps, gridSteps, params: Object.fromEntries(names.map((name, j) => [name, best[j]])), error, at };
        });
      },
      free() {
        wasm.free(fit);
        fit = 0;
      },
    };
  }

  /**
   * Which parameters a search is for, as bits: all of them where none are named.
   * @param {string} id
   * @param {string[]} names
   * @param {unknown} vary
   */
  #varied(id, names, vary = names) {
    if (!Array.isArray(vary)) throw new GeluError("bad-type", `vary must be an array of names, got ${show(vary)}`);
    for (const name of vary) {
      if (!names.includes(name)) {
        const allowed = names.join(", ") || "none";
        throw new GeluError("unknown-parameter", `${id} has no parameter ${show(name)} to vary; allowed: ${allowed}`);
      }
    }
    if (vary.length === 0) {
      throw new GeluError("bad-parameter", `vary names no parameter of ${id}; allowed: ${names.join(", ") || "none"}`);
    }
    return names.reduce((bits, name, j) => bits | (vary.includes(name) ? 1 << j : 0), 0);
  }

  /**
   * @param {string} id
   * @param {import("./gelu.d.ts").FitOptions} options
   * @returns {import("./gelu.d.ts").FitResult}
   */
  bestFit(id, options) {
    const fit = this.createFit(id, options);
    try {
      const { params, error, at } = fit.step(2 ** 31);
      return { params, error, at };
    } finally {
      fit.free();
    }
  }

  /**
   * Maps numbers through float64 in wasm memory; the result has the type of the input.
   * @template {Float32Array | Float64Array} T
   * @param {T} xs
   * @param {(pointer: number, n: number) => number} kernel in place
   * @returns {T}
   */
  #mapInFloat64(xs, kernel) {
    const result = /** @type {T} */ (new /** @type {any} */ (xs.constructor)(xs.length));
    this.#withMemory(8 * Math.min(xs.length, CHUNK) + 8, (pointer) => {
      for (let start = 0; start < xs.length; start += CHUNK) {
        const part = xs.subarray(start, start + CHUNK);
        const view = new Float64Array(this.#wasm.memory.buffer, pointer, part.length);
        view.set(part);
        checkStatus(kernel(pointer, part.length));
        result.set(view, start);
      }
    });
    return result;
  }

  /**
   * @template {Float32Array | Float64Array} T
   * @param {T} xs
   * @param {"float16" | "bfloat16"} format
   * @returns {T}
   */
  round(xs, format) {
    positionIn(HALF_FORMATS, format, "format");
    const index = FORMATS.indexOf(format);
    checkNumbers(xs);
    return this.#mapInFloat64(xs, (pointer, n) => this.#wasm.gelu_round(index, pointer, pointer, n));
  }

  /**
   * @template {Float32Array | Float64Array} T
   * @param {import("./gelu.d.ts").Form} form
   * @param {T} xs
   * @param {import("./gelu.d.ts").Format} format
   * @returns {T}
   */
  emulate(form, xs, format) {
    const formIndex = positionIn(FORMS, form, "form");
    const index = positionIn(FORMATS, format, "format");
    checkNumbers(xs);
    return this.#mapInFloat64(xs, (pointer, n) => this.#wasm.gelu_emulate(formIndex, index, pointer, pointer, n));
  }

  /**
   * @param {import("./gelu.d.ts").Form} form
   * @param {number} x
   * @param {import("./gelu.d.ts").Format} format
   * @returns {Float64Array}
   */
  emulateSteps(form, x, format) {
    const formIndex = positionIn(FORMS, form, "form");
    const index = positionIn(FORMATS, format, "format");
    if (typeof x !== "number") throw new GeluError("bad-type", `x must be a number, got ${show(x)}`);
    return this.#withMemory(8 * MOST_STEPS, (pointer) => {
      const count = this.#wasm.gelu_emulate_steps(formIndex, index, x, pointer);
      return new Float64Array(this.#wasm.memory.buffer, pointer, count).slice();
    });
  }

  /**
   * @param {number} seed
   * @returns {import("./gelu.d.ts").RandomSource}
   */
  random(seed) {
    checkWhole("seed", seed, 0);
    const wasm = this.#wasm;
    let state = allocate(wasm, wasm.gelu_random_bytes());
    checkStatus(wasm.gelu_random_seed(state, seed));

    /** @param {(state: number, out: number, n: number) => number} draw */
    const drawer = (draw) => (/** @type {number} */ n) => {
      if (state === 0) throw new GeluError("freed", "this random source has been freed");
      checkWhole("n", n, 0);
      const result = roomFor(n);
      this.#withMemory(8 * Math.min(n, CHUNK) + 8, (pointer) => {
        for (let start = 0; start < n; start += CHUNK) {
          const count = Math.min(CHUNK, n - start);
          checkStatus(draw(state, pointer, count));
          result.set(new Float64Array(wasm.memory.buffer, pointer, count), start);
        }
      });
      return result;
    };

    return {
      uniform: drawer(wasm.gelu_random_uniform),
      normal: drawer(wasm.gelu_random_normal),
      free() {
        wasm.free(state);
        state = 0;
      },
    };
  }

  /**
   * @param {import("./gelu.d.ts").FfnOptions} options
   * @returns {import("./gelu.d.ts").Ffn}
   */
  createFfn(options) {
    const known = ["d", "hidden", "activation", "params", "gated", "seed", "weights"];
    const { d, hidden, activation = "gelu", params, gated = false, seed = 1, weights } = readOptions(options, known);
    checkSizes({ d, hidden });
    checkFlag("gated", gated);
    checkWhole("seed", seed, 0);
    const row = this.#row(activation);
    return new Ffn(this.#wasm, { d, hidden, gated, row, values: this.#parameters(row, params) }, seed, weights);
  }

  // #region networks
  /**
   * @param {import("./gelu.d.ts").TrainerOptions} options
   * @returns {import("./gelu.d.ts").Trainer}
   */
  createTrainer(options) {
    checkIncluded(this.#wasm.gelu_train_start, "createTrainer");
    return new Trainer(this.#wasm, readTrainer(options), (/** @type {unknown} */ id, /** @type {unknown} */ params) => {
      const row = this.#row(id);
      return { row, values: this.#parameters(row, params) };
    });
  }

  /**
   * @param {import("./gelu.d.ts").PropagateOptions} options
   * @returns {{ signal: Float64Array, gradient: Float64Array }}
   */
  propagate(options) {
    checkIncluded(this.#wasm.gelu_depth, "propagate");
    const known = ["layers", "width", "activation", "params", "gain", "layerNorm", "residual", "seed", "samples"];
    const read = readOptions(options, known);
    const { layers = 24, width = 128, activation = "gelu", params, gain = 1, samples = 32, seed = 1 } = read;
    const { layerNorm = false, residual = false } = read;
    checkSizes({ layers, width, samples });
    if (gain !== "unit") checkNotNegative("gain", gain);
    checkFlag("layerNorm", layerNorm);
    checkFlag("residual", residual);
    checkWhole("seed", seed, 0);
    const row = this.#row(activation);
    const values = this.#parameters(row, params);
    const wasm = this.#wasm;
    const room = 8 * (2 + 2 * (layers + 1)) + 4 * wasm.gelu_depth_workspace(layers, width, samples, layerNorm);
    return this.#withMemory(room, (pointer) => {
      const signal = pointer + 16;
      const gradient = signal + 8 * (layers + 1);
      const doubles = (/** @type {number} */ at, /** @type {number} */ n) => new Float64Array(wasm.memory.buffer, at, n);
      doubles(pointer, values.length).set(values);
      if (gain === "unit") checkStatus(wasm.gelu_depth_unit_gain(row, pointer, signal));
      const factor = gain === "unit" ? doubles(signal, 1)[0] : gain;
      const workspace = gradient + 8 * (layers + 1);
      const network = [layers, width, samples, factor, layerNorm, residual, seed, row, pointer];
      checkStatus(wasm.gelu_depth(...network, signal, gradient, workspace));
      return { signal: doubles(signal, layers + 1).slice(), gradient: doubles(gradient, layers + 1).slice() };
    });
  }
  // #endregion
}

/** Wasm memory of one owner, which is replaced when more is needed: what was in it is lost then. */
class Block {
  #wasm;
  #bytes = 0;
  at = 0;

  /** @param {Record<string, any>} wasm */
  constructor(wasm) {
    this.#wasm = wasm;
  }

  /** @param {number} bytes */
  reserve(bytes) {
    if (bytes <= this.#bytes) return;
    this.free();
    this.at = allocate(this.#wasm, bytes);
    this.#bytes = bytes;
  }

  /** Views are good until the next call that may let the memory grow. @param {number} pointer @param {number} n */
  floats(pointer, n) {
    return new Float32Array(this.#wasm.memory.buffer, pointer, n);
  }

  free() {
    this.#wasm.free(this.at);
    this.at = 0;
    this.#bytes = 0;
  }
}

class Ffn {
  #wasm;
  #net;
  /** @type {[string, number][]} name and length of each array of weights, in their order in wasm memory */
  #parts;
  #count;
  #blocks;
  #tokens = 0;
  #alive = true;
  #hasGradients = false;

  /**
   * @param {Record<string, any>} wasm
   * @param {{ d: number, hidden: number, gated: boolean, row: number, values: number[] }} net
   * @param {number} seed
   * @param {unknown} weights
   */
  constructor(wasm, net, seed, weights) {
    const { d, hidden, gated, values } = net;
    this.#wasm = wasm;
    this.#net = net;
    this.#parts = [
      ["w1", d * hidden],
      ["b1", hidden],
      ["v", d * hidden],
      ["c", hidden],
      ["w2", hidden * d],
      ["b2", d],
    ];
    if (!gated) this.#parts.splice(2, 2);
    this.#count = this.#parts.reduce((sum, [, n]) => sum + n, 0);
    this.#blocks = { weights: new Block(wasm), forward: new Block(wasm), backward: new Block(wasm) };
    if (weights !== undefined) this.#checkWeights(weights);
    this.#blocks.weights.reserve(8 * values.length + 4 * this.#count);
    new Float64Array(wasm.memory.buffer, this.#blocks.weights.at, values.length).set(values);
    if (weights === undefined) checkStatus(wasm.gelu_ffn_initialise(d, hidden, gated, seed, this.#weightsAt));
    else this.#write(weights);
    Object.freeze(this);
  }

  get #weightsAt() {
    return this.#blocks.weights.at + 8 * this.#net.values.length;
  }

  /** @param {any} weights */
  #checkWeights(weights) {
    const names = this.#parts.map(([name]) => name);
    readOptions(weights, names);
    for (const [name, n] of this.#parts) {
      // Biases may be left out.
      if (weights[name] !== undefined || !/^[bc]/.test(name)) checkFloats(`weights.${name}`, weights[name], n);
    }
  }

  /** @param {any} weights */
  #write(weights) {
    let at = this.#weightsAt;
    for (const [name, n] of this.#parts) {
      const view = this.#blocks.weights.floats(at, n);
      view.fill(0);
      if (weights[name] !== undefined) view.set(weights[name]);
      at += 4 * n;
    }
  }

  /** Copies of all arrays of weights, or of their gradients. @param {number} pointer */
  #read(pointer) {
    let at = pointer;
    const copies = this.#parts.map(([name, n]) => {
      const copy = this.#blocks.weights.floats(at, n).slice();
      at += 4 * n;
      return [name, copy];
    });
    return Object.fromEntries(copies);
  }

  #checkAlive() {
    if (!this.#alive) throw new GeluError("freed", "this network has been freed");
  }

  /** The bytes of tokens x d and of tokens x hidden numbers, and the forward block cut up: x, y, trace, workspace. */
  #layout() {
    const { d, hidden, gated } = this.#net;
    const outside = 4 * this.#tokens * d;
    const inside = 4 * this.#tokens * hidden;
    const x = this.#blocks.forward.at;
    const trace = x + 2 * outside;
    return { outside, inside, x, y: x + outside, trace, workspace: trace + inside * (gated ? 4 : 2) };
  }

  /** @param {boolean} backward */
  #workspaceBytes(backward) {
    const { d, hidden, gated } = this.#net;
    return 4 * this.#wasm.gelu_ffn_workspace(this.#tokens, d, hidden, gated, backward);
  }

  /** What both kernels are called with first. */
  get #arguments() {
    const { d, hidden, gated, row } = this.#net;
    return [this.#tokens, d, hidden, gated, row, this.#blocks.weights.at, this.#weightsAt];
  }

  /**
   * @param {Float32Array} x
   * @param {number} tokens
   */
  forward(x, tokens) {
    this.#checkAlive();
    checkWhole("tokens", tokens, 0, BLOCK_LIMIT - 1);
    checkFloats("x", x, tokens * this.#net.d);
    const { forward } = this.#blocks;
    const before = this.#tokens;
    this.#tokens = tokens;
    try {
      const { x: start, workspace } = this.#layout();
      forward.reserve(workspace - start + this.#workspaceBytes(false));
    } catch (error) {
      this.#tokens = forward.at === 0 ? 0 : before;
      throw error;
    }
    const at = this.#layout();
    forward.floats(at.x, x.length).set(x);
    checkStatus(this.#wasm.gelu_ffn_forward(...this.#arguments, at.x, at.trace, at.y, at.workspace));
    return forward.floats(at.y, x.length).slice();
  }

  /** @param {Float32Array} dy */
  backward(dy) {
    this.#checkAlive();
    checkFloats("dy", dy, this.#tokens * this.#net.d);
    const { backward } = this.#blocks;
    const { outside, x, trace } = this.#layout();
    backward.reserve(4 * this.#count + 2 * outside + this.#workspaceBytes(true));
    const dyAt = backward.at + 4 * this.#count;
    const dxAt = dyAt + outside;
    backward.floats(dyAt, dy.length).set(dy);
    const workspace = dxAt + outside;
    checkStatus(this.#wasm.gelu_ffn_backward(...this.#arguments, x, trace, dyAt, dxAt, backward.at, workspace));
    this.#hasGradients = true;
    return backward.floats(dxAt, dy.length).slice();
  }

  get weights() {
    this.#checkAlive();
    return this.#read(this.#weightsAt);
  }

  get gradients() {
    this.#checkAlive();
    return this.#hasGradients ? this.#read(this.#blocks.backward.at) : null;
  }

  get preActivations() {
    this.#checkAlive();
    return this.#blocks.forward.floats(this.#layout().trace, this.#tokens * this.#net.hidden).slice();
  }

  get hiddenValues() {
    this.#checkAlive();
    const { trace, inside } = this.#layout();
    return this.#blocks.forward.floats(trace + inside, this.#tokens * this.#net.hidden).slice();
  }

  free() {
    for (const block of Object.values(this.#blocks)) block.free();
    this.#alive = false;
  }
}

// #region networks
/**
 * Examples and their labels as the kernels take them.
 * @param {string} name
 * @param {any} x
 * @param {any} y
 * @param {number} classes
 * @param {number} [inputs]
 */
function checkExamples(name, x, y, classes, inputs) {
  const count = y?.length;
  checkWhole(`the length of ${name}y`, count, inputs === undefined ? 1 : 0);
  checkFloats(`${name}x`, x, inputs === undefined ? Math.max(1, Math.floor(x?.length / count)) * count : inputs * count);
  for (let i = 0; i < count; i++) checkWhole(`${name}y[${i}]`, y[i], 0, classes - 1);
}

/** @param {Record<string, any>} options */
const withoutUndefined = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** @param {unknown} options */
function readTrainer(options) {
  const numbers = ["learningRate", "momentum", "weightDecay", "initGain"];
  const known = ["x", "y", "classes", "validation", "d", "hidden", "blocks", "activation", "params", "layerNorm", "residual"];
  const read = {
    d: 64,
    blocks: 1,
    activation: "gelu",
    layerNorm: true,
    residual: true,
    optimizer: "adamw",
    learningRate: 0.001,
    momentum: 0.9,
    weightDecay: 0.01,
    batch: 64,
    initGain: 1,
    seed: 1,
    ...withoutUndefined(readOptions(options, [...known, "optimizer", ...numbers, "batch", "seed"])),
  };
  const { x, y, d, classes, batch, blocks, optimizer, hidden = 4 * d } = /** @type {any} */ (read);
  const validation = { x: new Float32Array(), y: [], ...readOptions(/** @type {any} */ (read).validation, ["x", "y"]) };
  checkSizes({ d, hidden, classes, batch });
  checkWhole("blocks", blocks, 0, BLOCK_LIMIT - 1);
  for (const name of numbers) checkNotNegative(name, read[name], name === "momentum" ? 1 : Infinity);
  for (const name of ["layerNorm", "residual"]) checkFlag(name, read[name]);
  checkWhole("seed", read.seed, 0);
  positionIn(OPTIMIZERS, optimizer, "optimizer", "unknown-option");
  checkExamples("", x, y, classes);
  const inputs = x.length / y.length;
  checkExamples("validation.", validation.x, validation.y, classes, inputs);
  return { ...read, x, y, classes, hidden, inputs, validation };
}

class Trainer {
  #wasm;
  #lookUp;
  #sizes;
  #small;
  #large;
  #alive = true;
  /** The last finite ones. @type {{ last: any, statistics: any }} */
  #progress = { last: null, statistics: null };

  /**
   * @param {Record<string, any>} wasm
   * @param {any} o
   * @param {(id: unknown, params: unknown) => { row: number, values: number[] }} lookUp
   */
  constructor(wasm, o, lookUp) {
    this.#wasm = wasm;
    this.#lookUp = lookUp;
    this.#sizes = { blocks: o.blocks, hidden: o.hidden, examples: o.y.length };
    const { row, values } = lookUp(o.activation, o.params);
    const options = [o.inputs, o.classes, o.d, o.hidden, o.blocks, o.batch, o.layerNorm, o.residual];
    options.push(OPTIMIZERS.indexOf(o.optimizer), o.learningRate, o.momentum, o.weightDecay, o.initGain, o.seed);
    // Numbers on their way in or out: two parameters, then options or results.
    this.#small = new Block(wasm);
    // The run, x and y of the training set, then of the validation set.
    this.#large = new Block(wasm);
    try {
      this.#small.reserve(8 * (2 + Math.max(options.length, STATISTICS.length + o.blocks, 2 * o.hidden)));
      this.#doubles(0, values.length).set(values);
      this.#doubles(2, options.length).set(options.map(Number));
      this.#start(o, row);
    } catch (error) {
      this.free();
      throw error;
    }
    Object.freeze(this);
  }

  /** @param {any} o @param {number} row */
  #start({ x, y, validation }, row) {
    const wasm = this.#wasm;
    const options = this.#small.at + 16;
    const runBytes = wasm.gelu_train_bytes(options, y.length);
    this.#large.reserve(runBytes + 4 * (x.length + y.length + validation.x.length + validation.y.length));
    const { memory } = wasm;
    let at = this.#large.at + runBytes;
    const places = [x, y, validation.x, validation.y].map((numbers, k) => {
      const ArrayType = k % 2 === 0 ? Float32Array : Int32Array;
      new ArrayType(memory.buffer, at, numbers.length).set(numbers);
      at += 4 * numbers.length;
      return at - 4 * numbers.length;
    });
    const [xAt, yAt, validationX, validationY] = places;
    const sets = [xAt, yAt, y.length, validationX, validationY, validation.y.length];
    checkStatus(wasm.gelu_train_start(this.#large.at, options, row, this.#small.at, ...sets));
  }

  /** @param {number} start @param {number} n */
  #doubles(start, n) {
    return new Float64Array(this.#wasm.memory.buffer, this.#small.at + 8 * start, n);
  }

  #checkAlive() {
    if (!this.#alive) throw new GeluError("freed", "this training run has been freed");
  }

  /** Whether the run goes on. @param {number} status */
  #went(status) {
    if (STATUS_NAMES[status] === "not finite") return false;
    checkStatus(status);
    return true;
  }

  step(n = 1) {
    this.#checkAlive();
    checkWhole("n", n, 0);
    for (let i = 0; i < n; i++) {
      if (!this.#went(this.#wasm.gelu_train_step(this.#large.at, this.#small.at + 16))) break;
      const [step, epoch, loss] = this.#doubles(2, 3);
      this.#progress.last = { step, epoch, loss };
    }
    return this.#progress.last;
  }

  epoch() {
    return this.#statistics(this.#wasm.gelu_train_epoch);
  }

  evaluate() {
    return this.#statistics(this.#wasm.gelu_train_evaluate);
  }

  /** @param {(run: number, result: number) => number} find */
  #statistics(find) {
    this.#checkAlive();
    const started = performance.now();
    if (this.#went(find(this.#large.at, this.#small.at + 16))) {
      const numbers = this.#doubles(2, STATISTICS.length);
      const statistics = Object.fromEntries(STATISTICS.map((name, k) => [name, numbers[k]]));
      const gradientNorm = this.#doubles(2 + STATISTICS.length, this.#sizes.blocks).slice();
      this.#progress.statistics = { ...statistics, gradientNorm, ms: performance.now() - started };
    }
    return this.#progress.statistics;
  }

  /** @param {{ block?: number, example?: number }} [options] */
  units(options) {
    this.#checkAlive();
    const { block = 0, example = 0 } = readOptions(options, ["block", "example"]);
    const { blocks, hidden, examples } = this.#sizes;
    checkWhole("block", block, 0, blocks - 1);
    checkWhole("example", example, 0, examples - 1);
    const at = this.#small.at + 16;
    if (!this.#went(this.#wasm.gelu_train_units(this.#large.at, block, example, at))) return null;
    const part = (/** @type {number} */ k) => this.#small.floats(at + 4 * k * hidden, hidden).slice();
    const [preActivations, slopeForExample, largest, slope] = [0, 1, 2, 3].map(part);
    const off = (/** @type {Float32Array} */ slopes) => Uint8Array.from(slopes, (value) => Number(value === 0));
    return { preActivations, slopeForExample, offForExample: off(slopeForExample), largest, slope, offForSet: off(slope) };
  }

  get failedAt() {
    this.#checkAlive();
    return this.#wasm.gelu_train_failed_at(this.#large.at) || null;
  }

  get status() {
    return this.failedAt === null ? "ok" : "nan";
  }

  /**
   * @param {string} id
   * @param {Record<string, number>} [params]
   */
  setActivation(id, params) {
    this.#checkAlive();
    const { row, values } = this.#lookUp(id, params);
    this.#doubles(0, values.length).set(values);
    checkStatus(this.#wasm.gelu_train_set_activation(this.#large.at, row, this.#small.at));
  }

  /** @param {number} delta */
  shiftBiases(delta) {
    this.#checkAlive();
    if (typeof delta !== "number" || !Number.isFinite(Math.fround(delta))) {
      throw new GeluError("bad-parameter", `delta must be a number, finite in float32, got ${show(delta)}`);
    }
    checkStatus(this.#wasm.gelu_train_shift_biases(this.#large.at, delta));
  }

  /** @param {number} rate */
  setLearningRate(rate) {
    this.#checkAlive();
    checkNotNegative("rate", rate);
    checkStatus(this.#wasm.gelu_train_set_learning_rate(this.#large.at, rate));
  }

  free() {
    this.#small.free();
    this.#large.free();
    this.#alive = false;
  }
}
// #endregion
