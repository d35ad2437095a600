/** The script with what only a press of a button needs: presenter mode, the embed builder, pictures as files. */
import css from "virtual:tools.css";
import { createPresenter } from "./components/presenter.js";
import { toggleBuilder } from "./embed/builder.js";
import { sceneToFile } from "./svgfile.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

/** @type {any} */ (globalThis).geluPart("tools", { createPresenter, toggleBuilder, sceneToFile });
