/** Bytes that the build has put into a script as a string: a character for each byte, 249 being a space. */

/** @param {string} text the array takes what is less than 0 around to 255 */
export const unpack = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0) - 39);
