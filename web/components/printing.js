/** Prints a list alone, as a sheet: with the answers, or with room for them. */

/**
 * @param {Element} root what is printed, or is in the section that is
 * @param {"questions" | "answers" | "worksheet"} what
 */
export function printList(root, what) {
  const page = document.documentElement;
  const section = /** @type {HTMLElement} */ (root.closest("section"));
  page.dataset.printing = what;
  section.dataset.printed = "";
  addEventListener(
    "afterprint",
    () => {
      delete page.dataset.printing;
      delete section.dataset.printed;
    },
    { once: true },
  );
  print();
}
