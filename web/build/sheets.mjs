/** Parts a style sheet in what a page needs without scripts and what only scripts bring to life. */

/**
 * The rules of a minified sheet, as text.
 * @param {string} css
 * @returns {string[]}
 */
export function rulesOf(css) {
  const rules = [];
  let depth = 0;
  let start = 0;
  for (const { 0: sign, index } of css.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};]/g)) {
    if (sign === "{") depth++;
    if (sign === "}") depth--;
    if (depth > 0 || !/[};]/.test(sign)) continue;
    rules.push(css.slice(start, index + 1));
    start = index + 1;
  }
  return rules.filter((rule) => rule.trim() !== "");
}

/**
 * The names that each of several selectors needs, whatever its pseudo-classes say: classes with their dot, and elements.
 * @param {string} selectors
 */
function namesIn(selectors) {
  let bare = selectors.replace(/\[[^\]]*\]|::[\w-]+/g, "");
  // From the inside out.
  for (let before = ""; before !== bare; ) {
    before = bare;
    bare = bare.replace(/:[\w-]+(\([^()]*\))?/g, "");
  }
  return bare.split(",").map((selector) => selector.match(/\.[\w-]+|(?<=^|[\s>+~])[a-z][\w-]*/g) ?? []);
}

/**
 * @param {string} html
 * @returns {(rule: string) => boolean} whether it may say something of the page as it is; some that do not may pass
 */
function needs(html) {
  const names = new Set();
  for (const [, tag, attributes] of html.matchAll(/<([a-z][\w-]*)([^>]*)/g)) {
    names.add(tag);
    for (const name of attributes.match(/ class="([^"]*)"/)?.[1].split(" ") ?? []) names.add(`.${name}`);
  }
  /** @param {string} rule @returns {boolean} */
  const isNeeded = (rule) => {
    const [, head, inside] = rule.match(/^([^{]*)\{([\s\S]*)\}$/) ?? [];
    if (head === undefined) return true;
    if (/^@(media|supports|layer|container)/.test(head)) return rulesOf(inside).some(isNeeded);
    if (head.startsWith("@")) return true;
    return namesIn(head).some((needed) => needed.every((name) => names.has(name)));
  };
  return isNeeded;
}

/**
 * @param {string} css minified
 * @param {string} html
 * @returns {{ still: string, rest: string, whole: string }} a rule a line; rest: an empty line for each rule that stands in
 *   still, in order; whole: what web/unfold.js makes of both
 */
export function partSheet(css, html) {
  const isNeeded = needs(html);
  const rules = rulesOf(css).map((rule) => rule.replaceAll("\n", " "));
  return {
    still: rules.filter(isNeeded).join("\n"),
    rest: rules.map((rule) => (isNeeded(rule) ? "" : rule)).join("\n"),
    whole: rules.join("\n"),
  };
}
