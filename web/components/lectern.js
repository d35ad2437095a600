/** The buttons that start presenter mode (presenter.js), whose script comes when it is first asked for. */
import { bilingualText } from "../i18n/labels.js";
import "../i18n/presenter.js";
import { loadPart } from "../parts.js";
import { announce } from "./announce.js";
import { bilingual, h } from "./dom.js";
import { taking } from "./toolbar.js";

/** @param {import("./presenter.js").Page} page */
export function wireLectern(page) {
  const { store } = page;
  /** @type {ReturnType<import("./presenter.js").createPresenter> | null} */
  let presenter = null;
  const heard = /** @type {HTMLElement} */ (document.querySelector("main figure[data-figure]"));
  const isOn = () => store.state.presenter === "1";

  async function load() {
    const { createPresenter } = await loadPart("tools");
    presenter ??= createPresenter(page);
    return presenter;
  }

  const button = (/** @type {import("../i18n/labels.js").Label} */ key, /** @type {string} */ route, values = {}) => {
    const start = taking(heard, async () => (await load()).start(route));
    const element = h("button", { class: "btn", type: "button" }, bilingual(bilingualText(key, values)));
    element.addEventListener("click", () => start(element));
    return element;
  };

  document.querySelector(".bar .switches")?.prepend(h("span", { class: "theme" }, button("presenter", "all")));
  const menu = document.querySelector(".gear > .menu");
  menu?.insertBefore(button("presenter", "all"), menu.querySelector(".backend"));
  const routes = ["10", "25", "45"].map((minutes) => button("presentRoute", minutes, { minutes }));
  document.querySelector(".block:has(> .routes)")?.before(h("div", { class: "row full" }, routes));

  /** @param {boolean} isFromAddress */
  async function resume(isFromAddress) {
    // Once it is there it hears of changes itself.
    if (!isOn() || presenter !== null) return;
    const loaded = await load();
    if (isOn()) loaded.resume(isFromAddress);
  }

  /** Where its script did not come the page is there to read. @param {Error} error */
  function giveUp(error) {
    delete document.documentElement.dataset.presenter;
    announce(heard, String(error.message), true);
  }

  store.subscribe((changed) => {
    if (changed.includes("presenter")) resume(false).catch(giveUp);
  });
  resume(true).catch(giveUp);
}
