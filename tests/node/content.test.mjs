/** The prose and its build: what stands in the sections, that the math font covers it, and that faults are refused. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { loadGelu } from "../../dist/lib/gelu.js";
import { fontStylesheet, loadSections } from "../../web/build/content.mjs";
import { formulaCharacters } from "../../web/build/formula.mjs";
import { calculate, readShown } from "../../web/build/numbers.mjs";
import { functionNames } from "../../web/i18n/functions.js";
import { ITALIC } from "../../web/scene.js";

const gelu = await loadGelu();
const CONTENT = new URL("../../web/content/", import.meta.url);
/** What scripts write. */
const words = ["figures", "i18n", "components"]
  .flatMap((folder) => {
    const place = new URL(`../../web/${folder}/`, import.meta.url);
    return readdirSync(place, { recursive: true }).map((name) => new URL(String(name), place));
  })
  .filter(({ pathname }) => pathname.endsWith(".js"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const FONT = new URL("../../web/fonts/latinmodern-math-subset.woff2", import.meta.url);
const filesOf = (language) =>
  readdirSync(new URL(language, CONTENT))
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -3));
const ids = filesOf("zh");
const sections = await loadSections(ids, { gelu });
const pieces = sections.flatMap(({ title, claim, parts }) => [
  title,
  claim,
  ...parts.flatMap((part) => (part.kind === "figure" ? [part.title, part.unit, part.note] : [part.html])),
]);
const html = pieces.flatMap(({ zh, en }) => [zh, en]).join("\n");

test("every section stands in both languages", () => {
  assert.deepEqual(filesOf("en"), ids);
  for (const { id, label, title, claim } of sections) {
    for (const both of [label, title, claim]) assert.ok(both.zh && both.en, id);
    assert.match(claim.zh, /\p{Script=Han}/u, id);
    assert.doesNotMatch(claim.en, /\p{Script=Han}/u, id);
  }
});

test("no English text has Chinese characters, no piece an inline style, a mark or raw markup left", () => {
  // What stands once for both languages has a word in each.
  for (const { en } of pieces) assert.doesNotMatch(en.replace(/<span lang="zh-CN">.*?<\/span>/g, ""), /\p{Script=Han}/u);
  const prose = html.replace(/<pre.*?<\/pre>/gs, "");
  assert.doesNotMatch(prose, /\sstyle=|[\uE000\uE001]|\[\[|\]\{|\$\$|:::/u);
  assert.doesNotMatch(prose.replace(/<[^>]*>/g, ""), /(^|[^\p{L}\p{N}])-\d/u, "a hyphen where a minus sign belongs");
});

test("every name is of a function of the catalogue, and the lesson's twelve have one", () => {
  // A new row of the table goes by its id until it is named.
  const ids = gelu.catalogue.map((row) => row.id);
  for (const id of Object.keys(functionNames)) assert.ok(ids.includes(id), id);
  assert.ok(Object.keys(functionNames).length >= 12);
});

test("a button holds nothing that takes focus", () => {
  for (const [button] of html.matchAll(/<button.*?<\/button>/gs)) assert.doesNotMatch(button, /tabindex|<a /);
});

test("every character of a formula is in the math font, which keeps its MATH table and is as PROVENANCE.md says", async () => {
  const bytes = readFileSync(FONT);
  const { characters, tables } = readFont(bytes);
  // Beside formulas: variables, in text and in figures, and signs that Chinese fonts draw a full character wide.
  const signs = [...html.matchAll(/<span class="sym">(.)<\/span>/gu)].map(([, sign]) => sign);
  const variables = [...html.matchAll(/<i>([^<]*)<\/i>/g), ...words.matchAll(/\*([a-zα-ω]{1,3})\*/gi)].map(([, name]) => name);
  assert.ok(signs.length > 10 && variables.length > 100);
  const wanted = new Set([...formulaCharacters(html), ...variables.join(""), ...Object.values(ITALIC), ...signs]);
  const missing = [...wanted].filter((character) => !characters.has(character.codePointAt(0)));
  assert.deepEqual(missing, [], "run web/fonts/make-math-font.py");
  assert.ok(tables.has("MATH"));
  assert.ok(bytes.length <= 12000, `${bytes.length} bytes`);
  const { createHash } = await import("node:crypto");
  const provenance = readFileSync(new URL("PROVENANCE.md", FONT), "utf8");
  assert.ok(provenance.includes(createHash("sha256").update(bytes).digest("hex")));
  assert.ok((await fontStylesheet()).includes(bytes.toString("base64")));
});

test("shown numbers are read with the precision they show", () => {
  const near = (shown, value, tolerance) => {
    const number = readShown(shown);
    assert.ok(Math.abs(number.value - value) <= 1e-12 * Math.abs(value), shown);
    assert.ok(Math.abs(number.tolerance / tolerance - 1) < 1e-6, shown);
  };
  near("−0.7518", -0.7518, 0.00005);
  near("45 %", 0.45, 0.005);
  near("−7.1 × 10⁻⁶", -7.1e-6, 5e-8);
  near("35", 35, 0.5);
  near("七", 7, 0.5);
  near("4,722,432", 4722432, 0.5);
  near("4 722 432", 4722432, 0.5);
  near("−√2", -Math.SQRT2, 1e-6);
  assert.equal(readShown("many"), undefined);
});

test("plain arithmetic in the marks of numbers", () => {
  assert.equal(calculate("2*768*3072+3072+768"), 4722432);
  assert.equal(calculate("-2^2+10/4/5"), -3.5);
  assert.equal(calculate("sqrt(2/pi)*(1-0.5e-1)"), Math.sqrt(2 / Math.PI) * 0.95);
  assert.equal(calculate("ln(max64)/ln(2)"), 1024);
  for (const wrong of ["", "1+", "2**3", "(1", "1)", "foo", "2 3", "process"])
    assert.throws(() => calculate(wrong), /cannot calculate/, wrong);
});

// ---------- faults ----------

const FRONT = "---\nlabel: A\ntitle: B\nclaim: C\n---\n";
const FIGURE = "::: figure curves compact\ntitle: T\nnote: N\n:::\n";
const TRY = "::: try\n- [Go](?x=-4&errors.kind=relative) and see.\n:::\n";

/** Loads a section of two given texts from a folder of its own. */
async function load(zh, en) {
  const folder = mkdtempSync(join(tmpdir(), "gelu-content-"));
  try {
    for (const [language, text] of Object.entries({ zh, en })) {
      mkdirSync(join(folder, language));
      if (text !== null) writeFileSync(join(folder, language, "sample.md"), text);
    }
    return await loadSections(["sample"], { gelu, folder: pathToFileURL(`${folder}/`) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const sound = `${FRONT}The slope is [1.1289]{max gelu order=1} at x = -2.\n\n${FIGURE}${TRY}`;

test("a sound sample loads, escaped and typeset", async () => {
  const [section] = await load(sound, sound.replace("The slope", 'The "slope" of a<b & [[silu|f(x)]]'));
  const [{ html: text }, figure, prompts] = section.parts;
  assert.equal(text.zh, '<div class="prose"><p>The slope is 1.1289 at <span class="nb"><i>x</i> = −2.</span></p></div>');
  assert.match(
    text.en,
    /The &quot;slope&quot; of a&lt;b &amp; <span class="fn" data-fn="silu" tabindex="0">f\(<i>x<\/i>\)<\/span>/,
  );
  assert.deepEqual([figure.name, figure.variant, figure.title.en], ["curves", "compact", "T"]);
  assert.match(
    prompts.html.zh,
    /<button type="button" data-set="x=-4&amp;errors.kind=relative"><b>Go<\/b><span>and see.<\/span>/,
  );
});

const STATEMENT = "::: statement false\nsaid: A\nis: B\nshow: [see](?x=1#gradient)\n:::\n";
const CARD =
  "::: card derive\nq: Q\nshort: S\nfull: F\nfull: $$x^2$$\nanswer: [1.1289]{max gelu order=1} 1% the <peak>\nshow: [see](#relu)\n:::\n";
const more = `${FRONT}Text.\n\n${STATEMENT}\n${STATEMENT}\n${CARD}\n::: code gelu.py\n:::\n`;

test("statements and cards come in groups and keep what they are made of; a program stands once", async () => {
  const [{ parts }] = await load(more, more);
  const [, statements, cards, code] = parts;
  assert.deepEqual([statements.kind, statements.items.zh.length, cards.kind, code.kind], ["statements", 2, "cards", "code"]);
  assert.deepEqual(statements.items.en[0], {
    truth: false,
    said: "A",
    is: "B",
    show: { set: "x=1", section: "gradient", html: "see" },
  });
  assert.match(
    statements.html.en,
    /^<div class="statements full" data-group="false"><h3>.*?<\/h3><ol><li .*<\/li><li .*<\/li><\/ol><\/div>$/s,
  );
  assert.match(statements.html.en, /<a class="show" href="#gradient" data-set="x=1">see<\/a>/);
  assert.deepEqual(cards.items.zh[0].answer, { value: 1.128904145185155, tolerance: "1%", words: "the <peak>" });
  assert.match(
    cards.html.zh,
    /<details class="card" data-answer="1.128904145185155" data-tolerance="1%" data-asked="the &lt;peak&gt;"><summary>Q<\/summary>/,
  );
  await assert.rejects(load(more, more.replace(" the <peak>", "")), /with words/);
  assert.match(cards.html.zh, /<a class="show" href="#relu">see<\/a>/);
  assert.equal(code.html.zh, code.html.en);
  assert.match(code.html.zh, /return max\(x, -1000\.0\) \* share/);
});

/** @type {Array<[string, string, string, RegExp]>} the same for these blocks */
const MORE_FAULTS = [
  ["a statement that is neither", "statement false", "statement maybe", /:8: a statement is false or true, not "maybe"/],
  ["a statement without evidence", "show: [see](?x=1#gradient)\n", "", /:8: show: is missing/],
  ["evidence in a section that does not exist", "#gradient", "#gradiant", /:11: no section "gradiant"; there are: .*gradient/],
  ["evidence with a wrong state", "?x=1#", "?y=1#", /:11: unknown key "y"/],
  ["an unknown level", "card derive", "card hard", /:20: a card is basic, derive or design/],
  ["a wrong answer", "answer: [1.1289]", "answer: [1.1389]", /:25: shown 1\.1389, computed 1\.1289/],
  ["an answer without a tolerance", "order=1} 1% the <peak>", "order=1}", /:25: expected answer:/],
  ["a program that is not there", "code gelu.py", "code gelu.rs", /:29: no program "gelu\.rs" .*gelu\.py/],
];

for (const [name, find, put, message] of MORE_FAULTS) {
  test(`refused with file and line: ${name}`, async () => {
    const broken = more.replace(find, () => put);
    assert.notEqual(broken, more);
    await assert.rejects(load(broken, broken), (error) => error.name === "ContentError" && message.test(error.message));
  });
}

test("the lesson has every statement and question that it promises", () => {
  const items = (kind) =>
    sections.flatMap(({ parts }) => parts.filter((part) => part.kind === kind).flatMap(({ items }) => items.zh));
  const statements = items("statements");
  assert.ok(statements.length >= 20 && statements.filter(({ truth }) => truth).length >= 8);
  const cards = items("cards");
  assert.ok(cards.length >= 24);
  for (const level of ["basic", "derive", "design"]) assert.ok(cards.filter((card) => card.level === level).length >= 8, level);
});

/** @type {Array<[string, string | null, string, RegExp]>} name, zh (null: no file), what stands in its place, message */
const FAULTS = [
  ["a wrong number", "is [1.1289]", "is [1.1389]", /zh\/sample\.md:6: shown 1\.1389, computed 1\.1289/],
  ["a number without a check", "The slope", "Some 0.5 of it", /zh\/sample\.md:6: a number without a check/],
  ["an unknown kind of number", "{max gelu", "{most gelu", /:6: unknown kind of number "most"; allowed: .*max_error/],
  ["an unknown function in a number", "{max gelu", "{max gleu", /:6: unknown function "gleu"; allowed: gelu,/],
  ["an unknown function word", "The slope", "The [[gleu]]", /:6: unknown function "gleu"; allowed: gelu,/],
  ["an unknown function in a formula", "The slope", "$\\fn{gleu}{x}$", /:6: unknown function "gleu"/],
  ["TeX that cannot be read", "The slope", "$\\frac{1$", /:6: /],
  ["an unknown block", "::: try", "::: tyr", /:12: unknown block "tyr"; allowed: figure, try/],
  ["a block without an end", "see.\n:::", "see.\n", /:12: ::: try has no end/],
  ["an unknown figure", "figure curves", "figure curbs", /:8: unknown figure "curbs"; allowed: admission, curves, coin/],
  ["a figure without a title", "title: T", "unit: U", /:8: title: is missing/],
  ["an unknown state key", "errors.kind=", "error.kind=", /:13: unknown key "error.kind"/],
  ["a value that a key cannot have", "=relative", "=both", /:13: bad value for errors.kind/],
  ["a parameter out of its bounds", "x=-4", "silu.beta=1e9", /:13: bad value for silu.beta, which would become 5,/],
  ["a link to nowhere", "The slope", "[The](javascript:x) slope", /:6: a link goes to https:.* not to "javascript:x"/],
  ["a figure missing in one language", FIGURE, "", /sample\.md:\d+: here stands "(try|figure) [^"]*", in .*sample\.md/],
  [
    "another query in one language",
    "x=-4",
    "x=-3",
    /zh\/sample\.md:12: here stands "try \?x=-3[^"]*", in .*en\/sample\.md:12 "try/,
  ],
  ["a missing key", "claim: C\n", "", /zh\/sample\.md:1: claim: is missing/],
  ["no front matter", "---\nlabel", "label", /zh\/sample\.md:1: no front matter/],
];

for (const [name, find, put, message] of FAULTS) {
  test(`refused with file and line: ${name}`, async () => {
    const broken = sound.replace(/** @type {string} */ (find), () => put);
    assert.notEqual(broken, sound);
    await assert.rejects(load(broken, sound), (error) => error.name === "ContentError" && message.test(error.message));
  });
}

test("refused: a section that is missing in one language", async () => {
  await assert.rejects(load(sound, null), /en\/sample\.md:1: the file is missing/);
});

// ---------- a small reader of woff2: which tables there are, and the characters of cmap ----------

/** The tags that woff2 knows by number; only their order counts. */
const TAGS =
  "cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH";

function readFont(bytes) {
  const count = bytes.readUInt16BE(12);
  let at = 48;
  const base128 = () => {
    let value = 0;
    for (;;) {
      const byte = bytes[at++];
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  const list = [];
  for (let i = 0; i < count; i++) {
    const flags = bytes[at++];
    let tag = TAGS.slice((flags & 63) * 5, (flags & 63) * 5 + 4);
    if ((flags & 63) === 63) {
      tag = bytes.toString("latin1", at, at + 4);
      at += 4;
    }
    const length = base128();
    // Outlines are transformed unless the version says 3, other tables only where it is not 0.
    const version = flags >> 6;
    const transformed = tag === "glyf" || tag === "loca" ? version !== 3 : version !== 0;
    list.push({ tag, length: transformed ? base128() : length });
  }
  const data = brotliDecompressSync(bytes.subarray(at, at + bytes.readUInt32BE(20)));
  const tables = new Map();
  let offset = 0;
  for (const { tag, length } of list) {
    tables.set(tag, data.subarray(offset, offset + length));
    offset += length;
  }
  return { tables, characters: readCmap(tables.get("cmap")) };
}

/** Characters of the format 12 subtable, else of format 4. */
function readCmap(cmap) {
  const characters = new Set();
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + 8 * i));
    if (table.readUInt16BE(0) === 12) {
      for (let j = 0; j < table.readUInt32BE(12); j++) {
        for (let c = table.readUInt32BE(16 + 12 * j); c <= table.readUInt32BE(20 + 12 * j); c++) characters.add(c);
      }
    } else if (table.readUInt16BE(0) === 4) {
      const segments = table.readUInt16BE(6) / 2;
      for (let j = 0; j < segments; j++) {
        const [last, first] = [table.readUInt16BE(14 + 2 * j), table.readUInt16BE(16 + 2 * (segments + j))];
        for (let c = first; c <= last && c < 0xffff; c++) characters.add(c);
      }
    }
  }
  return characters;
}
