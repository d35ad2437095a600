/**
 * Bytes as text that is safe inside a script element of a page in UTF-8: seven bits as a character of one byte, printable and
 * not "<", and for a quarter of the patterns twelve or thirteen bits as one of two bytes. 1.19 bytes a byte; base64 has 1.33.
 */

/** Between several texts in one. */
export const SEPARATOR = "\f";

/** What a file that came damaged has another of. @param {Uint8Array} bytes */
export const sumOf = (bytes) => bytes.reduce((sum, byte) => (31 * sum + byte) >>> 0, 0);

/** Characters of one byte, from the space on. */
const SHORT = 94;
const LESS_THAN = 60;
/** First pattern of seven bits that five more follow and not six, so that 34 patterns fill U+00A0 to U+07FF. */
const FIVE_MORE = 119;
const LONG_START = 0xa0;
const WITH_SIX = (FIVE_MORE - SHORT) << 6;

/** @param {string} text from toLetters */
export function fromLetters(text) {
  const bytes = new Uint8Array(Math.floor((13 * text.length) / 8));
  let [held, bits, n] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const long = code - LONG_START;
    const size = long < 0 ? 7 : long < WITH_SIX ? 13 : 12;
    const value =
      size === 7 ? code - 32 - Number(code > LESS_THAN) : size === 13 ? (SHORT << 6) + long : (FIVE_MORE << 5) + long - WITH_SIX;
    held = ((held << size) | value) & 0xfffff;
    for (bits += size; bits >= 8; ) {
      bits -= 8;
      bytes[n++] = held >> bits;
    }
  }
  return bytes;
}

/** @param {Uint8Array} bytes @returns {string} what fromLetters makes the bytes of, with a few zeros after them */
export function toLetters(bytes) {
  let [held, bits, n] = [0, 0, 0];
  const take = (/** @type {number} */ count) => {
    for (; bits < count; bits += 8) held = ((held << 8) | (bytes[n++] ?? 0)) & 0xffffff;
    bits -= count;
    return (held >> bits) & ((1 << count) - 1);
  };
  const codes = [];
  while (n < bytes.length || bits > 0) {
    const first = take(7);
    if (first < SHORT) codes.push(32 + first + Number(32 + first >= LESS_THAN));
    else if (first < FIVE_MORE) codes.push(LONG_START + ((first - SHORT) << 6) + take(6));
    else codes.push(LONG_START + WITH_SIX + ((first - FIVE_MORE) << 5) + take(5));
  }
  return codes.map((code) => String.fromCharCode(code)).join("");
}
