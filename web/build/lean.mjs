/**
 * What of Chart.js the lesson has no use for, left out when the scripts are bundled: its charts are lines without marks on
 * scales that are not drawn, without animation, without a pointer, of a size that the page sets. Where something left out is
 * asked for after all, calling it throws. A name that the installed Chart.js does not have stops the build.
 */
import { readFile } from "node:fs/promises";

const words = (/** @type {string} */ text) => text.split(/\s+/).filter(Boolean);

/** Classes, functions and constants of the outermost level: undefined. What only these need goes with them. */
const OUTERMOST = words(`
  LinearScale LogarithmicScale RadialLinearScale TimeScale TimeSeriesScale DateAdapterBase
  autoSkip sample getTickMarkLength getTitleHeight updateStacks clearStacks convertObjectDataToArray
  Animation onAnimationProgress
  BasicPlatform DomPlatform
  formatNumber getNumberFormat calculateDelta
  drawPoint doSplitByStyles strokePathDirect _steppedLineTo _bezierCurveTo _updateBezierControlPoints
`);

/** @type {Record<string, string[]>} methods by their class */
const METHODS = {
  Animator: words("_notify _refresh _update add start"),
  Animations: words("_animateOptions _createAnimations"),
  DatasetController: words(`
    reset parsePrimitiveData parseArrayData parseObjectData applyStack updateRangeFromParsed getMinMax getAllParsedValues
    getLabelAndValue getStyle _setStyle removeHoverStyle setHoverStyle _removeDatasetHoverStyle _setDatasetHoverStyle _sync
    _onDataPush _onDataPop _onDataShift _onDataSplice _onDataUnshift
  `),
  Scale: words(`
    getMinMax getLabels getLabelItems _calculatePadding getPixelForTick _computeGridLineItems _computeLabelItems
    _getXAxisLabelAlignment _getYAxisLabelAlignment _computeLabelArea drawBackground getLineWidthForValue drawGrid drawBorder
    drawLabels drawTitle draw getMatchingVisibleMetas _getLabelSizes _computeLabelSizes
    _tickSize _resolveTickFontOptions _maxDigits
  `),
  Registry: words(`
    remove addControllers addElements addPlugins addScales getPlugin removeControllers removeElements removePlugins removeScales
  `),
  TypedRegistry: words("unregister"),
  Chart: words(`
    isPointInArea getElementsAtEventForMode setDatasetVisibility _updateVisibility hide show toBase64Image bindResponsiveEvents
    updateHoverStyle setActiveElements isPluginEnabled _updateHoverStyles _eventHandler _handleEvent _getActiveElements
  `),
  LineElement: words("first last interpolate"),
  PointElement: words("inRange inXRange inYRange getCenterPoint getRange"),
};

const FILES = /[\\/]chart\.js[\\/]dist[\\/](?:chart|chunks[\\/]index)\.js$/;

/** @type {import("esbuild").Plugin} */
export const leanChart = {
  name: "lean-chart",
  setup({ onLoad, onEnd }) {
    /** @type {Set<string>} */
    const found = new Set();
    onLoad({ filter: FILES }, async ({ path }) => ({ contents: leaveOut(await readFile(path, "utf8"), found), loader: "js" }));
    onEnd(() => {
      const wanted = [
        ...OUTERMOST,
        ...Object.entries(METHODS).flatMap(([name, methods]) => methods.map((each) => `${name}.${each}`)),
      ];
      const missing = found.size === 0 ? [] : wanted.filter((name) => !found.has(name));
      if (missing.length > 0) throw new Error(`web/build/lean.mjs: Chart.js has no ${missing.join(", ")}`);
    });
  },
};

/**
 * @param {string} source as Chart.js formats it: what begins in one line without a margin and goes on ends with a brace there,
 *   a method with one after four spaces
 * @param {Set<string>} found takes the names that were left out
 */
function leaveOut(source, found) {
  const names = [...OUTERMOST, ...Object.keys(METHODS)].join("|");
  const declarations = new RegExp(
    `(?<=^(?: [*]\\/)? ?)(?:class|function|const|var) (${names})\\b(?:.*[;}]$|[\\s\\S]*?^\\}.*$)`,
    "gm",
  );
  return source.replace(declarations, (text, name) => {
    if (METHODS[name]) return withoutMethods(text, name, found);
    found.add(name);
    return `const ${name} = undefined;`;
  });
}

/**
 * @param {string} text of a class
 * @param {string} className
 * @param {Set<string>} found
 */
function withoutMethods(text, className, found) {
  return text.replace(/^(?: {4}| )(?:static )?(\w+)\(.*\) ?\{(?:.*\}$|[\s\S]*?^ {4}\}$)/gm, (method, name) => {
    if (!METHODS[className].includes(name)) return method;
    found.add(`${className}.${name}`);
    return "";
  });
}
