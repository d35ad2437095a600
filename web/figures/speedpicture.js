/** The bars of `speed` as a picture to take away. */
import { namesOf } from "../i18n/functions.js";
import { translator } from "../i18n/labels.js";
import { TIER_LABELS, TIERS } from "./contestants.js";
import { cellOf, errorText, exists, FULL } from "./speedbars.js";

/** @typedef {import("./contestants.js").Result} Result */
/** @typedef {import("./speedbars.js").Form} Form */

const ROW = 46;
const HEAD = 44;
const NAMES = 110;
const NUMBER = 84;
const HEAD_AT = 32;

/**
 * @param {{ result: Result | null, forms: Form[], language: "zh" | "en", width: number }} what
 * @returns {{ height: number, scene: import("../scene.js").Scene }}
 */
export function paintBars({ result, forms, language, width }) {
  const text = translator(language);
  const height = HEAD + ROW * forms.length;
  const column = (width - NAMES) / (TIERS.length + 1);
  const room = column - NUMBER - 20;
  const most = Math.max(...forms.map(({ error }) => error));
  const empty = { min: 0, max: 1, ticks: [] };

  /** @param {import("../scene.js").Painter} painter */
  function own(painter) {
    const left = (/** @type {number} */ i) => NAMES + column * i;
    const rect = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ wide) => [
      [x, y],
      [x + wide, y],
      [x + wide, y + 14],
      [x, y + 14],
    ];
    painter.text(left(0) + HEAD_AT, 16, text("errorColumn"), "val", "start");
    TIERS.forEach((tier, i) => {
      painter.text(left(i + 1) + HEAD_AT, 16, text(TIER_LABELS[tier]), "val", "start");
      painter.text(left(i + 1) + HEAD_AT, 31, text("nsColumn"), "tick", "start");
    });
    forms.forEach((form, i) => {
      const y = HEAD + ROW * i;
      painter.text(0, y + 12, namesOf(form.form)[language], "lbl-fn", "start", form.form);
      painter.text(left(0) + NUMBER - 8, y + 12, errorText(form)[language], "val", "end");
      if (form.error > 0) painter.area(rect(left(0) + NUMBER, y, (form.error / most) * FULL * room), "fillbar", form.form);
      TIERS.forEach((tier, k) => {
        const x = left(k + 1) + NUMBER;
        const shown = cellOf(result, form.form, tier);
        painter.text(x - 8, y + 12, shown?.text ?? (exists(form.form, tier) ? "—" : text("oneTier")), "val", "end");
        if (!shown) return;
        painter.area(rect(x, y, shown.share * room), "fillbar", form.form);
        const [from, to] = [shown.from, shown.to].map((share) => x + share * room);
        painter.line(
          [
            [from, y + 20],
            [to, y + 20],
          ],
          "walk",
        );
      });
    });
  }

  return {
    height,
    scene: {
      x: empty,
      y: empty,
      curves: [],
      lines: [],
      claims: [],
      marks: [],
      labels: "inside",
      margins: { left: 0, right: 0, top: 0, bottom: 0 },
      own,
    },
  };
}
