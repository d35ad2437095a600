/** The whole programs in a README: fenced code with a file's name behind the language. */

/** @param {string} markdown @returns {Map<string, string>} by file name */
export const programs = (markdown) =>
  new Map([...markdown.matchAll(/^```\w+ ([\w.-]+\.\w+)\n([\s\S]*?)^```$/gm)].map(([, name, code]) => [name, code]));
