/** Progress from one visit to the next, where the host lets a page keep anything. Where it does not, the address holds it. */

const PREFIX = "gelu-lab.";

/**
 * Takes up what was kept, unless the address already says where the reader is.
 * @param {import("../state.js").Store} store
 * @param {string} name of the figure
 */
export function takeUp(store, name) {
  const keys = keysOf(store, name);
  if (keys.some((key) => store.state[key] !== store.table.get(key)?.value)) return;
  let kept = null;
  try {
    kept = localStorage.getItem(PREFIX + name);
  } catch {
    // A sandboxed frame: nothing is kept there.
  }
  const values = new URLSearchParams(kept ?? "");
  store.set(Object.fromEntries(keys.map((key) => [key, values.get(key)])));
}

/**
 * @param {import("../state.js").Store} store
 * @param {string} name
 * @param {Record<string, any>} [more] what the state leaves open
 */
export function keep(store, name, more = {}) {
  const state = { ...store.state, ...more };
  const values = new URLSearchParams(keysOf(store, name).map((key) => [key, String(state[key] ?? "")]));
  try {
    localStorage.setItem(PREFIX + name, String(values));
  } catch {
    // As above, or no room: the visit goes on without.
  }
}

/**
 * @param {import("../state.js").Store} store
 * @param {string} name
 */
const keysOf = (store, name) => [...store.table.keys()].filter((key) => key.startsWith(`${name}.`));
