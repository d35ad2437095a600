/** States of the playground that show something each; they are made of ordinary keys, as a link is. */
import { bilingual, h } from "../../components/dom.js";
import { bilingualText } from "../../i18n/labels.js";
import { parse } from "../../state.js";

/** @type {readonly [import("../../i18n/labels.js").Label, string][]} */
export const PRESETS = [
  ["presetStart", ""],
  [
    "presetApproximations",
    "fns=gelu,gelu_tanh,gelu_sigmoid&curves.orders=0,1&curves.a=gelu_sigmoid&curves.b=gelu&from=-4&to=4&x=2.27",
  ],
  ["presetRelu", "fns=relu,softplus,elu,leaky_relu&leaky_relu.slope=0.1&curves.orders=0,1&curves.a=softplus&from=-4&to=4&x=0.5"],
  [
    "presetGates",
    "fns=sigmoid,normal_cdf&sigmoid.k=1.702&curves.orders=0,1&curves.a=sigmoid&curves.b=normal_cdf&from=-5&to=5&x=0.57",
  ],
  ["presetTurns", "fns=gelu,silu,mish&curves.orders=0,2&curves.b=silu&x=0"],
  ["presetTail", "fns=gelu,gelu_tanh&curves.a=gelu_tanh&curves.b=gelu&from=-6&to=-3&x=-4"],
  [
    "presetTwelve",
    "fns=gelu,gelu_tanh,gelu_sigmoid,relu,sigmoid,tanh,silu,softplus,elu,leaky_relu,mish,normal_cdf&curves.b=none&from=-4&to=4&x=1",
  ],
];

/** What a preset sets, and what has to be so for it to be the one that is shown: not where x is. */
const isOwn = (/** @type {string} */ key, /** @type {readonly string[]} */ ids) =>
  ["fns", "order", "from", "to"].includes(key) || ["curves", ...ids].includes(key.split(".")[0]);

/**
 * @param {import("../../state.js").Store} store
 * @param {readonly string[]} ids of all functions
 */
export function createPresets(store, ids) {
  const { table } = store;
  const keys = [...table.keys()].filter((key) => isOwn(key, ids));
  const states = PRESETS.map(([, query]) => parse(table, query));
  const inputs = states.map((state, i) => {
    const pick = () => store.set(Object.fromEntries([...keys, "x"].map((key) => [key, state[key]])));
    return h("input", { type: "radio", name: "curves.preset", value: i, onchange: pick });
  });
  const words = PRESETS.map(([label], i) => h("label", null, inputs[i], h("span", null, bilingual(bilingualText(label)))));
  return {
    element: h("fieldset", { class: "tabs presets" }, h("legend", null, bilingual(bilingualText("presets"))), words),
    update() {
      const isShown = (/** @type {import("../../state.js").State} */ state) =>
        keys.every((key) => String(state[key]) === String(store.state[key]));
      states.forEach((state, i) => {
        inputs[i].checked = isShown(state);
      });
    },
  };
}
