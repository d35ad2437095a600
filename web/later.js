/** The script with what the first screens do not need: their figures, what the build has computed for them, the lecturer's tools. */
import computed from "virtual:computed";
import { wirePresenter } from "./components/presenter.js";
import { wireWorksheet } from "./components/worksheet.js";
import { toggleBuilder } from "./embed/builder.js";
import { late } from "./figures/late.js";

/** @param {import("./components/presenter.js").Page} page */
function wire(page) {
  wirePresenter(page);
  wireWorksheet();
}

/** @type {any} */ (globalThis).geluPart("later", { figures: late, computed, wire, toggleBuilder });
