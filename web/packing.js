/** Bytes that the build has put into a script as a string: a character for each byte, 0 being a space. */

/** @param {string} text */
export const unpack = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0) - 32);
