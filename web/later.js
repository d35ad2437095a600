/** The script with what the first screens do not need: their figures, what the build has computed for them. */
import computed from "virtual:computed";
import { wireLectern } from "./components/lectern.js";
import { wireWorksheet } from "./components/worksheet.js";
import { late } from "./figures/late.js";

/** @param {import("./components/presenter.js").Page} page */
function wire(page) {
  wireLectern(page);
  wireWorksheet();
}

/** @type {any} */ (globalThis).geluPart("later", { figures: late, computed, wire });
