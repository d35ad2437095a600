/** The settings of figure `race` that most readers can do without. */

/** Six stops a decade, from 10^from to 10^to. @param {number} from @param {number} to */
export function decades(from, to) {
  const stops = Array.from({ length: to - from }, (_, i) => [1, 1.5, 2, 3, 5, 7].map((lead) => lead * 10 ** (from + i))).flat();
  return [...stops, 10 ** to].map((stop) => Number(stop.toPrecision(2)));
}

const onOff = /** @type {[string, import("../../i18n/labels.js").Label][]} */ ([
  ["on", "switchedOn"],
  ["off", "switchedOff"],
]);

/** @type {import("../../components/controls.js").MoreSpec} */
export const MORE_SETTINGS = {
  kind: "more",
  label: "moreSettings",
  controls: [
    { kind: "functions", key: "race.fns", label: "atMostFour" },
    { kind: "points", key: "race.limit", label: "epochLimit", options: [10, 20, 30, 50] },
    {
      kind: "choice",
      key: "race.patience",
      label: "stopRule",
      options: [
        ["0", "stopNever"],
        ["3", 3],
        ["5", 5],
        ["10", 10],
      ],
    },
    { kind: "stops", key: "race.hidden", label: "hiddenUnits", stops: [8, 16, 32, 64, 128, 256, 512] },
    { kind: "points", key: "race.blocks", label: "blocks", options: [1, 2, 3, 4] },
    { kind: "choice", key: "race.layerNorm", label: "layerNorm", options: onOff },
    { kind: "choice", key: "race.residual", label: "residual", options: onOff },
    {
      kind: "choice",
      key: "race.optimizer",
      label: "optimizer",
      options: [
        ["adamw", "adamW"],
        ["sgd", "sgdMomentum"],
      ],
    },
    { kind: "stops", key: "race.batch", label: "batchSize", stops: [8, 16, 32, 64, 128, 256] },
    { kind: "stops", key: "race.initGain", label: "initGain", stops: decades(-2, 1) },
    {
      kind: "choice",
      key: "race.speed",
      label: "speed",
      options: [
        ["full", "speedFull"],
        ["slow", "slowly"],
      ],
    },
  ],
};
