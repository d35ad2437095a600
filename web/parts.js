/** The scripts that the page loads when it first needs them. Each hands over what it brings, by its name. */

/**
 * @typedef {"later" | "tools" | "pressed" | "networks" | "digits" | "fallback"} PartName
 * @typedef {{
 *   later: {
 *     figures: import("./components/mounting.js").Mountable[], computed: Record<string, any>,
 *     wire: (page: import("./components/presenter.js").Page) => void,
 *   },
 *   tools: {
 *     createPresenter: typeof import("./components/presenter.js").createPresenter,
 *     toggleBuilder: typeof import("./embed/builder.js").toggleBuilder,
 *     sceneToFile: typeof import("./svgfile.js").sceneToFile,
 *   },
 *   pressed: {
 *     createAnswers: typeof import("./figures/checked.js").createAnswers,
 *     createTables: typeof import("./figures/ffn/matrices.js").createTables,
 *     createHeatMaps: typeof import("./figures/ffn/matrices.js").createHeatMaps,
 *     createLarge: typeof import("./figures/ffn/large.js").createLarge,
 *     measureFfn: typeof import("./figures/ffn/timing.js").measure,
 *     createRun: typeof import("./figures/race/training.js").createRun,
 *     createTraining: typeof import("./figures/dead/training.js").createTraining,
 *     unitNumbers: typeof import("./figures/dead/numbers.js").unitNumbers,
 *     unitRows: typeof import("./figures/dead/numbers.js").unitRows,
 *     createSearcher: typeof import("./figures/fit/search.js").createSearcher,
 *     contestants: typeof import("./figures/timed.js").contestants, race: typeof import("./components/measure.js").race,
 *     clockStep: typeof import("./components/measure.js").clockStep,
 *     timingOf: typeof import("./components/measure.js").timingOf,
 *     turnFor: typeof import("./components/measure.js").turnFor,
 *     paintBars: typeof import("./figures/speedpicture.js").paintBars,
 *   },
 *   networks: {
 *     kernels: string | null, worker: string, loadGelu: typeof import("./kernels.js").loadGelu,
 *     startWorkers: typeof import("./remotes.js").startWorkers, localRemote: typeof import("./remotes.js").localRemote,
 *   },
 *   digits: string,
 *   fallback: (imports: object) => object,
 * }} Parts kernels, digits: packed (packing.js); kernels null: the page's have everything; worker: a script;
 *   fallback: for loadGelu
 */

/** Where they are, from the build; in a file that holds everything they have come by themselves. */
const addresses = /** @type {HTMLScriptElement | null} */ (globalThis.document?.currentScript)?.dataset ?? {};

/** @type {Map<string, any>} */
const arrived = new Map();
/** @type {Map<string, Promise<any>>} */
const awaited = new Map();

/** What the scripts call. */
export function receiveParts() {
  Object.assign(globalThis, {
    geluPart: (/** @type {PartName} */ name, /** @type {unknown} */ part) => void arrived.set(name, part),
  });
}

/**
 * @template {PartName} N
 * @param {N} name
 * @returns {Promise<Parts[N]>}
 */
export function loadPart(name) {
  if (arrived.has(name)) return Promise.resolve(arrived.get(name));
  const loading = awaited.get(name) ?? load(name);
  awaited.set(name, loading);
  // A line that was down may be up again.
  loading.catch(() => awaited.delete(name));
  return loading;
}

/** @param {PartName} name */
function load(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const address = addresses[name] ?? "";
    const failed = () => reject(new Error(`a script of this page did not load: ${address || name}`));
    script.src = address;
    script.onload = () => (arrived.has(name) ? resolve(arrived.get(name)) : failed());
    script.onerror = failed;
    document.head.append(script);
  });
}
