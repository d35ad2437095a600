/** Elements from JavaScript: a few lines that stand in for markup, without a framework. */

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element. Names that start with "on" are event listeners, the others attributes; false and null leave one out.
 * @param {string} tag an HTML tag, or "svg:line" for one of SVG
 * @param {Record<string, any> | null} [attributes]
 * @param {...Child | Child[]} children
 * @returns {any} the element, typed by its use
 */
export function h(tag, attributes, ...children) {
  const element = tag.startsWith("svg:") ? document.createElementNS(SVG_NAMESPACE, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} parent
 * @param {(Child | Child[])[]} children
 */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) parent.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Text in both languages; the style sheet shows the one that the page is in, so a switch touches no element.
 * @param {{ zh: string, en: string }} text
 */
export function bilingual(text) {
  const fragment = document.createDocumentFragment();
  if (text.zh === text.en) fragment.append(...richText(text.en));
  else fragment.append(h("span", { lang: "zh-CN" }, ...richText(text.zh)), h("span", { lang: "en" }, ...richText(text.en)));
  return fragment;
}

/**
 * "*x*" in a label is a variable, set in italics.
 * @param {string} text
 */
export function richText(text) {
  return text.split("*").map((part, i) => (i % 2 === 1 ? h("i", null, part) : part));
}

/**
 * What a reader wrote, as part of a label: short, and none of it taken for italics.
 * @param {string} word
 * @param {number} length
 */
export function quoted(word, length) {
  return (word.length > length ? `${word.slice(0, length)}…` : word).replaceAll("*", "∗");
}
