/** What a network costs: parameters, operations and memory with their formulas, and time as measured here. */
import { bilingual, h } from "../../components/dom.js";
import { fixed } from "../../components/numbers.js";
import { both } from "../../i18n/ffn.js";
import { loadPart } from "../../parts.js";
import { countsOf, keyOf, modelOf } from "./run.js";
import { grouped } from "./writing.js";

/** @typedef {import("./run.js").Net} Net */

/** An odd number, for a median. */
const ROUNDS = 9;

/** 18.9 MB, in powers of ten. @param {number} bytes */
function bytesText(bytes) {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  return `${fixed(bytes / 1000 ** power, power === 0 ? 0 : 1)}\u202f${units[power]}`;
}

/** Two decimals where there are any. @param {number} value */
const short = (value) => fixed(value, Number.isInteger(value) ? 0 : 2);

/** @param {number} ms */
function timeText(ms) {
  const [scale, unit] = ms >= 1 ? [1, "ms"] : ms >= 1e-3 ? [1e3, "µs"] : [1e6, "ns"];
  const value = ms * scale;
  return `${fixed(value, value >= 100 ? 0 : value >= 10 ? 1 : 2)}\u202f${unit}`;
}

/** @param {string} name @param {number} value @param {{ zh: string, en: string }} text */
const output = (name, value, text) =>
  h("output", { "data-readout": name, "data-value": value, "aria-live": "off" }, bilingual(text));

/** @param {Net} net */
function rowsOf(net) {
  const { d, hidden, tokens, preset } = net;
  const counts = countsOf(net);
  const model = modelOf(preset);
  const number = (/** @type {number} */ value) => ({ zh: grouped(value, "zh"), en: grouped(value, "en") });
  const bytes = (/** @type {number} */ value) => ({ zh: bytesText(value), en: bytesText(value) });
  const quotient = (/** @type {number} */ value) => ({ zh: short(value), en: short(value) });
  const rows = [
    { name: "ratio", label: both("ratio"), formula: "*h* / *d*", value: hidden / d, text: quotient },
    { name: "parameters", label: both("parameters"), formula: "2*dh* + *h* + *d*", value: counts.parameters, text: number },
    { name: "operations", label: both("forwardOperations"), formula: "4*dh*", value: counts.forward, text: number },
    {
      name: "operations.backward",
      label: both("backwardOperations"),
      formula: "8*dh*",
      value: counts.backward,
      text: number,
    },
    { name: "activations", label: both("activationsOf"), formula: "*h*", value: hidden, text: number },
    { name: "bytes", label: both("bytesWeights"), formula: "4 × (2*dh* + *h* + *d*)", value: counts.weightBytes, text: bytes },
    {
      name: "bytes.kept",
      label: both("bytesKept", { tokens }),
      formula: "4*t* × (*d* + *h*)",
      value: counts.keptBytes,
      text: bytes,
    },
  ];
  if (model === undefined) return rows;
  const { sequence, layers } = model;
  rows.splice(2, 0, {
    ...{ name: "parameters.all", label: both("inLayers", { layers }), formula: `${layers} × (2*dh* + *h* + *d*)` },
    ...{ value: layers * counts.parameters, text: number },
  });
  rows.splice(4, 0, {
    ...{ name: "operations.sequence", label: both("fullSequence", { sequence }), formula: `${sequence} × 4*dh*` },
    ...{ value: sequence * counts.forward, text: number },
  });
  return rows;
}

/**
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {{
 *   worker: () => Promise<import("../../networks.js").Remote>, release: () => void, say: (message: string) => void,
 *   fail: (error: unknown) => void,
 * }} host
 */
export function createAccount(deps, { worker, release, say, fail }) {
  const body = h("tbody");
  const times = h("tbody");
  const button = h("button", { class: "btn", type: "button", "data-control": "ffn.measure", onclick: run });
  const bar = h("progress", { max: ROUNDS, hidden: true, "aria-label": "0" });
  const message = h("p", { class: "help" });
  const element = h(
    "div",
    { class: "account" },
    h("div", null, h("h3", { class: "part" }, bilingual(both("counts"))), h("table", { class: "data" }, body)),
    h(
      "div",
      null,
      h("h3", { class: "part" }, bilingual(both("time"))),
      h("div", { class: "row" }, button),
      bar,
      h("table", { class: "data" }, times),
      message,
    ),
  );
  /** @type {Net | null} */
  let net = null;
  let key = "";
  /** Of the run whose numbers may still come. */
  let current = 0;

  function idle() {
    current += 1;
    bar.hidden = true;
    button.disabled = false;
    button.replaceChildren(bilingual(both("measure")));
    message.replaceChildren();
    times.replaceChildren();
  }

  async function run() {
    if (net === null) return;
    idle();
    const mine = current;
    button.disabled = true;
    try {
      const [remote, { measureFfn }] = await Promise.all([worker(), loadPart("pressed")]);
      const results = await measureFfn(remote, deps.gelu, net, ROUNDS, (round) => {
        if (mine !== current) return;
        bar.hidden = false;
        bar.value = round - 1;
        message.replaceChildren(bilingual(both("measuring", { round, rounds: ROUNDS })));
      });
      if (mine !== current) return;
      const { tokens } = net;
      const rows = /** @type {const} */ ([
        ["alone", both("alone")],
        ["together", both("together", { tokens })],
        ["activation", both("activationAlone")],
      ]);
      idle();
      button.replaceChildren(bilingual(both("measureAgain")));
      times.replaceChildren(...rows.map(([name, label]) => timeRow(name, label, results[name])));
      const { least } = results;
      message.replaceChildren(bilingual(both(remote.isLocal ? "measuredHere" : "measured", { rounds: ROUNDS, least })));
      say(`${both("time")[deps.language()]}: ${timeText(results.alone.median)}`);
    } catch (error) {
      if (mine !== current) return;
      release();
      idle();
      fail(error);
    }
  }

  /** @param {string} name @param {{ zh: string, en: string }} label @param {import("./timing.js").Timing} timing */
  function timeRow(name, label, { median, least, most }) {
    const text = timeText(median);
    const spread = `(${timeText(least)} – ${timeText(most)})`;
    return h(
      "tr",
      null,
      h("th", { scope: "row" }, bilingual(label)),
      h("td", null, output(`time.${name}`, median, { zh: text, en: text }), " ", h("small", null, spread)),
    );
  }

  idle();
  return {
    element,

    /** @param {Net} now */
    show(now) {
      const next = `${now.preset} ${keyOf(now)}`;
      if (next === key) return;
      key = next;
      net = now;
      // A time belongs to the network that was measured.
      idle();
      body.replaceChildren(
        ...rowsOf(now).map(({ name, label, formula, value, text }) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, bilingual(label)),
            h("td", { class: "words" }, bilingual({ zh: formula, en: formula })),
            h("td", null, output(name, value, text(value))),
          ),
        ),
      );
    },
  };
}
