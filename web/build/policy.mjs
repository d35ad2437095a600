/** The Content-Security-Policies that the page runs under. */

/** Of the hosted site, as a header. */
export const STRICT_CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * Of a single file that carries its scripts and styles inside, as a meta element.
 * @param {string[]} scripts hashes
 * @param {string[]} styles hashes
 */
export const EMBEDDED_CSP = (scripts, styles) =>
  `default-src 'none'; script-src ${scripts.join(" ")} 'wasm-unsafe-eval'; style-src ${styles.join(" ")}; ` +
  "img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; form-action 'none'";
