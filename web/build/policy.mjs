/** The Content-Security-Policies that the page runs under. */

/** Of the hosted site, as a header. */
export const STRICT_CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'";

/**
 * Of the pages that others embed, as a header. In a sandboxed frame some engines hold 'self' against its opaque origin, so
 * the site's own stands beside it.
 * @param {string} origin "" where it is not known
 */
export const EMBED_CSP = (origin) =>
  origin === "" ? STRICT_CSP : STRICT_CSP.replace(/((?:script|style|img|font)-src 'self')/g, `$1 ${origin}`);

/** Which pages those are, below the root of the site. @param {string} path */
export const isEmbed = (path) => /^\/?embed(?:\.html|\/|$)/.test(path);

/** The handout to download brings its own. @param {string} path */
export const bringsPolicy = (path) => /^\/?gelu-handout\.html$/.test(path);

/**
 * For hosts that take a file of headers (Netlify, Cloudflare Pages). What holds for several paths is added up there, so no
 * path gets two policies.
 * @param {string} origin of the site, "" where it is not known
 */
export function headersFile(origin) {
  const block = (/** @type {string} */ path, /** @type {string[]} */ ...lines) =>
    `${path}\n${lines.map((line) => `  ${line}\n`).join("")}`;
  const policy = (/** @type {string} */ csp) => `Content-Security-Policy: ${csp}`;
  const embed = policy(EMBED_CSP(origin));
  return [
    ...(origin === "" ? ["# Embeds in WebKit need the site's own address: SITE_ORIGIN=https://… ./build.sh build\n"] : []),
    block("/*", "X-Content-Type-Options: nosniff", "Access-Control-Allow-Origin: *"),
    ...["/", "/index.html"].map((path) => block(path, policy(STRICT_CSP), "Cache-Control: no-cache")),
    ...["/embed", "/embed.html", "/embed/*"].map((path) => block(path, embed, "Cache-Control: no-cache")),
    block("/gelu-embed.js", "Cache-Control: public, max-age=3600"),
    block("/assets/*", "Cache-Control: public, max-age=31536000, immutable"),
  ].join("\n");
}

/**
 * Of a single file that carries its scripts and styles inside, as a meta element.
 * @param {string[]} scripts hashes
 * @param {string[]} styles hashes
 */
export const EMBEDDED_CSP = (scripts, styles) =>
  `default-src 'none'; script-src ${scripts.join(" ")} 'wasm-unsafe-eval'; style-src ${styles.join(" ")}; ` +
  "img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'";
