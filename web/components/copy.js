/** The copy button of a listing: puts the program on the clipboard and says so; selects it where that is refused. */
import { confirmOn } from "./toolbar.js";

export function wireCopyButtons() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copyListing(/** @type {HTMLButtonElement} */ (button)));
  }
}

/** @param {HTMLButtonElement} button */
async function copyListing(button) {
  const listing = button.closest(".code")?.querySelector("code");
  if (!listing) return;
  try {
    await navigator.clipboard.writeText(listing.textContent ?? "");
  } catch {
    // A frame without that permission, or file://: the reader's own copy key does the rest.
    getSelection()?.selectAllChildren(listing);
    return confirmOn(button, "selected");
  }
  confirmOn(button, "copied");
}
