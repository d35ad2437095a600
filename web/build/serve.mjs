/** Serves dist/site, compressed, with the Content-Security-Policies of the hosted site, for a look and for the tests. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ENCODINGS } from "./compress.mjs";
import { bringsPolicy, EMBED_CSP, isEmbed, STRICT_CSP } from "./policy.mjs";

const SITE = fileURLToPath(new URL("../../dist/site", import.meta.url));

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".pdf": "application/pdf",
};

/**
 * The file that a request path names inside `root`, or null where it names none.
 * @param {string} root
 * @param {string} path
 */
async function findFile(root, path) {
  const file = normalize(join(root, path));
  if (file !== root && !file.startsWith(root + sep)) return null;
  const entry = await stat(file).catch(() => null);
  if (entry?.isDirectory()) return path.endsWith("/") ? findFile(root, join(path, "index.html")) : null;
  return entry?.isFile() ? file : null;
}

/**
 * What lies compressed beside a file, in the first form that the browser takes.
 * @param {string} file
 * @param {string} accepted its Accept-Encoding
 * @returns {Promise<{ path: string, encoding?: string }>}
 */
async function smallest(file, accepted) {
  const taken = new Set(
    accepted.split(",").flatMap((entry) => (/;\s*q=0(\.0*)?\s*$/.test(entry) ? [] : entry.split(";")[0].trim())),
  );
  const { mtimeMs } = await stat(file);
  for (const [encoding, ending] of Object.entries(ENCODINGS)) {
    if (!taken.has(encoding)) continue;
    const packed = await stat(file + ending).catch(() => null);
    // An older one is of a file that has been changed by hand.
    if (packed !== null && packed.mtimeMs >= mtimeMs) return { path: file + ending, encoding };
  }
  return { path: file };
}

/**
 * @param {string} path below the root of the site
 * @param {string} origin
 */
function policyFor(path, origin) {
  if (bringsPolicy(path)) return "";
  return isEmbed(path) ? EMBED_CSP(origin) : STRICT_CSP;
}

/**
 * A static server for `root` under the path `prefix`, with the strict policy on every answer, that of embeds on theirs.
 * @param {{ root?: string, prefix?: string, csp?: string | ((origin: string) => string), octets?: boolean }} [options] octets: what fetch() asks for comes
 *   without its type, as from hosts that do not know it
 */
export function createSiteServer({ root = SITE, prefix = "/", csp, octets = false } = {}) {
  return createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = path.startsWith(prefix) ? await findFile(root, path.slice(prefix.length - 1)) : null;
    const origin = `http://${request.headers.host}`;
    const policy = typeof csp === "function" ? csp(origin) : (csp ?? policyFor(path.slice(prefix.length), origin));
    if (policy !== "") response.setHeader("Content-Security-Policy", policy);
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Cache-Control", "no-cache");
    if (file === null) {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("404\n");
      return;
    }
    const isUntyped = octets && request.headers["sec-fetch-dest"] === "empty";
    const type = (!isUntyped && /** @type {Record<string, string>} */ (TYPES)[extname(file)]) || "application/octet-stream";
    const { path: sent, encoding } = await smallest(file, String(request.headers["accept-encoding"] ?? ""));
    response.writeHead(200, { "Content-Type": type, Vary: "Accept-Encoding", ...(encoding && { "Content-Encoding": encoding }) });
    createReadStream(sent).pipe(response);
  });
}

/**
 * Listens on `port`, or on the next free one.
 * @param {import("node:http").Server} server
 * @param {number} port
 * @param {string} [host]
 * @returns {Promise<number>}
 */
export function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE" && port < 65535) resolve(listen(server, port + 1, host));
      else reject(error);
    });
    server.listen(port, host, () => resolve(/** @type {import("node:net").AddressInfo} */ (server.address()).port));
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const wanted = process.env.PORT === undefined || process.env.PORT === "" ? 8080 : Number(process.env.PORT);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65535) {
    console.error(`PORT=${process.env.PORT} is not a port; allowed: 1 to 65535`);
    process.exit(2);
  }
  const port = await listen(createSiteServer(), wanted, "localhost");
  console.log(`GELU lesson: http://localhost:${port}/  (Ctrl-C stops)`);
}
