/** What came out of the networks of figure `depth`, in words, from the numbers that are drawn. */
import { functionWord } from "../../components/controls.js";
import { h } from "../../components/dom.js";
import { fixed, scientific } from "../../components/numbers.js";

/**
 * @typedef {import("../../components/figure.js").Context} Context
 * @typedef {import("./networks.js").Band} Band
 * @typedef {string | { fn: string } | { name: string, value: number, text: string }} Part
 *   of a sentence: words, a function, a number
 * @typedef {{ zh: Part[], en: Part[] }} Sentences
 * @typedef {{ fn: string, low: number, middle: number, high: number }} End where the band of a function ends
 */

/** Two significant digits. */
export function short(/** @type {number} */ value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  return size < 0.001 || size >= 1000 ? scientific(value, 2) : fixed(value, Math.max(0, 1 - Math.floor(Math.log10(size))));
}

const number = (/** @type {string} */ name, /** @type {number} */ value) => ({ name, value, text: short(value) });

/**
 * With the words of a language between the items.
 * @param {Part[][]} items
 * @param {"zh" | "en"} language
 * @returns {Part[]}
 */
function listed(items, language) {
  const [comma, and] = language === "zh" ? ["、", "、"] : [", ", " and "];
  return items.flatMap((item, i) => (i === 0 ? item : [i === items.length - 1 ? and : comma, ...item]));
}

/**
 * @param {string[]} fns
 * @returns {Record<"zh" | "en", Part[]>}
 */
function named(fns) {
  const words = fns.map((fn) => [{ fn }]);
  return { zh: listed(words, "zh"), en: listed(words, "en") };
}

/**
 * Functions whose bands overlap, directly or by way of others, from the largest median down.
 * @param {End[]} ends sorted
 */
function groupsOf(ends) {
  /** @type {End[][]} */
  let groups = [];
  for (const end of ends) {
    const isMet = (/** @type {End[]} */ group) => group.some(({ low }) => end.high >= low);
    groups = [...groups.filter((group) => !isMet(group)), [...groups.filter(isMet).flat(), end]];
  }
  return groups;
}

const isNumber = (/** @type {number} */ value) => value > 0 && value < Number.POSITIVE_INFINITY;
const distance = (/** @type {End} */ { middle }) => Math.abs(Math.log(middle));

/**
 * @param {Context} context
 * @returns {Sentences}
 */
export function sentences({ data, state }) {
  const { settings, bands } = /** @type {import("./networks.js").Drawn} */ (data);
  const quantity = /** @type {import("./networks.js").Quantity} */ (state["depth.view"]);
  const all = Object.entries(bands).map(([fn, each]) => ({ fn, band: each[quantity] }));
  const ends = all
    .map(({ fn, band: { low, middle, high } }) => {
      const [least, median, greatest] = [low, middle, high].map((sizes) => sizes[sizes.length - 1]);
      return { fn, low: least, middle: median, high: greatest };
    })
    .filter(({ middle }) => isNumber(middle));
  ends.sort((a, b) => b.middle - a.middle);
  const said = [
    sizes(ends, settings, quantity),
    ...(settings.seeds > 1 && ends.length > 1 ? [overlaps(groupsOf(ends))] : []),
    ...(ends.length > 1 ? [apart(ends), nearest(ends, settings.seeds)] : []),
    ...losses(
      all.flatMap(({ fn, band: { lost } }) => (lost === undefined ? [] : [{ fn, lost }])),
      settings.seeds,
      quantity,
    ),
  ];
  const joined = (/** @type {"zh" | "en"} */ language) =>
    said.flatMap((each, i) => (i > 0 && language === "en" ? [" ", ...each.en] : each[language]));
  return { zh: joined("zh"), en: joined("en") };
}

/**
 * @param {End[]} ends
 * @param {import("./networks.js").Settings} settings
 * @param {string} quantity
 * @returns {Sentences}
 */
function sizes(ends, { layers, seeds }, quantity) {
  if (ends.length === 0) return { zh: ["到头来没有可画的数。"], en: ["At the end there is no number to draw."] };
  const [zhWay, enWay] = quantity === "gradient" ? ["往回", "back"] : ["往前", "forward"];
  const [zhWhat, enWhat] = quantity === "gradient" ? ["梯度", "gradient"] : ["信号", "signal"];
  const list = {
    zh: listed(
      ends.map((end) => [{ fn: end.fn }, " ", number(`said.${end.fn}`, end.middle)]),
      "zh",
    ),
    en: listed(
      ends.map((end) => [number(`said.${end.fn}`, end.middle), " with ", { fn: end.fn }]),
      "en",
    ),
  };
  return {
    zh: [
      `从 1 出发，${zhWay}走过 ${layers} 层，${zhWhat}的均方根${seeds > 1 ? `在 ${seeds} 个网络里的中位数` : ""}是：`,
      ...list.zh,
      "。",
    ],
    en: [
      `Starting at 1, the rms of the ${enWhat} after ${layers} layer${layers === 1 ? "" : "s"} ${enWay} is `,
      ...list.en,
      seeds > 1 ? ` (medians of ${seeds} networks).` : ".",
    ],
  };
}

/**
 * @param {End[][]} groups
 * @returns {Sentences}
 */
function overlaps(groups) {
  const shared = groups.filter((group) => group.length > 1);
  if (shared.length === 0)
    return {
      zh: ["带子互不重叠：随便取其中哪个网络，次序都一样。"],
      en: ["No two bands overlap: whichever of the networks one takes, the order is the same."],
    };
  const isChain = (/** @type {End[]} */ group) => group.some((a) => group.some((b) => a.low > b.high));
  const sentence = shared.map((group) => {
    const words = named(group.map(({ fn }) => fn));
    return {
      zh: [...words.zh, isChain(group) ? " 的带子连成一片，但不是两两都重叠" : " 的带子重叠"],
      en: ["the bands of ", ...words.en, isChain(group) ? " overlap, though not each with every other" : " overlap"],
    };
  });
  const [zhWhere, enWhere] = shared.some(isChain) ? ["；重叠的两条", "where two overlap, "] : ["", ""];
  const en = listed(
    sentence.map((each) => each.en),
    "en",
  );
  return {
    zh: [
      ...listed(
        sentence.map((each) => each.zh),
        "zh",
      ),
      `${zhWhere}，凭这几个网络分不出高下。`,
    ],
    en: [`T${String(en[0]).slice(1)}`, ...en.slice(1), `: ${enWhere}these networks do not tell which is larger.`],
  };
}

/**
 * @param {End[]} ends sorted
 * @returns {Sentences}
 */
function apart(ends) {
  const factor = number("said.apart", ends[0].middle / ends[ends.length - 1].middle);
  return { zh: ["最大的是最小的 ", factor, " 倍。"], en: ["The largest is ", factor, " times the smallest."] };
}

/**
 * Whose median stays closest to 1. That a band overlaps with its own does not bring another's median any closer.
 * @param {End[]} ends
 * @param {number} seeds
 * @returns {Sentences}
 */
function nearest(ends, seeds) {
  const least = Math.min(...ends.map(distance));
  const best = ends.filter((end) => distance(end) === least);
  const words = named(best.map(({ fn }) => fn));
  return {
    zh: [seeds > 1 ? "按中位数，离 1 最近的是 " : "离 1 最近的是 ", ...words.zh, "。"],
    en: [seeds > 1 ? "By the median, " : "", ...words.en, best.length > 1 ? " stay closest to 1." : " stays closest to 1."],
  };
}

/**
 * What no line can show, once for all functions that it happens to alike.
 * @param {{ fn: string, lost: import("./networks.js").Loss }[]} all
 * @param {number} seeds
 * @param {string} quantity
 * @returns {Sentences[]}
 */
function losses(all, seeds, quantity) {
  const alike = new Map(all.map(({ lost }) => [Object.values(lost).join(), lost]));
  return [...alike].map(([key, lost]) => {
    const words = named(all.filter((each) => Object.values(each.lost).join() === key).map(({ fn }) => fn));
    const { zh, en } = loss(lost, seeds, quantity);
    return { zh: [...words.zh, `：${zh}`], en: [...words.en, `: ${en}`] };
  });
}

/**
 * @param {import("./networks.js").Loss} loss
 * @param {number} seeds
 * @param {string} quantity
 */
function loss({ from, networks, becomes }, seeds, quantity) {
  const [zhWho, enWho] =
    networks === seeds ? ["", ""] : [`${seeds} 个网络里有 ${networks} 个，`, ` in ${networks} of ${seeds} networks`];
  if (Number.isNaN(becomes) && quantity === "gradient")
    return {
      zh: `${zhWho}信号在往前的路上超出了 float32 的范围，梯度算不出来。`,
      en: `there is no gradient to compute${enWho}, for the signal has left the range of float32 on its way forward.`,
    };
  const [zhHow, enHow] =
    becomes === 0
      ? ["在 float32 里就正好是 0", "is exactly 0 in float32"]
      : ["就超出 float32 的范围", "is out of the range of float32"];
  return {
    zh: `${zhWho}走过 ${from} 层${zhHow}，线画到那里为止。`,
    en: `after ${from} layer${from === 1 ? "" : "s"} it ${enHow}${enWho}, and the line ends.`,
  };
}

/** While what is drawn is not yet what is asked for. */
export const computing = (/** @type {number} */ done, /** @type {number} */ all) => ({
  zh: `图上还是原来的设置。正在算新的：${done} / ${all}`,
  en: `Still the earlier settings. Computing the new ones: ${done} of ${all}`,
});

export const tooLarge = (/** @type {number} */ most) => ({
  zh: `图上还是原来的设置。这个浏览器不让页面另开线程，只能算小的网络：宽度的平方乘层数不超过 ${most}。`,
  en: `Still the earlier settings. This browser gives the page no second thread, so that only small networks can be computed: width squared times layers up to ${most}.`,
});

/** @param {Part[]} parts */
export const sentenceNodes = (parts) =>
  parts.map((part) => {
    if (typeof part === "string") return part;
    if ("fn" in part) return functionWord(part.fn);
    return h("output", { "data-readout": part.name, "data-value": part.value, "aria-live": "off" }, part.text);
  });
