/** Turns what was measured into Markdown. No measuring here. */
import { TAIL } from "./errors.js";
import { FLOORS, LIBRARY_AT_MOST, LOAD_AT_LEAST } from "./floors.js";
import { LOADS } from "./load.mjs";
import { idOf, median } from "./measure.js";
import { TOKENS, WORKS } from "./networks.js";
import { WHO } from "./own.js";
import { MIDDLE, SIZES } from "./sizes.js";

/**
 * Nanoseconds per element, by row and size, of each process.
 * @typedef {Record<string, Record<number, number>>[]} Runs
 */

/**
 * @typedef {object} Measured
 * @property {Record<string, string>} facts
 * @property {import("./measure.js").Contestant[]} rows
 * @property {{ node: Runs, chromium: Runs }} runs
 * @property {Record<string, any>} errors by row
 * @property {Record<string, number[]>} loads
 * @property {{ who: string, files: string, weight: import("./weights.mjs").Weight }[]} weights
 * @property {{ rounds: number, processes: number, points: number, quick: boolean }} options
 */

const NONE = "–";

// ---------- numbers ----------

/** Three significant digits, never in exponent form. */
function digits3(/** @type {number} */ value) {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return Number(value.toPrecision(3)).toString();
}

/** The median, and from the least to the most of the processes. */
function spread(/** @type {number[]} */ values, unit = "") {
  if (values.length === 0) return NONE;
  const text = `${digits3(median(values))}${unit}`;
  if (values.length === 1) return text;
  return `${text} (${digits3(Math.min(...values))}–${digits3(Math.max(...values))})`;
}

/** One number of each process that has it. */
const timesOf = (/** @type {Runs} */ runs, /** @type {string} */ id, /** @type {number} */ n) =>
  runs.map((run) => run[id]?.[n]).filter((value) => value !== undefined);

/** Ratios are taken within a process, before the median. */
const ratiosOf = (/** @type {Runs} */ runs, /** @type {string} */ above, /** @type {string} */ below, /** @type {number} */ n) =>
  runs.map((run) => (run[above]?.[n] ?? Number.NaN) / (run[below]?.[n] ?? Number.NaN)).filter((ratio) => !Number.isNaN(ratio));

/** @param {string[]} head @param {string[][]} rows the first columns are text, the others numbers */
function table(head, rows, texts = 1) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, i) => (i < texts ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

const processesOf = (/** @type {{ processes: number }} */ { processes }) =>
  `${processes} ${processes === 1 ? "process" : "processes"}`;

// ---------- the tables ----------

function errorCells(error, who, truth) {
  if (error === undefined)
    return who === WHO && truth?.precision === "float64" ? ["the reference", "", "never"] : [NONE, NONE, NONE];
  const { worst, worstAt, body, bodyAt, zeroFrom } = error;
  const at = (value, x) => `${digits3(value)} at ${Number(x.toPrecision(6))}`;
  return [at(body, bodyAt), at(worst, worstAt), zeroFrom === null ? "never" : `−${Number(-zeroFrom.toPrecision(8))}`];
}

/** Who stands in a race: every work that someone else does too, our own plain rows included. */
function raceRows({ rows }) {
  const contested = new Set(rows.filter(({ who }) => who !== WHO).map(({ work }) => work));
  const racing = rows.filter(
    ({ work, how, who, hidden }) =>
      !hidden && contested.has(work) && !WORKS.includes(work) && !(who === WHO && how.includes("order")),
  );
  // Stable: the works in the order of their first row, the rows of a work in theirs.
  return [...contested].flatMap((work) => racing.filter((row) => row.work === work));
}

function raceTable(/** @type {Measured} */ { rows, runs, errors }) {
  const sizes = SIZES.map((n) => n.toLocaleString("en-US"));
  return table(
    [
      "work",
      "who",
      "how",
      ...sizes.map((n) => `Node, ${n}`),
      "ours in Node",
      ...sizes.map((n) => `Chromium, ${n}`),
      "ours in Chromium",
      `worst ULP, x ≥ ${TAIL}`.replace("-", "−"),
      "worst ULP",
      "0 at",
    ],
    raceRows({ rows }).map((row) => {
      const { work, who, how, against = "kernel", truth } = row;
      const id = idOf(row);
      const own = idOf({ work, who: WHO, how: against });
      const ratio = (/** @type {Runs} */ of) => (who === WHO ? "" : spread(ratiosOf(of, id, own, MIDDLE), " ×"));
      return [
        work,
        who,
        how,
        ...SIZES.map((n) => spread(timesOf(runs.node, id, n))),
        ratio(runs.node),
        ...SIZES.map((n) => spread(timesOf(runs.chromium, id, n))),
        ratio(runs.chromium),
        ...errorCells(errors[id], who, truth),
      ];
    }),
    3,
  );
}

/** Our kernels in all their forms, one line for each function and form. */
function ownTable(/** @type {Measured} */ { rows, runs, errors }) {
  return table(
    ["work", "how", "Node", "Chromium", "worst ULP", "at x"],
    rows
      .filter(({ who, how, work }) => who === WHO && how !== "arrays" && !WORKS.includes(work))
      .map((row) => {
        const id = idOf(row);
        const error = errors[id];
        return [
          row.work,
          row.how,
          spread(timesOf(runs.node, id, MIDDLE)),
          spread(timesOf(runs.chromium, id, MIDDLE)),
          error === undefined ? NONE : digits3(error.worst),
          error === undefined ? NONE : String(Number(error.worstAt.toPrecision(6))),
        ];
      }),
    2,
  );
}

/** Microseconds of a pass: a product, a forward call, a step. */
function networkTable(/** @type {Measured} */ { rows, runs }) {
  const micros = (/** @type {Runs} */ of, row) => {
    const [n] = row.sizes;
    return spread(timesOf(of, idOf(row), n).map((time) => (time * n) / 1000));
  };
  const ratio = (/** @type {Runs} */ of, { work, who, how, against = "kernel", sizes }) =>
    who === WHO ? "" : spread(ratiosOf(of, idOf({ work, who, how }), idOf({ work, who: WHO, how: against }), sizes[0]), " ×");
  return table(
    ["work", "who", "how", "Node, µs", "ours in Node", "Chromium, µs", "ours in Chromium"],
    WORKS.flatMap((work) => rows.filter((row) => row.work === work && !row.hidden)).map((row) => [
      row.work,
      row.who,
      row.how,
      micros(runs.node, row),
      ratio(runs.node, row),
      micros(runs.chromium, row),
      ratio(runs.chromium, row),
    ]),
    3,
  );
}

/** How many times longer a peer takes than we do, each over an empty process; round by round. */
function loadRatios(/** @type {Measured} */ { loads }, /** @type {string} */ name) {
  const over = (/** @type {string} */ of) => median(loads[of]) - median(loads.empty);
  return over(name) / over("own");
}

function loadTable(/** @type {Measured} */ measured) {
  const { loads } = measured;
  return table(
    ["", "ms, whole process", "over an empty one", "× ours"],
    LOADS.map(({ name, who }) => [
      who,
      spread(loads[name]),
      name === "empty" ? "" : digits3(median(loads[name]) - median(loads.empty)),
      name === "empty" || name === "own" ? "" : `${digits3(loadRatios(measured, name))} ×`,
    ]),
  );
}

function weightTable(/** @type {Measured} */ { weights }) {
  const [own] = weights;
  const bytes = (/** @type {number} */ n) => n.toLocaleString("en-US");
  return table(
    ["", "files", "raw", "gzip -9", "brotli -11", "× ours, brotli"],
    weights.map(({ who, files, weight }) => [
      who,
      files,
      bytes(weight.raw),
      bytes(weight.gzip),
      bytes(weight.brotli),
      who === own.who ? "" : `${digits3(weight.brotli / own.weight.brotli)} ×`,
    ]),
    2,
  );
}

// ---------- the summary ----------

/** @param {boolean | null} reached null: nothing to say yet */
const verdict = (reached) => (reached === null ? "not measured yet" : reached ? "yes" : "**no**");

function floorRow(/** @type {Measured} */ { runs }, /** @type {import("./floors.js").Floor} */ floor) {
  const { label, peer, own, other, n, atLeast, atMost } = floor;
  const ratios = (/** @type {Runs} */ of) => (atMost === undefined ? ratiosOf(of, other, own, n) : ratiosOf(of, own, other, n));
  const inNode = ratios(runs.node);
  const middle = median(inNode);
  const reached =
    inNode.length === 0 ? null : atMost === undefined ? middle >= /** @type {number} */ (atLeast) : middle <= atMost;
  return [
    label,
    peer,
    atMost === undefined ? `${atLeast} ×` : `≤ ${atMost} × its time`,
    spread(inNode, " ×"),
    spread(ratios(runs.chromium), " ×"),
    verdict(reached),
  ];
}

/** The block for the README: each floor, what was measured, whether it is reached. */
export function summary(/** @type {Measured} */ measured) {
  const { facts, options, weights } = measured;
  const loadRow = (/** @type {string} */ name, /** @type {string} */ who) => {
    const ratio = loadRatios(measured, name);
    return ["load to first result", who, `${LOAD_AT_LEAST} ×`, `${digits3(ratio)} ×`, NONE, verdict(ratio >= LOAD_AT_LEAST)];
  };
  const { brotli } = weights[0].weight;
  const rows = [
    ...FLOORS.map((floor) => floorRow(measured, floor)),
    loadRow("tfjs", "tfjs-wasm"),
    loadRow("onnxruntime", "onnxruntime-web"),
    [
      "library, brotli",
      weights
        .slice(1)
        .map(({ who, weight }) => `${who} ${Math.round(weight.brotli / 1000).toLocaleString("en-US")} kB`)
        .join(", "),
      `≤ ${LIBRARY_AT_MOST / 1000} kB`,
      `${digits3(brotli / 1000)} kB`,
      NONE,
      verdict(brotli <= LIBRARY_AT_MOST),
    ],
  ];
  return [
    `Times faster than the peer, n = ${MIDDLE.toLocaleString("en-US")} unless said: median of ${processesOf(options)} of ` +
      `${options.rounds} rounds each (least–most). ${facts.date}, ${facts.processor}, ${facts.node}, ${facts.chromium}, ` +
      `commit ${facts.commit}${options.quick ? "; **a quick run, no measurement to rely on**" : ""}.`,
    "",
    table(["work", "peer", "floor", "Node", "Chromium", "reached"], rows, 3),
  ].join("\n");
}

export function report(/** @type {Measured} */ measured) {
  const { facts, options } = measured;
  return `# Benchmark

Written by \`./build.sh bench\`${options.quick ? ": **a quick run, no measurement to rely on**" : ""}.

${table(["", ""], Object.entries(facts), 2)}

## Floors

${summary(measured)}

## Against others

Nanoseconds per element: the median of ${options.rounds} rounds in a process, then the median over ${processesOf(options)}
(least–most), each of them fresh. In a round everyone has a turn, warmed up. One thread each. Inputs are seeded and the same for all:
normal with standard deviation 2. "ours" is how many times longer the other takes than our default tier at
n = ${MIDDLE.toLocaleString("en-US")}: kernels against our kernel, whatever begins and ends in a JavaScript array against our call
that does. onnxruntime-web's "kernel" is (nine nodes in a row − one) / 8. Native rows run beside Node and are compared with
our wasm there.

The worst error is that of a scan in Node of ${options.points.toLocaleString("en-US")} numbers, evenly strided over all finite bit
patterns, against our own float64 kernel (itself within 2 ULP of float64), wherever the truth is a normal number. "0 at" is
the x < 0 nearest to zero where the scan met a 0 though the truth is a normal number; an error of 16.8 million ULP in
float32, of 9·10¹⁵ in float64, is such a 0.

${raceTable(measured)}

## Our kernels

Nanoseconds per element at n = ${MIDDLE.toLocaleString("en-US")}, inside the kernel. Where a tier has no kernel of its own, the default one serves.

${ownTable(measured)}

## Networks

Microseconds of a pass, all float32: a product of two 256 × 256 matrices; GELU's feed-forward network (hidden = 4 d) for
${TOKENS} tokens; a step of training with ${TOKENS} examples, d = 64, hidden = 256: project, residual block without
normalisation, output layer, cross-entropy, all gradients, Adam. Ours copies both operands of a product into panels each time;
onnxruntime-web has one of them as a constant and may arrange it beforehand. "arrays" begin and end in JavaScript arrays,
where tfjs keeps its tensors in place. Products and forward results are compared with ours before they are timed.

${networkTable(measured)}

## Load to first result

GELU of 1000 numbers in Node, ${measured.loads.empty.length} processes each, in turns.

${loadTable(measured)}

## Sizes

Bytes that a page loads.

${weightTable(measured)}
`;
}
