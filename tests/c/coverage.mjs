/** Which lines of c_src the cmocka programs ran: those of the build `coverage`, after they have run (gcov). */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = "build/native/coverage";

/** Share of lines that must have run. */
export const FLOOR = 0.98;

/** What ran before does not count. */
export const COUNTS = /\.gcda$/;

/**
 * How often each line ran, by file: the sum over the places where a header is used.
 * @returns {Map<string, Map<number, number>>}
 */
function readCounts() {
  const objects = readdirSync("c_src")
    .filter((name) => name.endsWith(".c"))
    .map((name) => `${FOLDER}/${name.replace(/\.c$/, ".gcno")}`);
  // One document a line; gcov writes nothing to files with --stdout.
  const documents = execFileSync("gcov", ["--json-format", "--stdout", ...objects], { maxBuffer: 2 ** 28, encoding: "utf8" });
  /** @type {Map<string, Map<number, number>>} */
  const files = new Map();
  for (const document of documents.trim().split("\n")) {
    for (const { file, lines } of JSON.parse(document).files) {
      if (!file.startsWith("c_src/")) continue;
      const counts = files.get(file) ?? new Map();
      files.set(file, counts);
      for (const { line_number: line, count } of lines) counts.set(line, (counts.get(line) ?? 0) + count);
    }
  }
  return files;
}

/** Prints each file's share and every line that never ran. Answers the share of all of them. */
export function report() {
  let all = 0;
  let ran = 0;
  for (const [file, counts] of [...readCounts()].sort()) {
    const missed = [...counts].filter(([, count]) => count === 0).map(([line]) => line);
    all += counts.size;
    ran += counts.size - missed.length;
    console.log(`# ${file.padEnd(28)} ${counts.size - missed.length} of ${counts.size} lines`);
    const text = missed.length > 0 ? readFileSync(file, "utf8").split("\n") : [];
    for (const line of missed.sort((a, b) => a - b)) console.log(`#   not run: ${file}:${line} ${text[line - 1].trim()}`);
  }
  console.log(`# c_src: ${ran} of ${all} lines, ${((100 * ran) / all).toFixed(2)} %`);
  return ran / all;
}
