/** Reads PDF files, with the programs of poppler-utils. */
import { execFileSync } from "node:child_process";

/**
 * @param {string} program
 * @param {...string} args
 * @returns {string} what it prints
 */
export const poppler = (program, ...args) => execFileSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 27 });
