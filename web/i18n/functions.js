/** The name of each function in both languages: prose, line labels, controls and readouts all take it from here. */

/**
 * `label` is how the name reads as a word, `formula` what stands under a line's label in a figure, where there is room.
 * @type {Readonly<Record<string, { zh: string, en: string, formula: string }>>}
 */
export const functionNames = Object.freeze({
  gelu: { zh: "GELU", en: "GELU", formula: "x Φ(x)" },
  gelu_tanh: { zh: "tanh 式", en: "tanh form", formula: "½x(1 + tanh …)" },
  gelu_sigmoid: { zh: "sigmoid 式", en: "sigmoid form", formula: "x σ(1.702x)" },
  relu: { zh: "ReLU", en: "ReLU", formula: "max(0, x)" },
  sigmoid: { zh: "Sigmoid", en: "Sigmoid", formula: "1 / (1 + e⁻ˣ)" },
  tanh: { zh: "tanh", en: "tanh", formula: "tanh(x)" },
  silu: { zh: "SiLU", en: "SiLU", formula: "x σ(x)" },
  softplus: { zh: "Softplus", en: "Softplus", formula: "ln(1 + eˣ)" },
  elu: { zh: "ELU", en: "ELU", formula: "x > 0 ? x : eˣ − 1" },
  leaky_relu: { zh: "Leaky ReLU", en: "Leaky ReLU", formula: "max(0.01x, x)" },
  mish: { zh: "Mish", en: "Mish", formula: "x tanh(softplus(x))" },
  normal_cdf: { zh: "Φ(x)", en: "Φ(x)", formula: "½ erfc(−x / √2)" },
});

/**
 * What a parameter is called beside its slider; *k* is a variable. One that does not stand here goes by its name.
 * @type {Readonly<Record<string, { zh: string, en: string }>>}
 */
export const parameterNames = Object.freeze({
  k: { zh: "*k*", en: "*k*" },
  beta: { zh: "*β*", en: "*β*" },
  alpha: { zh: "*α*", en: "*α*" },
  cubic: { zh: "三次项系数", en: "cubic coefficient" },
  scale: { zh: "缩放系数", en: "scale" },
  slope: { zh: "左侧斜率", en: "slope on the left" },
});

/**
 * The names of a function; one that stands in the kernels' table alone goes by its id.
 * @param {string} id
 */
export const namesOf = (id) => functionNames[id] ?? { zh: id, en: id, formula: "" };
