/** All matrices of a pass: small ones with every number, large ones as heat maps on canvas, one pixel a number. */
import { bilingual, h, richText } from "../../components/dom.js";
import { both } from "../../i18n/ffn.js";
import { backwardRow } from "./run.js";
import { BACKWARD, FORWARD, matrixOf, sumOf } from "./sums.js";
import { cellText, NAMES } from "./writing.js";

/**
 * @typedef {import("./run.js").Run} Run
 * @typedef {import("./sums.js").Cell} Cell
 * @typedef {import("./sums.js").Matrix} Matrix
 * @typedef {import("./sums.js").MatrixName} MatrixName
 * @typedef {import("./network.js").Hands} Hands
 */

/** Those whose exact zeros the activation has made. */
const GATED = ["a", "dz", "dw1", "dw2"];

const namesOf = (/** @type {Run} */ { net }) => (net.isBackward ? BACKWARD : FORWARD);

/** @param {MatrixName} name @param {Matrix | null} matrix @param {Node} [more] */
const heading = (name, matrix, more) =>
  h(
    "p",
    { class: "mat-name" },
    richText(NAMES[name]),
    " ",
    h("small", null, matrix && `${matrix.rows} × ${matrix.columns}`, more),
  );

/** @param {Hands} hands */
export function createTables({ choose, point }) {
  const element = h("div", { class: "mats" });

  /** @param {Event} event */
  function cellOf({ target }) {
    const td = target instanceof Element ? target.closest("[role=grid] td") : null;
    const matrix = /** @type {HTMLElement | null} */ (td?.closest("table"))?.dataset.matrix;
    if (!(td instanceof HTMLTableCellElement) || matrix === undefined) return null;
    const row = /** @type {HTMLTableRowElement} */ (td.parentElement).rowIndex;
    return { matrix: /** @type {MatrixName} */ (matrix), row, column: td.cellIndex };
  }
  element.addEventListener("mouseover", (/** @type {Event} */ event) => point(cellOf(event)));
  element.addEventListener("mouseleave", () => point(null));
  element.addEventListener("focusout", () => point(null));
  element.addEventListener("click", (/** @type {Event} */ event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    /** @type {HTMLElement} */ (event.target).focus();
    choose(cell);
  });
  element.addEventListener("focusin", (/** @type {Event} */ event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    const table = /** @type {HTMLTableElement} */ (/** @type {Element} */ (event.target).closest("table"));
    for (const old of table.querySelectorAll('[tabindex="0"]')) old.setAttribute("tabindex", "-1");
    /** @type {HTMLElement} */ (event.target).tabIndex = 0;
    point(cell);
  });
  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    const { rows } = /** @type {HTMLTableElement} */ (/** @type {Element} */ (event.target).closest("table"));
    const steps = /** @type {Record<string, number[]>} */ ({
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      Home: [0, -cell.column],
      End: [0, rows[0].cells.length - 1 - cell.column],
    });
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    rows[cell.row + step[0]]?.cells[cell.column + step[1]]?.click();
  });

  /** @param {Run} run @param {MatrixName} name */
  function createTable(run, name) {
    const matrix = /** @type {Matrix} */ (matrixOf(run, name));
    const { rows, columns, at } = matrix;
    const isComputed = sumOf(run, { matrix: name, row: 0, column: 0 }) !== null;
    const isGated = GATED.includes(name);
    const lines = Array.from({ length: rows }, (_, row) =>
      h(
        "tr",
        null,
        Array.from({ length: columns }, (__, column) => {
          const value = at(row, column);
          const attributes = { class: isGated && value === 0 ? "is-zero" : null, "data-value": value };
          return h("td", { ...attributes, tabindex: isComputed ? -1 : null }, cellText(value));
        }),
      ),
    );
    if (isComputed) lines[0].firstChild.tabIndex = 0;
    const role = isComputed ? "grid" : null;
    const table = h("table", { class: "mat", role, "data-matrix": name, "aria-label": NAMES[name].replaceAll("*", "") }, lines);
    return h(
      "div",
      { class: "mat-box" },
      heading(name, matrix),
      h("div", { class: "scroll", tabindex: isComputed ? null : 0 }, table),
    );
  }

  return {
    element,

    /** @param {Run} run */
    show(run) {
      const focused = document.activeElement;
      const held = focused !== null && element.contains(focused) ? cellOf(/** @type {any} */ ({ target: focused })) : null;
      const tables = namesOf(run).map((name) => createTable(run, name));
      const lefts = [...element.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
      element.replaceChildren(...tables);
      [...element.querySelectorAll(".scroll")].forEach((box, i) => {
        box.scrollLeft = lefts[i] ?? 0;
      });
      if (held === null) return;
      const table = element.querySelector(`[data-matrix="${held.matrix}"]`);
      if (table instanceof HTMLTableElement) table.rows[held.row]?.cells[held.column]?.focus({ preventScroll: true });
    },

    /**
     * @param {Cell} cell
     * @param {import("./sums.js").Source[]} sources what it is made of
     */
    mark({ matrix, row, column }, sources) {
      for (const old of element.querySelectorAll(".is-marked, .is-source")) old.classList.remove("is-marked", "is-source");
      for (const source of sources) {
        const table = element.querySelector(`[data-matrix="${source.matrix}"]`);
        for (const line of table instanceof HTMLTableElement ? table.rows : []) {
          if (source.row !== undefined && source.row !== line.rowIndex) continue;
          const cells = source.column === undefined ? [...line.cells] : [line.cells[source.column]];
          for (const each of cells) each.classList.add("is-source");
        }
      }
      const partner = /** @type {Record<string, string>} */ ({ a: "z", dz: "da", z: "a", da: "dz" });
      for (const name of [matrix, partner[matrix]]) {
        const table = element.querySelector(`[data-matrix="${name}"]`);
        if (table instanceof HTMLTableElement) table.rows[row]?.cells[column]?.classList.add("is-marked");
      }
    },
  };
}

/** Numbers a row of a folded vector. */
const FOLD = 96;
/** Of a large matrix of weights one row and column in so many is drawn. */
const SAMPLE = 4;
/** What is as dark or as light as it gets, in root mean squares. */
const FULL = 2.5;
/** Black and white: paper is light in every theme. */
const ON_PAPER = [
  [0, 0, 0],
  [255, 255, 255],
];
/** At the least, over the 178 mm of A4 between its margins: 200 an inch. */
const DOTS_ACROSS = 1402;
/** In milliseconds. */
const AFTER_PRINT = 500;

/**
 * Each pixel becomes a square of so many.
 * @param {HTMLCanvasElement} canvas
 * @param {number} times
 */
function enlarge(canvas, times) {
  const small = h("canvas", { width: canvas.width, height: canvas.height });
  small.getContext("2d").drawImage(canvas, 0, 0);
  canvas.width *= times;
  canvas.height *= times;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
}

/**
 * Which of a matrix's numbers are pixels: the first, and the steps to the right and down.
 * @param {Run} run
 * @param {MatrixName} name
 * @returns {{ numbers: Float32Array, columns: number, width: number, height: number, first: number, right: number, down: number } | null}
 */
export function pixelsOf(run, name) {
  const { d, hidden, token } = run.net;
  if (isVector(name)) {
    const isRow = name === "da" || name === "dz";
    const columns = ["x", "y", "dx", "dy"].includes(name) ? d : hidden;
    const numbers = isRow ? backwardRow(run, token)[name] : /** @type {Float32Array} */ (run[name]);
    const fold = { width: FOLD, height: Math.ceil(columns / FOLD), right: 1, down: FOLD };
    return { numbers, columns, first: isRow ? 0 : token * columns, ...fold };
  }
  const numbers = run[/** @type {"w1" | "w2" | "dw1" | "dw2"} */ (name)];
  if (numbers === null) return null;
  const isTall = name.endsWith("2");
  const columns = isTall ? d : hidden;
  // The longer side lies along.
  const [right, down] = isTall ? [SAMPLE * columns, SAMPLE] : [SAMPLE, SAMPLE * columns];
  return { numbers, columns, width: hidden / SAMPLE, height: d / SAMPLE, first: 0, right, down };
}

/** @param {string} color "rgb(…)" as the browser computes it */
const channels = (color) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

/**
 * @param {Hands} hands
 * @param {() => import("../../theme.js").Theme} theme
 */
export function createHeatMaps({ choose, point }, theme) {
  const legend = h("p", { class: "help" });
  const element = h("div", { class: "maps" });
  /** @type {Run | null} */
  let run = null;
  /** @type {Map<MatrixName, ReturnType<typeof createMap>>} */
  const maps = new Map();
  let timer = 0;
  let isPrinting = false;

  const shown = () => (run === null || element.closest("[hidden]") ? [] : namesOf(run).flatMap((name) => maps.get(name) ?? []));

  function beforePrint() {
    isPrinting = true;
    drawAll(shown());
  }

  function afterPrint() {
    isPrinting = false;
    // Some engine may still be reading what it prints.
    timer = window.setTimeout(() => drawAll(shown()), AFTER_PRINT);
  }
  addEventListener("beforeprint", beforePrint);
  addEventListener("afterprint", afterPrint);

  /** @param {ReturnType<typeof createMap>[]} all */
  function drawAll(all) {
    clearTimeout(timer);
    if (!isPrinting) drawNext(all);
    else for (const map of all) map.draw(/** @type {Run} */ (run), true);
  }

  /** One after the other, so that the page gets its turn between. @param {ReturnType<typeof createMap>[]} waiting */
  function drawNext([next, ...others]) {
    if (run === null || next === undefined) return;
    next.draw(run);
    timer = window.setTimeout(drawNext, 0, others);
  }

  /** @param {MatrixName} name */
  function createMap(name) {
    const canvas = h("canvas", { class: "map", role: "img" });
    const ring = h("span", { class: "ring", hidden: true });
    const frame = h("div", { class: "map-frame" }, canvas, ring);
    const head = h("div");
    const box = h("div", { class: "mat-box", "data-map": name }, head, frame);

    /** @param {PointerEvent | MouseEvent} event */
    function cellOf(event) {
      const map = run && pixelsOf(run, name);
      if (run === null || !map) return null;
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const x = Math.min(map.width - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * map.width)));
      const y = Math.min(map.height - 1, Math.max(0, Math.floor(((event.clientY - top) / height) * map.height)));
      const at = x * map.right + y * map.down;
      const row = isVector(name) ? run.net.token : Math.floor(at / map.columns);
      const cell = { matrix: name, row, column: isVector(name) ? at : at % map.columns };
      return sumOf(run, cell) === null ? null : cell;
    }
    canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => point(cellOf(event)));
    canvas.addEventListener("pointerleave", () => point(null));
    canvas.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const cell = cellOf(event);
      if (cell !== null) choose(cell);
    });

    return {
      box,

      /**
       * @param {Run} now
       * @param {boolean} [isForPrint]
       */
      draw(now, isForPrint = false) {
        const matrix = matrixOf(now, name);
        const sampled = isVector(name) ? both("tokenShort", { token: now.net.token + 1 }) : both("sampled", { step: SAMPLE });
        head.replaceChildren(heading(name, matrix, bilingual({ zh: `，${sampled.zh}`, en: `, ${sampled.en}` })));
        canvas.setAttribute("aria-label", NAMES[name].replaceAll("*", ""));
        const map = pixelsOf(now, name);
        if (map === null) return;
        canvas.width = map.width;
        canvas.height = map.height;
        paint(canvas.getContext("2d"), map, GATED.includes(name) ? now.net.activation : null, isForPrint);
        if (isForPrint) enlarge(canvas, Math.ceil(DOTS_ACROSS / map.width));
      },

      /** @param {Cell | null} cell */
      mark(cell) {
        ring.hidden = cell === null || run === null || !isVector(name);
        if (cell === null || run === null || ring.hidden) return;
        const { width, height } = /** @type {NonNullable<ReturnType<typeof pixelsOf>>} */ (pixelsOf(run, name));
        ring.style.setProperty("left", `${((cell.column % FOLD) / width) * 100}%`);
        ring.style.setProperty("top", `${(Math.floor(cell.column / FOLD) / height) * 100}%`);
        ring.style.setProperty("width", `${100 / width}%`);
        ring.style.setProperty("height", `${100 / height}%`);
      },
    };
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {NonNullable<ReturnType<typeof pixelsOf>>} map
   * @param {string | null} fn whose colour exact zeros get
   * @param {boolean} isForPrint
   */
  function paint(context, { numbers, width, height, first, right, down }, fn, isForPrint) {
    const valueAt = (/** @type {number} */ i) => numbers[first + (i % width) * right + Math.floor(i / width) * down];
    let squares = 0;
    for (let i = 0; i < width * height; i++) squares += valueAt(i) ** 2;
    const scale = FULL * Math.sqrt(squares / (width * height)) || 1;
    const style = getComputedStyle(element);
    const [ink, paper] = isForPrint ? ON_PAPER : [style.color, style.backgroundColor].map(channels);
    const zero = fn === null ? null : resolved(theme().functions[fn].color);
    const image = context.createImageData(width, height);
    for (let i = 0; i < width * height; i++) {
      const value = valueAt(i);
      const share = Math.min(1, Math.max(0, 0.5 + value / (2 * scale)));
      const isZero = zero !== null && value === 0;
      for (let channel = 0; channel < 3; channel++) {
        image.data[4 * i + channel] = isZero ? zero[channel] : paper[channel] + (ink[channel] - paper[channel]) * share;
      }
      image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }

  /** @param {string} color in any notation */
  function resolved(color) {
    legend.style.setProperty("color", color);
    const result = channels(getComputedStyle(legend).color);
    legend.style.removeProperty("color");
    return result;
  }

  return {
    element: h("div", { class: "maps-box" }, element, legend),

    /**
     * @param {Run} now
     * @param {{ zh: string, en: string }} name of the activation
     */
    show(now, name) {
      run = now;
      const names = namesOf(now);
      const boxes = names.map((each) => {
        const map = maps.get(each) ?? createMap(each);
        maps.set(each, map);
        return map.box;
      });
      if (boxes.some((box, i) => element.children[i] !== box)) element.replaceChildren(...boxes);
      const { zh, en } = name;
      legend.replaceChildren(bilingual({ zh: both("heat", { name: zh }).zh, en: both("heat", { name: en }).en }));
      drawAll(names.map((each) => /** @type {ReturnType<typeof createMap>} */ (maps.get(each))));
    },

    destroy() {
      clearTimeout(timer);
      removeEventListener("beforeprint", beforePrint);
      removeEventListener("afterprint", afterPrint);
    },

    /** @param {Cell} cell */
    mark(cell) {
      // The same place in what comes before and after the activation.
      const inner = ["z", "a", "da", "dz"];
      const wide = inner.includes(cell.matrix);
      for (const [name, map] of maps) map.mark(name === cell.matrix || (wide && inner.includes(name)) ? cell : null);
    },
  };
}

const isVector = (/** @type {MatrixName} */ name) => !name.includes("w");
