/** One window of WebKitGTK behind WebKitWebDriver: its processes, the commands of WebDriver, and what the window reports. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const WINDOW = fileURLToPath(new URL("webkit.py", import.meta.url));
// Debian's, which has the bindings, whatever comes first on PATH.
const PYTHON = "/usr/bin/python3";

export const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What WebDriver answers when it could not do what was asked; `code` is its word for it. */
export class WebDriverError extends Error {
  /** @param {{ error: string, message: string }} value */
  constructor({ error, message }) {
    super(message || error);
    this.code = error;
  }
}

/** A screen of its own, so that the tests need none. */
export async function startScreen() {
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "4096x3072x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [number] = await Promise.race([once(/** @type {any} */ (screen.stdio[3]), "data"), failed(screen, "Xvfb")]);
  return { display: `:${String(number).trim()}`, stop: () => stop(screen) };
}

/** @param {import("node:child_process").ChildProcess} child @param {string} name @returns {Promise<never>} */
async function failed(child, name) {
  const [reason] = await Promise.race([once(child, "exit"), once(child, "error").then(([error]) => [error.message])]);
  throw new Error(`${name} did not start: ${reason}`);
}

/** @param {import("node:child_process").ChildProcess} child */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

export class Session {
  /** @type {(event: Record<string, any>) => void} */
  onEvent = () => {};
  /** @type {(line: string) => void} what the web process writes to its standard error, the console among it */
  onLine = () => {};
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** @type {Map<number, (answer: { error?: string }) => void>} */
  #asked = new Map();
  #count = 0;
  #port = 0;
  #path = "";
  #folder = "";
  /** @type {import("node:net").Socket | undefined} */
  #window;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #driver;
  /** @type {import("node:net").Server | undefined} */
  #server;

  /** @param {{ display: string, width: number, height: number, scale: number, scrollbars: boolean }} options */
  async start({ display, width, height, scale, scrollbars }) {
    this.#folder = await mkdtemp(join(tmpdir(), "webkit-"));
    const socket = join(this.#folder, "socket");
    this.#server = createServer().listen(socket);
    const connected = once(this.#server, "connection").then(([window]) => this.#listen(window));
    this.#port = await freePort();
    this.#driver = spawn("WebKitWebDriver", [`--port=${this.#port}`], {
      // The window takes its theme from no file of the machine.
      env: { ...process.env, DISPLAY: display, GDK_SCALE: String(scale), GDK_BACKEND: "x11", XDG_CONFIG_HOME: this.#folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    /** @type {string[]} */
    const lines = [];
    createInterface({ input: /** @type {any} */ (this.#driver.stderr) }).on("line", (line) => {
      if (this.#path === "") lines.push(line);
      this.onLine(line);
    });
    const args = [WINDOW, socket, this.#folder, `${width}`, `${height}`, scrollbars ? "0" : "1"];
    const alwaysMatch = { unhandledPromptBehavior: "dismiss", "webkitgtk:browserOptions": { binary: PYTHON, args } };
    const opened = this.#answering().then(() => this.#send("POST", "/session", { capabilities: { alwaysMatch } }));
    const { sessionId } = await Promise.race([opened, failed(this.#driver, "WebKitWebDriver"), this.#late(lines)]);
    this.#path = `/session/${sessionId}`;
    await connected;
  }

  /** WebDriver waits on when the window could not open. @param {string[]} lines what was written instead @returns {Promise<never>} */
  async #late(lines) {
    await new Promise((resolve) => setTimeout(resolve, 30_000).unref());
    if (this.#path !== "") return new Promise(() => {});
    throw new Error(`WebKitGTK opened no window:\n${lines.join("\n")}`);
  }

  async #answering() {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#send("GET", "/status");
      } catch (error) {
        if (tries > 200) throw error;
        await pause(20);
      }
    }
  }

  #listen(/** @type {import("node:net").Socket} */ window) {
    this.#window = window;
    window.on("error", () => {});
    createInterface({ input: window }).on("line", (line) => {
      const { id, ...message } = JSON.parse(line);
      if (id === undefined) this.onEvent(message);
      else this.#asked.get(id)?.(message);
    });
  }

  /** A command of WebDriver. @param {string} method @param {string} path @param {object} [body] */
  async send(method, path, body) {
    const value = await this.#send(method, this.#path + path, body);
    // What was written meanwhile is on its way through pipes.
    for (let i = 0; i < 2; i++) await new Promise(setImmediate);
    return value;
  }

  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
  async #send(method, path, body) {
    const text = body === undefined ? (method === "POST" ? "{}" : "") : JSON.stringify(body);
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
    const asked = request({ host: "127.0.0.1", port: this.#port, path, method, agent: this.#agent, headers });
    asked.end(text);
    const [response] = await once(asked, "response");
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    const { value } = JSON.parse(Buffer.concat(chunks).toString());
    if (response.statusCode !== 200) throw new WebDriverError(value);
    return value;
  }

  /** What only the window itself can do. @param {string} call @param {...unknown} args */
  async tell(call, ...args) {
    const id = ++this.#count;
    const answered = new Promise((resolve) => this.#asked.set(id, resolve));
    this.#window?.write(`${JSON.stringify({ id, call, args })}\n`);
    const { error } = await answered;
    this.#asked.delete(id);
    if (error !== undefined) throw new Error(`${call}: ${error}`);
  }

  async close() {
    if (this.#path !== "") await this.#send("DELETE", this.#path).catch(() => {});
    this.#window?.destroy();
    this.#server?.close();
    this.#agent.destroy();
    if (this.#driver) await stop(this.#driver);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
