/** The table of `speed` with its bars: errors and times, each column from zero. */
import { functionWord } from "../components/controls.js";
import { bilingual, h } from "../components/dom.js";
import { fixed, scientific } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { EXACT, nanoseconds, ratioToExact, TIER_LABELS, TIERS } from "./contestants.js";

/** @typedef {import("./contestants.js").Result} Result */
/** @typedef {import("./contestants.js").Tier} Tier */
/** @typedef {{ form: string, error: number }} Form */

/** Of a bar's place, what the longest whisker may take. */
export const FULL = 0.96;

/**
 * The longest time of a column: both kernels have one scale, JavaScript its own.
 * @param {Result} result
 * @param {Tier} tier
 */
function longest({ timings }, tier) {
  const isPlain = tier === "plain";
  return Math.max(...[...timings].filter(([id]) => id.endsWith(".plain") === isPlain).map(([, { high }]) => high));
}

/**
 * What a cell shows: shares of its column's scale, words, numbers; null where nothing has been measured.
 * @param {Result | null} result
 * @param {string} form
 * @param {Tier} tier
 */
export function cellOf(result, form, tier) {
  const timing = result?.timings.get(`${form}.${tier}`);
  if (!result || !timing) return null;
  const scale = FULL / longest(result, tier);
  const { median, low, high } = timing;
  const ratio = fixed(ratioToExact(result, form, tier), 2);
  return { median, share: median * scale, from: low * scale, to: high * scale, text: nanoseconds(median), ratio };
}

/** Whether there is such an entry: ReLU has one kernel for both tiers. */
export const exists = (/** @type {string} */ form, /** @type {Tier} */ tier) => form !== "relu" || tier !== "fast";

export const errorText = ({ error, form }) =>
  form === EXACT ? bilingualText("onlyRounding") : { zh: shortError(error), en: shortError(error) };
export const shortError = (/** @type {number} */ error) => (error < 0.001 ? scientific(error, 3) : fixed(error, 4));

const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(2)}%`;

/**
 * A number that may not be there yet: a dash stands for it until it is.
 * @param {string} name
 */
export function createValue(name) {
  const output = h("output", { "data-readout": name, "aria-live": "off", hidden: true });
  const dash = h("span", null, "—");
  return {
    elements: [output, dash],

    /**
     * @param {number} value NaN: not there
     * @param {string} text
     */
    show(value, text) {
      output.hidden = Number.isNaN(value);
      dash.hidden = !output.hidden;
      output.textContent = output.hidden ? "" : text;
      if (output.hidden) delete output.dataset.value;
      else output.dataset.value = String(value);
    },
  };
}

/** @param {Form[]} forms */
export function createBars(forms) {
  const most = Math.max(...forms.map(({ error }) => error));
  const heads = [bilingualText("errorColumn"), ...TIERS.map((tier) => bilingualText(TIER_LABELS[tier]))];
  /** @type {{ form: string, tier: Tier, time: ReturnType<typeof createValue>, ratio: HTMLElement, picture: any }[]} */
  const cells = [];

  /**
   * @param {number} column
   * @param {any[]} content
   */
  const cell = (column, ...content) =>
    h("td", { role: "cell" }, h("span", { class: "of", "aria-hidden": "true" }, bilingual(heads[column])), ...content);

  /** @param {Form} form */
  function row(form) {
    const share = (form.error / most) * FULL;
    const error = h("output", { "data-readout": `speed.error.${form.form}`, "data-value": form.error, "aria-live": "off" });
    error.append(bilingual(errorText(form)));
    return h(
      "tr",
      { role: "row" },
      h(
        "th",
        { scope: "row", role: "rowheader" },
        functionWord(form.form),
        form.form === EXACT && h("small", null, " ", bilingual(bilingualText("exactForm"))),
      ),
      cell(0, h("span", { class: "n" }, error), barOf(form.form, share, false)),
      TIERS.map((tier, i) => {
        if (!exists(form.form, tier)) return cell(i + 1, h("span", { class: "n none" }, bilingual(bilingualText("oneTier"))));
        const time = createValue(`speed.${form.form}.${tier}`);
        const ratio = h("small");
        const picture = barOf(form.form, 0, true);
        cells.push({ form: form.form, tier, time, ratio, picture });
        return cell(i + 1, h("span", { class: "n" }, time.elements, h("small", { class: "ns" }, "ns"), ratio), picture);
      }),
    );
  }

  const head = h(
    "tr",
    { role: "row" },
    h("th", { role: "columnheader", scope: "col" }, bilingual(bilingualText("formulaColumn"))),
    heads.map((words, i) =>
      h(
        "th",
        { role: "columnheader", scope: "col" },
        bilingual(words),
        i > 0 && h("small", null, bilingual(bilingualText("nsColumn"))),
      ),
    ),
  );
  const element = h(
    "table",
    { class: "speed", role: "table", "aria-labelledby": "speed-title" },
    h("thead", { role: "rowgroup" }, head),
    h("tbody", { role: "rowgroup" }, forms.map(row)),
  );

  return {
    element,
    forms,

    /** @param {Result | null} result */
    show(result) {
      for (const { form, tier, time, ratio, picture } of cells) {
        const shown = cellOf(result, form, tier);
        time.show(shown?.median ?? Number.NaN, shown?.text ?? "");
        ratio.replaceChildren(shown && form !== EXACT ? bilingual(bilingualText("perExact", { ratio: shown.ratio })) : "");
        fillBar(picture, shown);
      }
    },
  };
}

/**
 * @param {string} form
 * @param {number} share
 * @param {boolean} isTimed there may be nothing yet, and later a spread
 */
function barOf(form, share, isTimed) {
  return h(
    "svg:svg",
    { class: "hbar", "aria-hidden": "true" },
    isTimed && h("svg:rect", { class: "track dashed", x: 0.5, y: 0.5, width: "96%", height: 11 }),
    h("svg:rect", { class: "fillbar", "data-fn": form, width: percent(share), height: 12 }),
    isTimed && [0, 1, 2].map(() => h("svg:line", { class: "spread", y1: 17, y2: 17 })),
  );
}

/**
 * @param {SVGElement} picture
 * @param {{ share: number, from: number, to: number } | null} shown
 */
function fillBar(picture, shown) {
  const [track, bar] = picture.querySelectorAll("rect");
  track.setAttribute("visibility", shown ? "hidden" : "visible");
  bar.setAttribute("width", percent(shown?.share ?? 0));
  const { from, to } = shown ?? { from: 0, to: 0 };
  const lines = picture.querySelectorAll("line");
  [
    [from, from, 14.5, 19.5],
    [to, to, 14.5, 19.5],
    [from, to, 17, 17],
  ].forEach(([left, right, top, bottom], i) => {
    const line = lines[i];
    line.setAttribute("visibility", shown ? "visible" : "hidden");
    line.setAttribute("x1", percent(left));
    line.setAttribute("x2", percent(right));
    line.setAttribute("y1", String(top));
    line.setAttribute("y2", String(bottom));
  });
}
