/** The only JavaScript file that touches wasm memory: loads the kernels, copies numbers in and out, checks arguments. */

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
];

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
 * @param {unknown} options
 * @param {string[]} allowed
 * @returns {Record<string, any>}
 */
function readOptions(options, allowed) {
  if (options === undefined) return {};
  if (options === null || typeof options !== "object") {
    throw new GeluError("bad-type", `options must be an object, got ${show(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!allowed.includes(name)) {
      throw new GeluError("unknown-option", `unknown option ${show(name)}; allowed: ${allowed.join(", ")}`);
    }
  }
  return { ...options };
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

/** @param {number} n */
function roomFor(n) {
  try {
    return new Float64Array(n);
  } catch {
    throw new GeluError("out-of-memory", `no room for ${n} numbers`);
  }
}

/** @param {{ wasm?: unknown, backend?: string }} [options] */
export async function loadGelu(options) {
  const { wasm, backend } = readOptions(options, ["wasm", "backend"]);
  if (backend !== undefined && backend !== "wasm-simd") {
    throw new GeluError("unknown-backend", `unknown backend ${show(backend)}; allowed: "wasm-simd"`);
  }
  const source = await (wasm === undefined ? fetchDefault() : wasm);
  return new Gelu(await instantiate(source));
}

export class Gelu {
  /** @type {Record<string, any>} */
  #wasm;

  /** @param {Record<string, any>} wasm */
  constructor(wasm) {
    this.#wasm = wasm;
    this.version = typeof __VERSION__ === "string" ? __VERSION__ : "unbuilt";
    this.backend = "wasm-simd";
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
    const pointer = this.#wasm.malloc(bytes);
    if (pointer === 0) throw new GeluError("out-of-memory", `no room for ${bytes} bytes in wasm memory`);
    try {
      return use(pointer);
    } finally {
      this.#wasm.free(pointer);
    }
  }

  /** @param {unknown} id */
  #row(id) {
    const index = this.catalogue.findIndex((row) => row.id === id);
    if (index < 0) {
      throw new GeluError(
        "unknown-function",
        `unknown function ${show(id)}; allowed: ${this.catalogue.map((row) => row.id).join(", ")}`,
      );
    }
    return index;
  }

  /** @param {unknown} order */
  #order(order) {
    if (!ORDERS.includes(/** @type {any} */ (order))) {
      throw new GeluError("unknown-order", `unknown order ${show(order)}; allowed: ${ORDERS.join(", ")}`);
    }
    return /** @type {number} */ (order);
  }

  /**
   * What C calls the accuracy.
   * @param {unknown} accuracy
   */
  #accuracy(accuracy) {
    const index = ACCURACIES.indexOf(/** @type {any} */ (accuracy));
    if (index < 0) {
      throw new GeluError("unknown-accuracy", `unknown accuracy ${show(accuracy)}; allowed: ${ACCURACIES.map(show).join(", ")}`);
    }
    return index;
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

  /** @param {number} status */
  #check(status) {
    if (status !== 0) throw new GeluError("kernel", `the kernel refused the call: ${STATUS_NAMES[status] ?? status}`);
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
    const checkedOrder = this.#order(order);
    const values = this.#parameters(index, params);
    const checkedAccuracy = this.#accuracy(accuracy);
    if (!(xs instanceof Float32Array || xs instanceof Float64Array)) {
      throw new GeluError("bad-type", `xs must be a Float32Array or a Float64Array, got ${show(xs)}`);
    }
    if (out !== undefined && (out?.constructor !== xs.constructor || out.length !== xs.length)) {
      throw new GeluError(
        "bad-type",
        `out must be a ${xs.constructor.name} of length ${xs.length}, got ${show(out)} of length ${show(out?.length)}`,
      );
    }
    return /** @type {T} */ (this.#map(index, checkedOrder, values, checkedAccuracy, xs, out));
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
    this.#check(
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
    const checkedOrder = this.#order(order);
    const values = this.#parameters(index, params);
    const checkedAccuracy = this.#accuracy(accuracy);
    if (!PRECISIONS.includes(precision)) {
      throw new GeluError(
        "unknown-precision",
        `unknown precision ${show(precision)}; allowed: ${PRECISIONS.map(show).join(", ")}`,
      );
    }
    for (const [name, count, most] of /** @type {const} */ ([
      ["n", n, BENCHMARK_LIMIT],
      ["repeats", repeats, Number.MAX_SAFE_INTEGER],
    ])) {
      if (!Number.isSafeInteger(count) || count < 1 || count > most) {
        throw new GeluError("bad-parameter", `${name} must be a whole number from 1 to ${most}, got ${show(count)}`);
      }
    }
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
      const run = () => this.#kernel(single, index, checkedOrder, pointer, checkedAccuracy, x, y, n);
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
    const checkedOrder = this.#order(order);
    const values = this.#parameters(index, params);
    const referenceValues = this.#parameters(referenceIndex, referenceParams);
    for (const [name, end] of [
      ["from", from],
      ["to", to],
    ]) {
      if (typeof end !== "number" || !(Math.abs(end) <= INTERVAL_LIMIT)) {
        throw new GeluError(
          "bad-interval",
          `${name} must be a number from ${-INTERVAL_LIMIT} to ${INTERVAL_LIMIT}, got ${show(end)}`,
        );
      }
    }
    if (from >= to) throw new GeluError("bad-interval", `from must be less than to, got from ${from} and to ${to}`);
    if (typeof relative !== "boolean") throw new GeluError("bad-type", `relative must be true or false, got ${show(relative)}`);
    return this.#withMemory(8 * (values.length + referenceValues.length + 3), (pointer) => {
      const referencePointer = pointer + 8 * values.length;
      const resultPointer = referencePointer + 8 * referenceValues.length;
      new Float64Array(this.#wasm.memory.buffer, pointer, values.length).set(values);
      new Float64Array(this.#wasm.memory.buffer, referencePointer, referenceValues.length).set(referenceValues);
      this.#check(
        this.#wasm.gelu_max_error(
          index,
          pointer,
          referenceIndex,
          referencePointer,
          checkedOrder,
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
   * @param {number} seed
   * @returns {import("./gelu.d.ts").RandomSource}
   */
  random(seed) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new GeluError("bad-parameter", `seed must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, got ${show(seed)}`);
    }
    const wasm = this.#wasm;
    let state = wasm.malloc(wasm.gelu_random_bytes());
    if (state === 0) throw new GeluError("out-of-memory", "no room for a random source in wasm memory");
    this.#check(wasm.gelu_random_seed(state, seed));

    /** @param {(state: number, out: number, n: number) => number} draw */
    const drawer = (draw) => (/** @type {number} */ n) => {
      if (state === 0) throw new GeluError("freed", "this random source has been freed");
      if (!Number.isSafeInteger(n) || n < 0) {
        throw new GeluError("bad-parameter", `n must be a whole number from 0 up, got ${show(n)}`);
      }
      const result = roomFor(n);
      this.#withMemory(8 * Math.min(n, CHUNK) + 8, (pointer) => {
        for (let start = 0; start < n; start += CHUNK) {
          const count = Math.min(CHUNK, n - start);
          this.#check(draw(state, pointer, count));
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
}
