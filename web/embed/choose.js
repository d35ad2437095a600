/** The script of embed.html: leads to the figure that the address names, or says which there are. */
import "../head.js";
import { reportHeight } from "./height.js";
import { optionsOf } from "./options.js";

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const query = new URLSearchParams(location.search);
const name = query.getAll("figure").pop() ?? "";
/** Of a name that is none as much as one needs to see the slip. */
const SHOWN = 40;

if ((script.dataset.figures ?? "").split(" ").includes(name)) {
  query.delete("figure");
  location.replace(`embed/${name}.html${query.size > 0 ? `?${query}` : ""}`);
} else {
  const { options, id } = optionsOf(location.search);
  Object.assign(document.documentElement.dataset, options);
  for (const href of (script.dataset.sheets ?? "").split(" ")) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
  }
  addEventListener("DOMContentLoaded", () => {
    const said = name === "" ? "missing" : "unknown";
    for (const line of document.querySelectorAll("[data-said]")) {
      const { dataset } = /** @type {HTMLElement} */ (line);
      if (dataset.said !== said) line.remove();
    }
    for (const place of document.querySelectorAll(".bad-name")) {
      place.textContent = name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
    }
    reportHeight(id);
  });
}
