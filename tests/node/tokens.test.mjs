/** The colours of web/styles/tokens.css can be read and told from their ground, in the light and in the dark. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";

const css = (await readFile(new URL("../../web/styles/tokens.css", import.meta.url), "utf8")).replace(/\/\*[\s\S]*?\*\//g, "");

/**
 * The declarations of the first rule with this selector.
 * @param {string} source
 * @param {string} selector
 */
function declarations(source, selector) {
  const start = source.indexOf(`${selector} {`);
  assert.ok(start >= 0, `no rule ${selector}`);
  const body = source.slice(start, source.indexOf("}", start));
  return Object.fromEntries([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((match) => [match[1], match[2].trim()]));
}

const light = declarations(css, ":root");
const themes = {
  light,
  dark: { ...light, ...declarations(css, ':root[data-theme="dark"]') },
  "dark by the system": { ...light, ...declarations(css, ':root:not([data-theme="light"])') },
  print: { ...light, ...declarations(css.slice(css.indexOf("@media print")), ':root:not([data-theme="light"])') },
};

/** Relative luminance as WCAG 2 defines it. */
function luminance(color) {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color)?.[1];
  assert.ok(hex, `${color} is no hexadecimal colour`);
  const six = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  const [r, g, b] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(six.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test("contrast is computed rightly", () => {
  assert.equal(contrast("#000", "#ffffff"), 21);
  assert.ok(Math.abs(contrast("#777777", "#fff") - 4.478) < 0.001);
});

const FUNCTIONS = Object.keys(light).filter((name) => name.startsWith("--fn-"));

/** Too faint for their use, as "theme: name on ground: contrast". */
function faint(theme, names, grounds, least) {
  const tokens = themes[theme];
  return names.flatMap((name) =>
    grounds
      .map((ground) => ({ ground, value: contrast(tokens[name], tokens[ground]) }))
      .filter(({ value }) => value < least)
      .map(({ ground, value }) => `${theme}: ${name} on ${ground}: ${value.toFixed(2)}`),
  );
}

for (const theme of Object.keys(themes)) {
  const grounds = ["--paper", "--paper-sunk", "--paper-raised"];

  test(`${theme}: text and the words of functions reach 4.5 : 1`, () => {
    assert.ok(FUNCTIONS.length >= 12);
    assert.deepEqual(faint(theme, ["--ink", "--ink-2", "--ink-3", ...FUNCTIONS], grounds, 4.5), []);
  });

  test(`${theme}: lines and the borders of controls reach 3 : 1`, () => {
    assert.deepEqual(faint(theme, ["--rule-strong", "--zero", "--asymptote", ...FUNCTIONS], ["--paper"], 3), []);
  });

  test(`${theme}: no two functions have the same colour`, () => {
    assert.equal(new Set(FUNCTIONS.map((name) => themes[theme][name])).size, FUNCTIONS.length);
  });
}

test("the dark theme is the same by choice and by the system", () => {
  assert.deepEqual(themes["dark by the system"], themes.dark);
});

test("every function of the catalogue has a colour, a dash and a line under its word, and no two the same dash", () => {
  const dashes = FUNCTIONS.map((name) => light[name.replace("--fn-", "--dash-")]);
  assert.ok(dashes.every(Boolean));
  assert.equal(new Set(dashes).size, dashes.length);
  for (const name of FUNCTIONS)
    assert.ok(light[name.replace("--fn-", "--under-")] && light[`${name.replace("--fn-", "--under-")}-w`], name);
});

test("lines are made pretty by the token alone, which spares WebKit", async () => {
  const folder = new URL("../../web/styles/", import.meta.url);
  for (const name of await readdir(folder)) {
    assert.doesNotMatch(await readFile(new URL(name, folder), "utf8"), /text-wrap(-style)?:[^;]*\bpretty\b(?!\))/, name);
  }
  assert.match(css, /@supports \(hanging-punctuation: allow-end\) \{\s*:root \{\s*--pretty: wrap;/);
});
