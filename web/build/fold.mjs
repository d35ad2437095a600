/** Packs what the handout's scripts need as text, as small as it gets; web/unfold.js undoes it. */
import { execFileSync } from "node:child_process";
import { SEPARATOR, sumOf, toLetters } from "../letters.js";
import { LITERAL_CONTEXT, unpackLzma } from "../lzma.js";

/** Python is there where emcc is, and nearly always with lzma. */
const PYTHONS = [process.env.EMSDK_PYTHON ?? "python3", "python3", "/usr/bin/python3"];
const PROGRAM = `
import lzma, sys
coder = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": ${LITERAL_CONTEXT}, "lp": 0, "pb": 0, "depth": 1000}
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), lzma.FORMAT_RAW, filters=[coder]))
`;

/** @param {Uint8Array} bytes */
function packLzma(bytes) {
  let failure;
  for (const python of PYTHONS) {
    try {
      return execFileSync(python, ["-c", PROGRAM], { input: bytes, maxBuffer: 2 ** 26, stdio: "pipe" });
    } catch (error) {
      failure = error;
    }
  }
  throw new Error("the handout needs a python3 with lzma", { cause: failure });
}

/**
 * @param {string[]} texts
 * @returns {string} an element that holds them
 */
export function fold(texts) {
  if (texts.some((text) => text.includes(SEPARATOR))) throw new Error("a text of the handout holds the sign that parts them");
  const bytes = new TextEncoder().encode(texts.join(SEPARATOR));
  const packed = packLzma(bytes);
  if (!Buffer.from(unpackLzma(packed, bytes.length)).equals(bytes)) throw new Error("web/lzma.js does not undo Python's lzma");
  const attributes = `data-size="${bytes.length}" data-sum="${sumOf(bytes)}"`;
  return `<script type="text/plain" id="folded" ${attributes}>${toLetters(packed)}</script>`;
}
