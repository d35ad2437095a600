/** Files compressed beside those of the site, for hosts that serve what lies there; what has not changed is not compressed again. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** @type {Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>} by the ending that the file gets */
const CODERS = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** By what header a server says which of them it sends, in the order in which it prefers them. */
export const ENCODINGS = { br: ".br", gzip: ".gz" };

/** A PDF is compressed inside, and the file of headers is for the host. */
const COMPRESSED = /\.(html|js|css|svg)$/;

/**
 * @param {string} folder with a slash at its end
 * @param {string} cache folder of what was compressed before, by the hash of its content
 */
export async function compressBeside(folder, cache) {
  await mkdir(cache, { recursive: true });
  const names = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSED.test(name));
  const known = new Set(await readdir(cache));
  const used = new Set();
  const write = async (/** @type {string} */ name) => {
    const bytes = await readFile(folder + name);
    const hash = createHash("sha256").update(bytes).digest("hex");
    for (const [ending, coder] of Object.entries(CODERS)) {
      const key = `${hash}.${ending}`;
      used.add(key);
      const packed = known.has(key) ? await readFile(cache + key) : await coder(bytes);
      if (!known.has(key)) {
        // Under its name only once it is whole: a build may be stopped at any time.
        await writeFile(`${cache}${key}.part`, packed);
        await rename(`${cache}${key}.part`, cache + key);
      }
      await writeFile(`${folder}${name}.${ending}`, packed);
    }
  };
  await Promise.all(names.map(write));
  for (const key of known) if (!used.has(key)) await rm(cache + key);
}
