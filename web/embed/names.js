/** The names by which figures are embedded: its own, and for every other form in which the lesson shows it one more. */

/** The forms of a figure that occurs more than once, the best to stand alone first. */
const FORMS = ["full", "", "plain", "compact"];

/**
 * @param {{ name: string, variant: string }[]} shown the figures of the lesson
 * @returns {string[]} for each its name: that of the figure, with its form behind it where another one stands better alone
 */
export function embedNames(shown) {
  return shown.map(({ name, variant }) => {
    const forms = shown.filter((other) => other.name === name).map((other) => other.variant);
    const best = FORMS.find((form) => forms.includes(form));
    return variant === best ? name : `${name}-${variant || "simple"}`;
  });
}
