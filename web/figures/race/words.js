/** What came out of a run, in words made of its numbers: parts of sentences, so that names and numbers keep their look. */

import { fixed, percent, scientific } from "../../components/numbers.js";
import { VALIDATION } from "../../data/digits.js";
import { labels } from "../../i18n/labels.js";
import { outcomeOf } from "./numbers.js";

/**
 * @typedef {import("./numbers.js").Curve} Curve
 * @typedef {import("../../i18n/labels.js").Label} Label
 * @typedef {{ fn: string } | { name: string, value: number, text: string }} Token a function's name; a number with its readout
 * @typedef {string | Token} Part
 * @typedef {"zh" | "en"} Language
 */

/**
 * @param {Language} language
 * @param {Label} key
 * @param {Record<string, Part | Part[]>} values
 * @returns {Part[]}
 */
function sentence(language, key, values) {
  const [zh, en] = labels[key];
  return (language === "zh" ? zh : en)
    .split(/\{(\w+)\}/)
    .flatMap((piece, i) => (i % 2 === 0 ? [piece] : values[piece]))
    .filter((part) => part !== "");
}

/** @param {Language} language @param {Part[][]} items @returns {Part[]} "a, b and c" */
function list(language, items) {
  const [comma, last] = language === "zh" ? ["、", "、"] : [", ", " and "];
  return items.flatMap((item, i) => (i === 0 ? item : [i === items.length - 1 ? last : comma, ...item]));
}

const word = (/** @type {{ fn: string }} */ { fn }) => [{ fn }];

/** @param {string} name @param {number} value @param {string} [text] */
const number = (name, value, text = String(value)) => ({ name, value, text });

/**
 * @param {Curve[]} curves
 * @param {"trainLoss" | "validationLoss"} quantity
 * @param {number} epoch
 * @param {{ patience: number, language: Language }} told
 * @returns {Part[][]} sentences, none where nothing has been computed
 */
export function outcomeSentences(curves, quantity, epoch, { patience, language }) {
  const outcome = outcomeOf(curves, quantity, epoch);
  const ends = endSentences(curves, patience, language);
  if (outcome === null) return ends;
  const { ranked, best, behind } = outcome;
  const say = (/** @type {Label} */ key, /** @type {Record<string, Part | Part[]>} */ values) => sentence(language, key, values);
  if (epoch === 0) return [say("beforeTraining", { epoch: number("outcome.epoch", epoch) }), ...ends];
  const several = best.curve.seeds.length > 1;
  const isLastOf = curves.length > 1 && behind.length === 0;
  const withLoss = (/** @type {{ fn: string, middle: number }} */ { fn, middle }, /** @type {number} */ i) => [
    { fn },
    language === "zh" ? "（" : " (",
    number(`outcome.${fn}`, middle, lossText(middle)),
    ...(i > 0 && middle === ranked[i - 1].middle ? say("sameLoss", {}) : []),
    language === "zh" ? "）" : ")",
  ];
  const loss = labels[quantity === "trainLoss" ? "trainingLossIn" : "validationLossIn"][language === "zh" ? 0 : 1];
  return [
    [
      ...say(several ? "medianOf" : "oneSeed", {
        epoch: number("outcome.epoch", epoch),
        seeds: number("outcome.seeds", best.curve.seeds.length),
      }),
      ...say(ranked.length > 1 ? "lowestLoss" : isLastOf ? "lowestOnly" : "lossOfOne", {
        loss,
        best: withLoss(best, 0),
        rest: list(
          language,
          ranked.slice(1).map((each, i) => withLoss(each, i + 1)),
        ),
      }),
    ],
    ...(behind.length > 0 ? [say("notThereYet", { others: list(language, behind.map(word)) })] : []),
    ...(ranked.length < 2 ? [] : several ? spreadSentences(outcome, language) : [say("oneSeedOnly", {})]),
    ...(ranked.length < 2 ? [] : [accuracySentence(outcome.accuracy, several, language)]),
    offSentence(outcome.off, several, language),
    ...ends,
  ];
}

/** As the readouts show it: what is written as 0 is exactly 0. @param {number} loss */
export function lossText(loss) {
  if (loss === 0) return "0";
  return loss < 5e-5 ? scientific(loss, 2) : loss < 1e5 ? fixed(loss, 4) : scientific(loss, 3);
}

/**
 * Whose bands meet the band of the best, and who was the lowest with how many of the seeds.
 * @param {NonNullable<ReturnType<typeof outcomeOf>>} outcome
 * @param {Language} language
 * @returns {Part[][]}
 */
function spreadSentences({ overlapping, apart, wins }, language) {
  const about = (/** @type {Label} */ key, /** @type {{ fn: string }[]} */ others) => {
    const [bands, overlap, lie] = others.length > 1 ? ["bands", "overlap", "lie"] : ["band", "overlaps", "lies"];
    return sentence(language, key, { others: list(language, others.map(word)), bands, overlap, lie });
  };
  const winners = [...wins].filter(([, times]) => times > 0).sort(([, a], [, b]) => b - a);
  const won = winners.map(([fn, times]) =>
    sentence(language, "seedWins", { fn: { fn }, times: number(`outcome.wins.${fn}`, times) }),
  );
  return [
    ...(overlapping.length > 0 ? [about("anotherOrder", overlapping)] : []),
    ...(apart.length > 0 ? [about("apartFrom", apart)] : []),
    sentence(language, "seedBySeed", { wins: list(language, won) }),
  ];
}

/** @param {number[]} medians @param {boolean} several @param {Language} language */
function accuracySentence(medians, several, language) {
  const [low, high] = [Math.min(...medians), Math.max(...medians)];
  return sentence(language, several ? "accuracyRange" : "accuracyOfSeed", {
    low: number("outcome.accuracy.low", low, percent(low)),
    high: number("outcome.accuracy.high", high, percent(high)),
    images: number("outcome.images", Math.round((high - low) * VALIDATION)),
    all: String(VALIDATION),
  });
}

/**
 * @param {{ fn: string, low: number, middle: number, high: number }[]} off
 * @param {boolean} several
 * @param {Language} language
 */
function offSentence(off, several, language) {
  if (off.length === 0) return sentence(language, "noUnitOff", {});
  const items = off.map(({ fn, low, middle, high }) => [
    { fn },
    " ",
    number(`outcome.off.${fn}`, middle, percent(middle)),
    ...(several ? [language === "zh" ? "（" : " (", `${percent(low)}–${percent(high)}`, language === "zh" ? "）" : ")"] : []),
  ]);
  return sentence(language, "unitsOffList", { list: list(language, items) });
}

/** Who has stopped before the others, and why. @param {Curve[]} curves @param {number} patience @param {Language} language */
function endSentences(curves, patience, language) {
  const stopped = curves.flatMap(({ fn, last, end }) =>
    end?.kind === "patience" ? [sentence(language, "stoppedOne", { fn: { fn }, epoch: number(`stopped.${fn}`, last) })] : [],
  );
  const failures = curves.flatMap(({ fn, end }) => {
    if (end?.kind !== "failed") return [];
    const { seed, step, epoch } = end;
    const values = { fn: { fn }, seed: String(seed), step: number(`failed.${fn}`, step), epoch: String(epoch) };
    return [sentence(language, "failedOne", values)];
  });
  return [
    ...(stopped.length > 0
      ? [sentence(language, "curveStopped", { patience: String(patience), list: list(language, stopped) })]
      : []),
    ...(failures.length > 0 ? [sentence(language, "failedAt", { list: list(language, failures) })] : []),
  ];
}
