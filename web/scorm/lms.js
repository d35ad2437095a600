/** The learning platform's side of SCORM 1.2: finding it, talking to it, and what it says when it refuses. */

/** So many frames up, and as many openers, SCORM 1.2 lets content look for its platform. */
const FARTHEST = 10;

/**
 * The platform's object, in this window's frames or in those of the window that opened it.
 * @param {Window} from
 * @returns {any} null: there is none, or none that this page may touch
 */
export function findApi(from) {
  return inFrames(from) ?? (from.opener ? inFrames(from.opener) : null);
}

/** @param {any} start */
function inFrames(start) {
  let frame = start;
  for (let step = 0; step <= FARTHEST; step++) {
    try {
      if (frame.API) return frame.API;
      if (frame.parent === frame) return null;
      frame = frame.parent;
    } catch {
      // A frame of another origin: the platform's object is not to be had.
      return null;
    }
  }
  return null;
}

/** Calls of the platform; each that fails leaves what is wrong in `fault`, and the lesson goes on. */
export class Platform {
  /** @type {any} */
  #api;
  fault = "";

  /** @param {any} api */
  constructor(api) {
    this.#api = api;
  }

  /**
   * @param {string} name of the call
   * @param {string[]} values
   * @returns {string} its answer; "" where the call threw
   */
  #call(name, ...values) {
    try {
      return String(this.#api[name](...values));
    } catch (error) {
      this.fault = `${name}: ${error}`;
      return "";
    }
  }

  /** @param {string} name @param {string[]} values */
  #succeeds(name, ...values) {
    this.fault = "";
    const answer = this.#call(name, ...values);
    if (answer === "true") return true;
    if (this.fault === "") {
      const code = this.#call("LMSGetLastError");
      this.fault = `${name}(${values[0] ?? ""}): ${code} ${this.#call("LMSGetErrorString", code)}`.trim();
    }
    return false;
  }

  start = () => this.#succeeds("LMSInitialize", "");
  get = (/** @type {string} */ name) => this.#call("LMSGetValue", name);
  set = (/** @type {string} */ name, /** @type {string} */ value) => this.#succeeds("LMSSetValue", name, value);
  commit = () => this.#succeeds("LMSCommit", "");
  finish = () => this.#succeeds("LMSFinish", "");
}
