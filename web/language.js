/** Which of the two languages a reader gets. */

/**
 * The chosen language; with "auto", or nothing, the first of the reader's own that is one of ours, else English.
 * @param {string | null} choice
 * @param {readonly string[] | null | undefined} preferred as the browser lists them, if it does
 * @returns {"zh" | "en"}
 */
export function languageFor(choice, preferred) {
  if (choice === "zh" || choice === "en") return choice;
  const first = preferred?.find((tag) => /^(zh|en)\b/i.test(tag));
  return first !== undefined && /^zh/i.test(first) ? "zh" : "en";
}
