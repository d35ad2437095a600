/** Reads the handwritten digits (PROVENANCE.md) once they are inflated; pack_digits.py says how they lie. */

const PIXELS = 64;
const TRAINING = 1437;
export const VALIDATION = 360;
const IMAGES = TRAINING + VALIDATION;

export const DIGIT_CLASSES = 10;

/**
 * The images from `first` up to `end`, row-major, pixels from 0 to 1, and their digits.
 * @param {Uint8Array} packed
 * @param {number} first
 * @param {number} end
 */
function readImages(packed, first, end) {
  const x = new Float32Array((end - first) * PIXELS);
  for (let image = first; image < end; image++) {
    for (let pixel = 0; pixel < PIXELS; pixel++) x[(image - first) * PIXELS + pixel] = packed[pixel * IMAGES + image] / 16;
  }
  return { x, y: packed.slice(PIXELS * IMAGES + first, PIXELS * IMAGES + end) };
}

/**
 * @typedef {{ x: Float32Array, y: Uint8Array }} Images
 * @typedef {Images & { classes: number, validation: Images }} Digits
 */

/**
 * What createTrainer() takes.
 * @param {Uint8Array} packed digits.deflate, inflated
 * @returns {Digits}
 */
export function readDigits(packed) {
  if (packed.length !== (PIXELS + 1) * IMAGES) throw new Error(`the digits have ${packed.length} bytes`);
  return { ...readImages(packed, 0, TRAINING), classes: DIGIT_CLASSES, validation: readImages(packed, TRAINING, IMAGES) };
}
