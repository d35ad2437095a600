/** The frame of figures that are not plots: what they consist of, the toolbar below, one message where something fails. */
import { announce } from "./announce.js";
import { h } from "./dom.js";
import { fail, finish } from "./figure.js";
import { mayFillScreen } from "./fullscreen.js";
import { fullScreenTool, isLink, linkTo, linkTool } from "./pagetools.js";
import { createToolbar } from "./toolbar.js";

/**
 * @typedef {import("./figure.js").Dependencies} Dependencies
 * @typedef {import("./figure.js").MountedFigure} MountedFigure
 * @typedef {{
 *   name: string,
 *   parameters: ({ name: string } & Record<string, any>)[],
 *   preview: (gelu: import("../kernels.js").Gelu) => import("./grid.js").Grid,
 *   mount: (root: HTMLElement, deps: Dependencies) => import("./figure.js").Mounting,
 * }} PanelDefinition preview: the table that stands in the page before a script has it, and without
 * @typedef {Omit<PanelDefinition, "preview"> & { takes: string }} ListDefinition takes: the kind of parts of its section
 *   that stand in it as a list, before a script has it, without, and on paper
 * @typedef {{
 *   elements: Node[], update: (changed: string[]) => void, sentence: () => string, saveCsv?: () => void,
 *   tools?: import("./toolbar.js").Tool[], reset?: () => void,
 * }} PanelContent sentence: what has changed, for those who do not see it; tools: beside the CSV, where there is one; reset: of
 *   what is not in the state
 */

/**
 * @param {PanelDefinition | ListDefinition} definition
 * @param {HTMLElement} root the figure element that the build has made
 * @param {Dependencies} deps
 * @param {(root: HTMLElement, deps: Dependencies) => PanelContent} build
 * @returns {import("./figure.js").Mounting}
 */
export function* mountPanel(definition, root, deps, build) {
  const { store } = deps;
  const panel = /** @type {HTMLElement} */ (root.querySelector(".panel"));
  const keys = definition.parameters.map(({ name }) => `${definition.name}.${name}`);
  const printedState = h("p", { class: "print-only print-state" });
  /** @type {PanelContent | null} */
  let content = null;

  /** Builds it, and again after a failure. */
  function* start() {
    content = build(root, deps);
    yield;
    content.update(keys);
    yield;
    panel.replaceChildren(...content.elements);
    for (const old of root.querySelectorAll(".toolbars, .print-state")) old.remove();
    root.querySelector(".fig-foot")?.append(printedState, toolbar());
    root.dataset.state = "ready";
  }

  function toolbar() {
    const tools = createToolbar([
      ...(content?.saveCsv === undefined ? [] : [/** @type {const} */ ({ label: "csv", act: () => content?.saveCsv?.() })]),
      ...(content?.tools ?? []),
      ...linkTool(store, root),
      ...fullScreenTool(root),
      { label: "reset", gap: !mayFillScreen(), act: reset },
    ]);
    return h("div", { class: "toolbars" }, tools);
  }

  function reset() {
    content?.reset?.();
    store.reset(keys);
    deps.gestureEnded();
  }

  /** @param {string[]} changed */
  function update(changed) {
    if (!changed.some((key) => key === "lang" || keys.includes(key))) return;
    try {
      content?.update(changed);
      announce(root, content?.sentence() ?? "");
    } catch (error) {
      fail(root, error, () => finish(start()));
    }
  }

  const beforePrint = () => {
    printedState.textContent = isLink() ? linkTo(store, root) : "";
  };

  yield* start();
  addEventListener("beforeprint", beforePrint);
  return {
    update,
    setTheme() {},
    highlight() {},
    destroy() {
      removeEventListener("beforeprint", beforePrint);
      panel.replaceChildren();
    },
  };
}
