import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import puppeteer from "puppeteer-core";
import { createSiteServer, listen } from "../../web/build/serve.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const server = createSiteServer();
let browser;
let address;

before(async () => {
  address = `http://127.0.0.1:${await listen(server, 8600, "127.0.0.1")}/`;
  browser = await puppeteer.launch({
    executablePath: process.env.CHROME_PATH || "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
  });
});

after(async () => {
  await browser?.close();
  server.close();
  await once(server, "close");
});

test("the figures are drawn without a complaint", async () => {
  const page = await browser.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.waitForSelector('figure[data-figure="curves"][data-state="ready"]');
  assert.deepEqual(complaints, []);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.backend), "wasm-simd");
  await page.close();
});
