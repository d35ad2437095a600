/** A small plot of what a "show me" link would set its figure to: the scene of that figure, drawn once. */
import { parse } from "../state.js";
import { sceneToSvg } from "../svg.js";
import { h } from "./dom.js";
import { createContext, cursorOf } from "./figure.js";
import { isDefinitionOf } from "./mounting.js";
import { targetOf } from "./prompts.js";

const HEIGHT = 220;

/**
 * @param {HTMLAnchorElement} link
 * @param {number} width
 * @param {import("./figure.js").Dependencies} deps
 * @returns {HTMLElement | null} null: what it leads to is no plot, or one that has to be computed first
 */
export function evidenceOf(link, width, { gelu, store, figures, language, computed }) {
  const query = link.dataset.set;
  if (query === undefined) return null;
  const { figure: name = "", variant = "" } = targetOf(link, query)?.dataset ?? {};
  const definition = figures.find((figure) => isDefinitionOf(figure, name, variant));
  if (definition === undefined || !("scene" in definition)) return null;
  const figure = /** @type {import("./figure.js").FigureDefinition} */ (definition);
  const state = parse(store.table, query);
  const data = computed[figure.name];
  if (figure.isAtHand?.(state, data, store.table) === false) return null;
  const size = { width, height: Math.max(HEIGHT, figure.least ?? 0) };
  const context = createContext({ gelu, state, variant, ...size, density: 1 / 2, language: language(), data });
  const options = { ...size, id: `evidence-${name}`, title: link.textContent ?? "" };
  const box = h("div", { class: "evidence" });
  box.innerHTML = sceneToSvg(figure.scene(context), cursorOf(figure, context, false), options);
  return box;
}
