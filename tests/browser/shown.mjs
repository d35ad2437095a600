/**
 * Where each "show me" of `judge` and `cards` must lead, and the number there that settles the matter. Values are from
 * mpmath with 30 digits, computed apart from the kernels; of networks that are trained or drawn, which no formula gives, the
 * bounds within which what is said of them holds.
 */

/**
 * @typedef {number | [low: number, high: number]} Wanted a value, to 10⁻⁹ of it, or bounds
 * @typedef {{ words: RegExp, figure: string, wants?: Record<string, Wanted>, text?: RegExp, drawn?: boolean }} Shown words: in
 *   the statement or the question; text: in the figure; drawn: small, below a verdict
 */

const SOME = /** @type {[number, number]} */ ([1, Number.POSITIVE_INFINITY]);
const DIP = { gelu: -0.1699705142826511 };
/** Over inputs from N(0, 1): 1/(2√π) and 1/√(2π). */
const MEANS = { "mean.gelu": 0.28209479177387814, "mean.relu": 0.3989422804014327 };
const GAP = { gap: 0.1699705142826511 };
const PEAK = { gelu: 1.128904145185155 };
const HALF = { normal_cdf: 0.5, gelu: 0 };
const DOOR = { normal_cdf: 0.7881446014166033, gelu: 0.6305156811332827 };
/** In float32 even the slope of GELU comes out as 0; of 32 units. */
const DEAD = { "dead.delta": 0, "dead.gelu-off": [1, 32], "dead.relu-off": [17, 32] };
/** Of 128 pre-activations about half are negative. */
const ZEROS = { "zeros.gelu": 0, "zeros.relu": [48, 80] };
const BERT = { parameters: 4722432, "parameters.all": 12 * 4722432, operations: 9437184 };
const FORMS = { "models.gelu": SOME, "models.gelu_tanh": SOME, "models.gelu_sigmoid": SOME, "models.relu": SOME };
const GATES = { "gate.max": 0.009486324445585937, "output.max": 0.02033487220923923 };
const TANH = { "gelu_tanh.error": 4.732346287418999e-4 };
const QUICK = { "gelu_sigmoid.error": -0.02033486926631451 };
const SPEED = { "speed.error.gelu_tanh": 4.732355206872868e-4, "speed.error.gelu": 0 };

/** @type {Shown[]} */
export const STATEMENTS = [
  { words: /stays within 0\.003/, figure: "approximation-errors", wants: QUICK, drawn: true },
  { words: /PyTorch’s GELU/, figure: "approximation-errors", wants: { "gelu_tanh.error": 0.4455068373817789 }, drawn: true },
  { words: /all use the same GELU/, figure: "applications-models", wants: FORMS },
  {
    words: /die for good/,
    figure: "ffn-dead",
    wants: { "dead.relu-silent": [17, 32], "dead.relu-off": [0, 15], "dead.relu-back": SOME },
    drawn: true,
  },
  { words: /no dead neurons/, figure: "ffn-dead", wants: DEAD },
  // In the mean field 1.05 × 10⁻¹² and 1.
  { words: /smooth activation/, figure: "gradient-depth", wants: { sigmoid: [5e-13, 2e-12], relu: [0.8, 1.25] }, drawn: true },
  { words: /is monotonic/, figure: "relu-curves", wants: DIP, drawn: true },
  { words: /random mask/, figure: "definition-admission", wants: DOOR, drawn: true },
  { words: /derivative of GELU lies/, figure: "gradient-gradients", wants: PEAK, drawn: true },
  { words: /turned away/, figure: "definition-admission", wants: HALF, drawn: true },
  { words: /1\.702 follows/, figure: "sigmoid-fit", wants: GATES, drawn: true },
  { words: /always faster/, figure: "approximation-speed", wants: SPEED },
  {
    words: /SiLU is the sigmoid form/,
    figure: "playground-curves",
    wants: { silu: -0.2503010559604891, gelu_sigmoid: -0.07503879583568365 },
    drawn: true,
  },
  { words: /24 layers\.$/, figure: "ffn-ffn", wants: BERT },
  { words: /serving with the exact/, figure: "approximation-errors", wants: TANH, drawn: true },
  {
    words: /always ends lower/,
    figure: "ffn-race",
    wants: { "outcome.epoch": 20, "outcome.seeds": 5, "outcome.wins.relu": SOME, "outcome.wins.gelu": SOME },
    drawn: true,
  },
  {
    words: /born with GELU/,
    figure: "applications-models",
    wants: { "models.relu": SOME, "models.gelu": 0, "models.gelu_tanh": 0 },
    text: /Transformer.*2017/s,
  },
  { words: /sparsity/, figure: "ffn-ffn", wants: ZEROS, drawn: true },
  { words: /needs its input/, figure: "relu-curves", wants: { gap: 0.004049694094890284 }, drawn: true },
  { words: /GELU′\(−x\) = 1/, figure: "gradient-gradients", wants: PEAK, drawn: true },
  { words: /same at x and at −x/, figure: "relu-curves", wants: GAP, drawn: true },
  { words: /below 0\.0005/, figure: "approximation-errors", wants: TANH, drawn: true },
  { words: /half open/, figure: "definition-admission", wants: HALF, drawn: true },
  { words: /mean of GELU/, figure: "relu-curves", wants: MEANS, drawn: true },
  // In the mean field 1 and 0.0014; networks of 128 units keep somewhat more.
  { words: /carries the signal/, figure: "gradient-depth", wants: { relu: [0.8, 1.25], gelu: [7e-4, 4e-3] }, drawn: true },
  { words: /second derivative/, figure: "gradient-gradients", wants: { gelu: [-1e-15, 1e-15] }, drawn: true },
  { words: /closest to GELU/, figure: "sigmoid-fit", wants: { "output.max": 0.0139297095762546 }, drawn: true },
  { words: /never above ReLU/, figure: "relu-curves", wants: { gelu: -0.1586552539314571, relu: 0 }, drawn: true },
  {
    words: /dips deeper/,
    figure: "playground-curves",
    wants: { silu: -0.278464286178416, gelu: -0.1283488869816859 },
    drawn: true,
  },
];

/** @type {Shown[]} those without a figure are not here */
export const QUESTIONS = [
  { words: /called a gate/, figure: "definition-admission", wants: DOOR },
  { words: /slope of GELU at 0/, figure: "gradient-gradients", wants: { gelu: 0.5 } },
  { words: /three differences/, figure: "relu-curves", wants: GAP },
  { words: /minimum of GELU/, figure: "relu-curves", wants: DIP },
  { words: /GELU random/, figure: "definition-admission", wants: DOOR },
  {
    words: /^Compare ReLU/,
    figure: "playground-curves",
    wants: { relu: 0, leaky_relu: -0.01, elu: -0.6321205588285577, silu: -0.2689414213699951, gelu: -0.1586552539314571 },
  },
  { words: /Which forms/, figure: "applications-models", wants: FORMS },
  { words: /dead ReLU/, figure: "ffn-dead", wants: DEAD },
  {
    words: /not monotonic/,
    figure: "playground-curves",
    wants: { ...DIP, silu: -0.2406159756184553, mish: -0.2764947145054652 },
  },
  { words: /value at x = 1/, figure: "gradient-gradients", wants: { gelu: 1.083315470587686 } },
  { words: /largest slope/, figure: "gradient-gradients", wants: PEAK },
  { words: /GELU\(−x\) = x/, figure: "code-table", text: /\+1\.954500\t[\s\S]*−0\.045500\t/ },
  { words: /ReLU and GELU at most/, figure: "relu-curves", wants: GAP },
  { words: /mean of GELU/, figure: "relu-curves", wants: MEANS },
  // With this gain the mean field keeps a mean square of 1, but not stably.
  { words: /initialisation gain/, figure: "gradient-depth", wants: { gelu: [0.4, 4], relu: [0.8, 1.25] } },
  { words: /stands in for Φ/, figure: "sigmoid-fit", wants: GATES },
  { words: /Taylor series/, figure: "sigmoid-fit", wants: { "tanh.max": 7.46198343153805e-4 } },
  { words: /backpropagation/, figure: "ffn-ffn", wants: { "ffn.d": 4, "ffn.hidden": 16, "ffn.tokens": 8 } },
  {
    words: /in float32/,
    figure: "approximation-precision",
    wants: { "step.3": 2 ** -24 * 10, result: -(2 ** -24) * 25, "result.error": 0.03967064238723822 },
  },
  {
    words: /In float16/,
    figure: "approximation-precision",
    wants: { "step.1": 1681, "step.2": SOME, result: 41 },
    text: /∞/,
  },
  { words: /BERT-base/, figure: "ffn-ffn", wants: BERT },
  { words: /4d wide/, figure: "ffn-ffn", wants: { ratio: 4, parameters: BERT.parameters, operations: BERT.operations } },
  { words: /GEGLU/, figure: "applications-models", wants: { "models.gelu_tanh": SOME, "models.silu": SOME, "models.relu": 0 } },
  { words: /stored for the backward/, figure: "relu-curves", wants: DIP },
  { words: /erf expensive/, figure: "approximation-speed", wants: SPEED },
  { words: /int8/, figure: "relu-curves", wants: DIP },
  { words: /keep ReLU/, figure: "ffn-ffn", wants: ZEROS },
  { words: /CLIP’s weights/, figure: "approximation-errors", wants: QUICK },
];

/** Whether a readout says what is wanted. */
export function says(/** @type {number | undefined} */ got, /** @type {Wanted} */ wanted) {
  if (got === undefined || Number.isNaN(got)) return false;
  if (typeof wanted === "number") return Math.abs(got - wanted) <= 1e-9 * Math.abs(wanted);
  return got >= wanted[0] && got <= wanted[1];
}
