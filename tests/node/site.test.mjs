/** dist/site, dist/lib and dist/handout as files: what they hold, what they must not, and how large they are. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { get } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { EMBED_CSP, headersFile, STRICT_CSP } from "../../web/build/policy.mjs";
import { createSiteServer, listen } from "../../web/build/serve.mjs";
import { models } from "../../web/content/models.js";
import { figures } from "../../web/figures/index.js";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));

/** Another build may be rewriting dist at this moment: a file that is missing is looked for again, for a while. */
async function patiently(read) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (error.code !== "ENOENT" || attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

const site = await patiently(async () => {
  const names = (await readdir(`${DIST}site`, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(`${DIST}site/`.length));
  const files = await Promise.all(names.map(async (name) => [name, await readFile(`${DIST}site/${name}`)]));
  return new Map(files);
});
const text = (name) => site.get(name).toString("utf8");
const html = text("index.html");
const handout = await patiently(() => readFile(`${DIST}handout/gelu-handout.html`, "utf8"));
const scorm = unzipSync(await patiently(() => readFile(`${DIST}scorm/gelu-lab-scorm12.zip`)));
const scormPage = Buffer.from(scorm["index.html"]).toString("utf8");
const named = (pattern) => [...site.keys()].filter((name) => pattern.test(name));
const sizes = (...buffers) => ({
  raw: buffers.reduce((sum, buffer) => sum + buffer.length, 0),
  brotli: buffers.reduce((sum, buffer) => sum + brotliCompressSync(buffer).length, 0),
});
const show = (label, { raw, brotli }) => console.log(`${label}: ${raw} bytes, ${brotli} with brotli`);

/** What a browser loads by itself, as written in the page. Links are for the reader to follow. */
function loaded(page) {
  const tags = page.replace(/<(script|style)\b([^>]*)>[\s\S]*?<\/\1>/g, "<$1$2>");
  const found = [];
  for (const [tag, name] of tags.matchAll(/<([a-z]+)\b[^>]*>/g)) {
    if (name === "a") continue;
    for (const [, attribute, value] of tag.matchAll(
      /\s(src|srcset|href|data|poster|action|formaction|background|xlink:href)="([^"]*)"/g,
    )) {
      found.push({ tag: name, attribute, value });
    }
  }
  return found;
}

/**
 * The page's picture of a figure, which those further down have in a file that is theirs by its name and its title.
 * @param {string} figure
 * @param {boolean} isApart
 */
function drawnIn(figure, isApart) {
  const id = figure.match(/ id="([\w-]+)"/)[1];
  if (!isApart || FIRST_PICTURES.includes(id)) {
    assert.doesNotMatch(figure, /<img/, id);
    return figure;
  }
  assert.doesNotMatch(figure, /<svg/, id);
  const [, file, title] = figure.match(/<img src="(assets\/[^"]*)" alt="([^"]+)" width="\d+" height="\d+" loading="lazy"/) ?? [];
  assert.match(file ?? "", new RegExp(`^assets/picture-${id}-\\w{10}\\.svg$`));
  assert.ok(text(file).includes(` aria-label="${title}">`), `${file} is not "${title}"`);
  return text(file);
}

/** They stand in the page itself. */
const FIRST_PICTURES = ["hero-curves", "definition-admission"];

describe("the page", () => {
  test("loads what exists, by relative paths, from nowhere else", () => {
    const resources = loaded(html);
    assert.ok(resources.length >= 3);
    for (const { tag, attribute, value } of resources) {
      const label = `<${tag} ${attribute}="${value.slice(0, 80)}">`;
      if (value.startsWith("data:") || value.startsWith("#")) continue;
      assert.doesNotMatch(value, /^(\/|[a-z][a-z0-9+.-]*:)/i, `${label} is not relative`);
      assert.ok(site.has(value.replace(/#\w+$/, "")), `${label} names no file`);
    }
  });

  test("no style sheet loads from elsewhere, or at all", () => {
    for (const name of named(/\.css$/)) {
      const css = text(name);
      assert.doesNotMatch(css, /@import/, name);
      for (const [, , url] of css.matchAll(/url\((["']?)(.*?)\1\)/g))
        assert.match(url, /^(data:|#)/, `${name}: ${url.slice(0, 80)}`);
    }
  });

  const sources = new Set(models.map(({ source }) => source.url));

  test("no script names a host, an absolute path, or asks for a module", () => {
    for (const name of named(/\.js$/)) {
      const js = text(name);
      // Namespaces of XML are names, not addresses; the sources of the models are links for the reader to follow.
      const hosts = [...js.matchAll(/https?:\/\/[^\s"'`)\\]+/g)]
        .map((match) => match[0])
        .filter((url) => !url.startsWith("http://www.w3.org/") && !sources.has(url));
      assert.deepEqual(hosts, [], name);
      assert.doesNotMatch(js, /["'`]\/(?:assets|site|lib)\b/, name);
      assert.doesNotMatch(js, /\beval\(|new Function\(/, name);
    }
    assert.doesNotMatch(html, /type="module"/);
  });

  test("every file but the page itself and its headers is named by a hash", () => {
    for (const name of site.keys()) {
      if (name.startsWith("assets/")) assert.match(name, /-[0-9a-f]{10}\.(css|js|svg)(\.br|\.gz)?$/);
    }
  });

  test("has no inline script, style, handler or javascript: address, which its policy would refuse", () => {
    for (const [tag, content] of html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)) {
      assert.match(tag, /\ssrc="/);
      assert.equal(content, "");
    }
    assert.doesNotMatch(html, /<style\b/);
    const tags = html.match(/<[a-z][^>]*>/g);
    for (const tag of tags) {
      assert.doesNotMatch(tag, /\sstyle=/, tag.slice(0, 100));
      assert.doesNotMatch(tag, /\son[a-z]+=/, tag.slice(0, 100));
      assert.doesNotMatch(tag, /javascript:/i, tag.slice(0, 100));
    }
  });

  test("is the page, not its source", () => {
    for (const page of [html, handout]) {
      assert.doesNotMatch(page, /This is the source|这是网页的源文件|build\.sh serve/);
      assert.doesNotMatch(page, /<!--\s*(build|source|\/source)/);
      assert.match(page, /<html lang="zh-CN"/);
      assert.match(page, /<meta name="description" content="[^"]{20,}"/);
    }
    assert.match(html, /\d+\.\d+\.\d+ \((?:[0-9a-f]{7,}|unknown)\)/);
  });

  test("the source, opened as it is, says so in both languages", async () => {
    const source = await readFile(new URL("../../index.html", import.meta.url), "utf8");
    const note = source.match(/<!-- source -->([\s\S]*?)<!-- \/source -->/)?.[1] ?? "";
    assert.match(note, /source[\s\S]*\.\/build\.sh serve/);
    assert.match(note, /lang="zh-CN"[\s\S]*\.\/build\.sh serve/);
  });

  test("has both languages in every section, the Chinese first, a figure once with its picture and its table", () => {
    for (const [label, page] of [
      ["site", html],
      ["handout", handout],
    ]) {
      const sections = [...page.matchAll(/<section class="sec" id="(\w+)">([\s\S]*?)<\/section>/g)];
      assert.ok(sections.length >= 4, `${label}: ${sections.length} sections`);
      for (const [, id, content] of sections) {
        const languages = [...content.matchAll(/<div class="block" lang="([\w-]+)">/g)].map((match) => match[1]);
        assert.ok(languages.length >= 2 && languages.length % 2 === 0, `${label} #${id}`);
        assert.ok(
          languages.every((language, i) => language === (i % 2 === 0 ? "zh-CN" : "en")),
          `${label} #${id}: ${languages}`,
        );
        assert.equal([...content.matchAll(/role="status"/g)].length, 1, `${label} #${id}: status line`);
        const figures = [...content.matchAll(/<figure [^>]*data-figure="(\w+)"[\s\S]*?<\/figure>/g)];
        for (const [figure, name] of figures) {
          assert.match(figure, /data-state="loading"/, `${label} #${id} ${name}`);
          // A table is a picture of itself.
          if (!figure.includes('data-kind="panel"'))
            assert.match(
              drawnIn(figure, label === "site"),
              /<svg [\s\S]*<path class="curve"/,
              `${label} #${id} ${name}: picture`,
            );
          assert.ok((figure.match(/<tr>|<li class="statement">|<details/g) ?? []).length > 7, `${label} #${id} ${name}: table`);
        }
      }
    }
  });

  test("the pictures have their words, in both languages, and x by its name", () => {
    const pictureOf = (name) => /<div class="picture-wide">([\s\S]*?)<\/svg>/.exec(text(`embed/${name}.html`))?.[1] ?? "";
    // Those in a file of their own have letters of any font.
    const filesOf = (name) => named(new RegExp(`^assets/picture-\\w+-${name}-\\w{10}\\.svg$`)).map(text);
    const words = (picture) =>
      [...picture.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, content]) =>
        content.replace(/<tspan lang="en"[^>]*> ?/, "|").replace(/<[^>]*>/g, ""),
      );
    const wanted = {
      gates: ["阶跃|step", "𝑥 = −1.00"],
      admission: ["比 𝑥 低的人|score below 𝑥", "比 𝑥 高|above 𝑥", "分数|Score", "胜过的比例|share beaten", "放行|let through"],
      coin: ["200 次的平均|mean of 200", "𝑥 = −1.00"],
      errors: ["sigmoid 式|sigmoid form", "tanh 式|tanh form", "所说的上限|claimed bound"],
      precision: ["恰好是 0|exactly 0"],
      dead: ["轮次 4|Epoch 4", "偏置 −4|biases −4", "轮|epochs"],
      depth: ["层 24|Layer 24"],
      race: ["轮次 20|Epoch 20"],
      curves: ["𝑥 = −1.00"],
      fit: ["𝑥 = −1.00"],
      gradients: ["𝑥 = −1.00"],
      ffn: ["𝑥 = −1.00"],
    };
    for (const [name, each] of Object.entries(wanted)) {
      const found = words(pictureOf(name));
      for (const word of each) assert.ok(found.includes(word), `${name}: no "${word}" in ${found.join(", ")}`);
      for (const word of found) {
        assert.doesNotMatch(word, /^ *= |gelu_|leaky_/, name);
        assert.ok(![...word].some((sign) => sign < " "), `${name}: a sign that is none in "${word}"`);
      }
      const files = filesOf(name);
      assert.equal(files.length, { admission: 0, gates: 2, curves: 2 }[name] ?? 1, `${name}: files`);
      for (const file of files.map(words))
        for (const word of each) {
          const plain = word.replaceAll("𝑥", "x");
          assert.ok(file.includes(plain), `${name}: no "${plain}" in the file with ${file.join(", ")}`);
        }
    }
  });

  test("no id occurs twice, and every link to a place has one", () => {
    for (const page of [html, handout]) {
      const ids = [...page.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, "").matchAll(/\sid="([^"]+)"/g)].map(
        (match) => match[1],
      );
      assert.deepEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        [],
      );
      for (const [, place] of page.matchAll(/<a [^>]*href="#([^"]+)"/g)) assert.ok(ids.includes(place), `#${place}`);
    }
  });

  test("links to sources go by https, others to files that are there", () => {
    for (const [, address] of html.matchAll(/<a [^>]*href="([^"#][^"]*)"/g))
      if (!site.has(address)) assert.match(address, /^(https:\/\/|\?)/, address);
  });

  test("has the handout to download, the file and in each language its PDF, with their sizes; nothing else has the line", () => {
    const line = html.match(/<p class="downloads">.*<\/p>/)?.[0] ?? "";
    for (const [language, pdf] of [
      ["zh-CN", "gelu-handout.zh.pdf"],
      ["en", "gelu-handout.en.pdf"],
    ]) {
      const words = line.match(new RegExp(`<span lang="${language}">(.*?)</span>`))?.[1] ?? "";
      const links = [...words.matchAll(/<a href="([^"]+)" download>[^<]+<\/a>[ （(]+([\d.]+)\u00a0MB/g)];
      assert.deepEqual(
        links.map(([, name]) => name),
        ["gelu-handout.html", pdf],
        language,
      );
      for (const [, name, size] of links) assert.ok(Math.abs(site.get(name).length / 1e6 - Number(size)) <= 0.05, name);
    }
    assert.equal(site.get("gelu-handout.html").toString("utf8"), handout);
    for (const name of named(/^gelu-handout\..*\.pdf$/)) assert.equal(site.get(name).toString("latin1", 0, 5), "%PDF-", name);
    assert.deepEqual(
      Object.keys(scorm).filter((name) => /handout|\.(pdf|br|gz)$/.test(name)),
      [],
    );
    for (const other of [handout, scormPage, ...named(/^embed.*\.html$/).map(text)])
      assert.doesNotMatch(other, /downloads|\.pdf/);
  });
});

describe("beside each file", () => {
  test("that a browser asks for lies what it is compressed, with brotli and gzip, and smaller", () => {
    const packable = named(/\.(html|js|css|svg)$/);
    assert.ok(packable.length > 25, String(packable.length));
    for (const name of packable) {
      for (const [ending, inflate] of [
        [".br", brotliDecompressSync],
        [".gz", gunzipSync],
      ]) {
        const packed = site.get(name + ending);
        assert.ok(packed, `${name}${ending} is missing`);
        assert.ok(inflate(packed).equals(site.get(name)), `${name}${ending} is of something else`);
        assert.ok(packed.length < site.get(name).length, `${name}${ending} is no smaller`);
      }
    }
    const sources = named(/\.(br|gz)$/).map((name) => name.slice(0, -3));
    assert.deepEqual([...new Set(sources)].sort(), packable.sort());
  });

  test("brotli's is as small as brotli makes it", () => {
    for (const name of named(/\.br$/))
      assert.ok(site.get(name).length <= brotliCompressSync(site.get(name.slice(0, -3))).length, name);
  });
});

describe("the server", () => {
  /** @type {import("node:http").Server} */
  let server;
  let port = 0;
  before(async () => {
    server = createSiteServer();
    port = await listen(server, 12_700, "127.0.0.1");
  });
  after(() => server.close());

  /** fetch() inflates by itself. */
  const ask = (path, accepted) =>
    new Promise((resolve, reject) => {
      const headers = accepted === undefined ? {} : { "Accept-Encoding": accepted };
      get({ host: "127.0.0.1", port, path, headers }, async (response) => {
        const parts = [];
        for await (const part of response) parts.push(part);
        resolve({ headers: response.headers, body: Buffer.concat(parts) });
      }).on("error", reject);
    });

  test("sends what the browser can inflate, and says so", async () => {
    for (const [accepted, encoding, ending] of [
      [undefined, undefined, ""],
      ["identity", undefined, ""],
      ["gzip, deflate", "gzip", ".gz"],
      ["gzip, deflate, br, zstd", "br", ".br"],
      ["gzip;q=0.5, br;q=0", "gzip", ".gz"],
    ]) {
      const { headers, body } = await ask("/", accepted);
      assert.equal(headers["content-encoding"], encoding, accepted);
      assert.equal(headers["content-type"], "text/html; charset=utf-8");
      assert.equal(headers.vary, "Accept-Encoding");
      assert.ok(body.equals(site.get(`index.html${ending}`)), accepted);
    }
  });

  test("sends no policy with the handout, which brings one that allows what it carries", async () => {
    assert.equal((await ask("/gelu-handout.html")).headers["content-security-policy"], undefined);
    assert.match((await ask("/index.html")).headers["content-security-policy"], /default-src 'none'/);
  });
});

describe("the pages for embedding", () => {
  const pages = named(/^embed(\/[\w-]+)?\.html$/);

  test("one for each figure of the page in each of its forms, and one that leads there and names them all", () => {
    const plain = [...new Set([...html.matchAll(/data-figure="(\w+)"/g)].map((match) => match[1]))];
    const names = [...plain, "curves-simple", "curves-compact", "gates-plain"];
    assert.equal(names.length, html.match(/data-figure="/g).length);
    assert.deepEqual(pages.sort(), ["embed.html", ...names.map((name) => `embed/${name}.html`)].sort());
    for (const name of names) assert.match(text("embed.html"), new RegExp(`href="embed/${name}\\.html"`));
  });

  test("load the page's own scripts and sheets, and less than 12 kB beside them", () => {
    const own = html.match(/assets\/[\w-]+\.(js|css)/g);
    for (const page of pages.filter((name) => name !== "embed.html")) {
      const resources = loaded(text(page)).filter(({ value }) => !value.startsWith("data:") && !value.startsWith("#"));
      let extra = 0;
      for (const { tag, attribute, value } of resources) {
        assert.match(value, /^\.\.\/assets\//, `${page}: <${tag} ${attribute}="${value}">`);
        const name = value.replace("../", "");
        assert.ok(site.has(name), `${page}: ${name} is no file`);
        if (!own.includes(name)) extra += site.get(name).length;
      }
      for (const [, value] of text(page).matchAll(/ data-\w+="\.\.\/(assets[^"]*)"/g))
        assert.ok(site.has(value), `${page}: ${value}`);
      assert.match(text(page), /src="\.\.\/assets\/page-[0-9a-f]+\.js"/);
      assert.ok(extra < 12_000, `${page}: ${extra} bytes of its own`);
    }
  });

  test("have nothing inline, and no id twice", () => {
    for (const page of pages) {
      for (const [tag, content] of text(page).matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)) {
        assert.match(tag, /\ssrc="/, page);
        assert.equal(content, "", page);
      }
      assert.doesNotMatch(text(page), /<style\b|\sstyle=|\son[a-z]+=|javascript:/, page);
      const ids = [...text(page).matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
      assert.equal(new Set(ids).size, ids.length, page);
    }
  });

  test("have a policy of their own in _headers, no page two, and scripts for sandboxed frames are open to all origins", () => {
    const blocks = text("_headers")
      .split("\n\n")
      .map((block) => block.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
    const rules = Object.fromEntries(
      blocks.filter((block) => block.length > 0).map(([path, ...lines]) => [path, lines.join("\n")]),
    );
    assert.match(rules["/*"], /Access-Control-Allow-Origin: \*/);
    assert.doesNotMatch(rules["/*"], /Content-Security-Policy/);
    for (const path of ["/", "/index.html", "/embed.html", "/embed/*"])
      assert.match(rules[path], /Security-Policy: default-src 'none'/, path);
    assert.match(
      headersFile("https://gelu.example"),
      /\/embed\/\*\n[^\n]*script-src 'self' https:\/\/gelu\.example 'wasm-unsafe-eval'/,
    );
    assert.doesNotMatch(headersFile("https://gelu.example").split("/embed")[0], /gelu\.example/);
  });
});

describe("the handout", () => {
  test("is one file: nothing in it is loaded from anywhere", () => {
    for (const { tag, attribute, value } of loaded(handout))
      assert.match(value, /^(data:|#)/, `<${tag} ${attribute}="${value.slice(0, 80)}">`);
    assert.doesNotMatch(handout, /@import/);
    for (const [, , url] of handout.matchAll(/[:,\s]url\((["']?)(.*?)\1\)/g)) assert.match(url, /^(data:|#)/, url.slice(0, 80));
  });

  test("has a policy that allows what it carries by hash, and nothing inline beside", () => {
    const policy = handout.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/)?.[1] ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
    assert.ok(
      handout.indexOf("Content-Security-Policy") < handout.indexOf("<script"),
      "the policy comes before the first script",
    );
  });
});

describe("what the project's README says of the site", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

  test("lists every figure, with the keys that it has", () => {
    const rows = [...readme.matchAll(/^\| `(\w+)` \| [^|]+ \| (.*) \|$/gm)];
    const listed = Object.fromEntries(rows.map(([, name, keys]) => [name, keys.replaceAll("`", "").split(" ").sort()]));
    /** @type {Record<string, string[]>} */
    const wanted = {};
    for (const { name, parameters } of figures)
      wanted[name] = [...(wanted[name] ?? []), ...parameters.map((each) => each.name)].sort();
    assert.deepEqual(listed, wanted);
  });

  test("has the two policies as _headers has them", () => {
    for (const policy of [STRICT_CSP, EMBED_CSP("https://your.site")]) assert.ok(readme.includes(`"${policy}"`), policy);
  });

  test("counts the sections that a learning platform counts", () => {
    const sections = [...html.matchAll(/<section class="sec" id="(\w+)"/g)].map(([, id]) => id);
    assert.match(readme, new RegExp(`completed when ${sections.filter((id) => id !== "lecture").length} have been visited`));
  });
});

describe("sizes", () => {
  const assets = named(/^assets\/.*\.(css|js)$/);
  const font = assets.filter((name) => name.includes("font"));
  const onDemand = assets.filter((name) => /\/(tools|pressed|networks|digits|fallback)-/.test(name));
  const embed = assets.filter((name) => /\/embed-/.test(name));
  const later = assets.filter((name) => /\/later-/.test(name));
  const first = assets.filter((name) => ![...font, ...onDemand, ...later, ...embed].includes(name));
  const firstVisit = ["index.html", ...first].map((name) => site.get(name));

  test("the first visit, a page, a style sheet and a script without the font, is at most 165 kB with brotli", () => {
    // The few bytes in the head that set the language are a script of their own.
    assert.deepEqual(first.map((name) => name.replace(/-[0-9a-f]{10}/, "")).sort(), [
      "assets/head.js",
      "assets/page.css",
      "assets/page.js",
    ]);
    assert.equal(later.length, 2);
    assert.equal(onDemand.length, 5);
    for (const name of ["index.html", ...assets]) show(name, sizes(site.get(name)));
    const total = sizes(...firstVisit);
    show("first visit: HTML, styles and scripts", total);
    assert.ok(total.brotli <= 165_000, String(total.brotli));
  });

  test("all that loads without a click is at most 250 kB with brotli", () => {
    const total = sizes(...firstVisit, ...[...font, ...later].map((name) => site.get(name)));
    show("with the font and the later figures", total);
    assert.equal(font.length, 1);
    assert.ok(total.brotli <= 250_000, String(total.brotli));
  });

  test("the library is at most 38.1 kB with brotli: the 26 kB of the design are not reached", async () => {
    const parts = await patiently(() => Promise.all(["gelu.js", "gelu.wasm"].map((name) => readFile(`${DIST}lib/${name}`))));
    show("gelu.js", sizes(parts[0]));
    show("gelu.wasm", sizes(parts[1]));
    const total = sizes(...parts);
    show("library", total);
    assert.ok(total.brotli <= 38_100, `${total.brotli} bytes`);
  });

  test("the handout is at most 900 kB raw", () => {
    show("handout", sizes(Buffer.from(handout)));
    assert.ok(Buffer.byteLength(handout) <= 900_000);
  });
});

describe("the library's folder", () => {
  test("is a package that resolves by its name, with types, a README and vectors as CSV", async () => {
    const names = await patiently(() => readdir(`${DIST}lib`));
    for (const name of ["gelu.js", "gelu.wasm", "gelu.d.ts", "package.json", "README.md", "vectors"])
      assert.ok(names.includes(name), name);
    const manifest = JSON.parse(await readFile(`${DIST}lib/package.json`, "utf8"));
    assert.equal(manifest.name, "gelu-lab");
    assert.equal(manifest.type, "module");
    for (const target of [manifest.exports["."].default, manifest.exports["."].types, manifest.exports["./gelu.wasm"]]) {
      assert.ok(names.includes(target.slice(2)), target);
    }
    const csv = await patiently(() => readFile(`${DIST}lib/vectors/gelu.csv`, "utf8"));
    const [header, ...lines] = csv.trimEnd().split("\n");
    const columns = header.split(",").length;
    assert.ok(columns >= 5, `the header is ${JSON.stringify(header)}`);
    assert.ok(lines.length > 2000);
    for (const line of lines) assert.equal(line.split(",").length, columns, line);
  });
});
