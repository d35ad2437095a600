/** The SCORM package as a file, and what it tells a platform, without a browser. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { findApi, Platform } from "../../web/scorm/lms.js";
import { LONGEST_SUSPEND_DATA, packKept, readKept, scoreOf, timespan } from "../../web/scorm/progress.js";

const zip = unzipSync(await readFile(fileURLToPath(new URL("../../dist/scorm/gelu-lab-scorm12.zip", import.meta.url))));
const text = (name) => Buffer.from(zip[name]).toString("utf8");

describe("the package", () => {
  test("its manifest stands at the top and lists every file, once", () => {
    const manifest = text("imsmanifest.xml");
    assert.match(manifest, /<schema>ADL SCORM<\/schema>\s*<schemaversion>1\.2<\/schemaversion>/);
    assert.match(manifest, /<resource [^>]*type="webcontent" adlcp:scormtype="sco" href="index\.html">/);
    assert.match(manifest, /<item identifier="page" identifierref="page-files">/);
    const listed = [...manifest.matchAll(/<file href="([^"]+)"\/>/g)].map(([, name]) => name);
    const held = Object.keys(zip).filter((name) => name !== "imsmanifest.xml");
    assert.deepEqual(listed, held.sort());
  });

  test("holds what its page loads, and asks the platform before all other scripts", () => {
    const page = text("index.html");
    const loaded = [...page.matchAll(/(?:src|href|data-\w+)="(assets\/[^"]+)"/g)].map(([, name]) => name);
    assert.ok(loaded.length > 5);
    for (const name of loaded) assert.ok(zip[name], name);
    assert.equal(page.match(/<script src="([^"]+)"/)[1], "assets/scorm.js");
  });
});

describe("what is kept", () => {
  const sections = ["hero", "relu", "ffn"];

  test("comes back", () => {
    const kept = { visited: ["hero", "ffn"], query: "?x=2&judge.votes=tf-" };
    assert.deepEqual(readKept(packKept(kept), sections), kept);
  });

  test("of other texts, nothing is believed", () => {
    const nothing = { visited: [], query: "" };
    for (const foreign of ["", "{", "null", "[]", "5", '{"v":2,"visited":[],"query":""}', '{"v":1,"visited":"hero","query":""}'])
      assert.deepEqual(readKept(foreign, sections), nothing, foreign);
    const stale = JSON.stringify({ v: 1, visited: ["gone", "relu", 7], query: "javascript:0" });
    assert.deepEqual(readKept(stale, sections), { visited: ["relu"], query: "" });
  });

  test("fits into what SCORM 1.2 promises: of a state that is too long the answers stay", () => {
    const long = `?race.note=${"x".repeat(5000)}&judge.votes=tft&cards.ratings=2-1&lang=zh`;
    const packed = packKept({ visited: sections, query: long });
    assert.ok(packed.length <= LONGEST_SUSPEND_DATA);
    assert.deepEqual(readKept(packed, sections), {
      visited: sections,
      query: "?judge.votes=tft&cards.ratings=2-1&lang=zh",
    });
    const longer = packKept({ visited: sections, query: `?judge.votes=${"t".repeat(5000)}` });
    assert.deepEqual(readKept(longer, sections), { visited: sections, query: "" });
  });
});

test("spans of time are written HHHH:MM:SS.SS", () => {
  for (const [milliseconds, want] of [
    [0, "0000:00:00.00"],
    [61_234, "0000:01:01.23"],
    [3_599_999, "0001:00:00.00"],
    [36e9 * 2, "9999:00:00.00"],
    [-5, "0000:00:00.00"],
  ])
    assert.equal(timespan(milliseconds), want);
});

test("a score only when every statement has been judged", () => {
  assert.equal(scoreOf({ right: 0, wrong: 0, open: 30 }), null);
  assert.equal(scoreOf({ right: 29, wrong: 0, open: 1 }), null);
  assert.equal(scoreOf({ right: 20, wrong: 10, open: 0 }), 66.67);
  assert.equal(scoreOf({ right: 0, wrong: 30, open: 0 }), 0);
  assert.equal(scoreOf({ right: 0, wrong: 0, open: 0 }), null);
});

describe("the platform", () => {
  const top = (own) => {
    const window = { opener: null, ...own };
    window.parent = window;
    return window;
  };

  test("is found in a frame above, or in the window that opened this one, and not across origins", () => {
    const API = {};
    assert.equal(findApi(top({ API })), API);
    assert.equal(findApi({ parent: { parent: top({ API }) }, opener: null }), API);
    assert.equal(findApi({ parent: top({}), opener: { parent: top({ API }) } }), API);
    assert.equal(findApi(top({})), null);
    const foreign = new Proxy({}, { get: () => assert.fail("SecurityError") });
    assert.equal(findApi({ parent: foreign, opener: foreign }), null);
    let deep = top({ API });
    for (let i = 0; i < 11; i++) deep = { parent: deep, opener: null };
    assert.equal(findApi(deep), null);
  });

  test("that refuses or throws is quoted, and nothing is thrown", () => {
    const refusing = new Platform({
      LMSSetValue: () => "false",
      LMSGetLastError: () => 403,
      LMSGetErrorString: (code) => `Element is read only (${code})`,
      LMSInitialize() {
        throw new Error("closed");
      },
      LMSCommit: () => true,
    });
    assert.equal(refusing.set("cmi.core.score.raw", "9"), false);
    assert.equal(refusing.fault, "LMSSetValue(cmi.core.score.raw): 403 Element is read only (403)");
    assert.equal(refusing.start(), false);
    assert.equal(refusing.fault, "LMSInitialize: Error: closed");
    assert.equal(refusing.get("cmi.suspend_data"), "");
    assert.equal(refusing.commit(), true);
    assert.equal(refusing.fault, "");
  });
});
