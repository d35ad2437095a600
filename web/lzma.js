/** Undoes LZMA (the format of .lzma files, without its header), which makes the handout's scripts a fifth smaller than deflate. */

/** Bits of the byte before that choose how a literal is coded. web/build/fold.mjs packs with the same, and no position bits. */
export const LITERAL_CONTEXT = 2;

/** A probability is of a 0, in 2048ths, and learns a 32nd of what it was wrong by. */
const EVEN = 1024;

// Where the probabilities of each decision begin; the first six have one for each of the 12 states.
const [IS_MATCH, IS_REPEAT, IS_OLDER, IS_THIRD, IS_FOURTH, IS_LONG] = [0, 12, 24, 36, 48, 60];
const SLOTS = 72;
const NEAR = SLOTS + 4 * 64;
const LAST_BITS = NEAR + 115;
/** Two choices, then lengths of 3, 3 and 8 bits. */
const LENGTHS = LAST_BITS + 16;
const REPEAT_LENGTHS = LENGTHS + 2 + 8 + 8 + 256;
const LITERALS = REPEAT_LENGTHS + 2 + 8 + 8 + 256;
const LITERAL_SIZE = 0x300;

/**
 * @param {Uint8Array} packed
 * @param {number} size of what comes out
 */
export function unpackLzma(packed, size) {
  const out = new Uint8Array(size);
  const chances = new Uint16Array(LITERALS + (LITERAL_SIZE << LITERAL_CONTEXT)).fill(EVEN);
  // In an array: numbers as large are slow in variables that functions share.
  const coder = new Uint32Array(2);
  const RANGE = 0;
  const CODE = 1;
  coder[RANGE] = 2 ** 32 - 1;
  // The first byte is always 0.
  coder[CODE] = new DataView(packed.buffer, packed.byteOffset).getUint32(1);
  let read = 5;

  function fill() {
    if (coder[RANGE] >= 2 ** 24) return;
    coder[RANGE] <<= 8;
    coder[CODE] = (coder[CODE] << 8) | packed[read++];
  }

  /** @param {number} at */
  function bit(at) {
    const chance = chances[at];
    const bound = (coder[RANGE] >>> 11) * chance;
    const isOne = coder[CODE] >= bound;
    if (isOne) {
      coder[RANGE] -= bound;
      coder[CODE] -= bound;
      chances[at] -= chance >> 5;
    } else {
      coder[RANGE] = bound;
      chances[at] += (2048 - chance) >> 5;
    }
    fill();
    return isOne ? 1 : 0;
  }

  /** @param {number} at @param {number} bits the highest first */
  function number(at, bits) {
    let path = 1;
    for (let i = 0; i < bits; i++) path = 2 * path + bit(at + path);
    return path - (1 << bits);
  }

  /** @param {number} at @param {number} bits the lowest first */
  function reversed(at, bits) {
    let path = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const next = bit(at + path);
      path = 2 * path + next;
      value += next << i;
    }
    return value;
  }

  /** @param {number} bits as likely 0 as 1 */
  function plain(bits) {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      coder[RANGE] >>>= 1;
      const next = coder[CODE] >= coder[RANGE] ? 1 : 0;
      coder[CODE] -= next * coder[RANGE];
      value = 2 * value + next;
      fill();
    }
    return value;
  }

  /** @param {number} at */
  const length = (at) => {
    if (bit(at) === 0) return number(at + 2, 3);
    return bit(at + 1) === 0 ? 8 + number(at + 10, 3) : 16 + number(at + 18, 8);
  };

  /** @param {number} run */
  function newDistance(run) {
    const slot = number(SLOTS + 64 * Math.min(run, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const start = (2 + (slot & 1)) << bits;
    if (slot < 14) return start + reversed(NEAR + start - slot, bits);
    return start + 16 * plain(bits - 4) + reversed(LAST_BITS, 4);
  }

  /** @param {number} at @param {number | null} other the byte that a match would have given */
  function literal(at, other) {
    let path = 1;
    for (let i = 7; other !== null && i >= 0; i--) {
      const guess = (other >> i) & 1;
      const next = bit(at + 256 + 256 * guess + path);
      path = 2 * path + next;
      if (next !== guess) break;
    }
    while (path < 256) path = 2 * path + bit(at + path);
    return path;
  }

  let state = 0;
  /** The last four distances, less 1. */
  const distances = [0, 0, 0, 0];
  let n = 0;
  while (n < size) {
    const back = () => out[n - distances[0] - 1];
    if (bit(IS_MATCH + state) === 0) {
      const context = (n > 0 ? out[n - 1] : 0) >> (8 - LITERAL_CONTEXT);
      out[n] = literal(LITERALS + LITERAL_SIZE * context, state < 7 ? null : back());
      n++;
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    let run;
    if (bit(IS_REPEAT + state) === 0) {
      run = length(LENGTHS);
      distances.unshift(newDistance(run));
      distances.pop();
      state = state < 7 ? 7 : 10;
    } else {
      let which = 0;
      if (bit(IS_OLDER + state) === 1) which = bit(IS_THIRD + state) === 0 ? 1 : 2 + bit(IS_FOURTH + state);
      else if (bit(IS_LONG + state) === 0) {
        out[n] = back();
        n++;
        state = state < 7 ? 9 : 11;
        continue;
      }
      distances.unshift(...distances.splice(which, 1));
      run = length(REPEAT_LENGTHS);
      state = state < 7 ? 8 : 11;
    }
    for (const end = Math.min(size, n + run + 2); n < end; n++) out[n] = back();
  }
  return out;
}
