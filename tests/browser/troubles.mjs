/** What of a page went wrong, whatever was done to it: figures that failed or are blank, numbers that are none. */

/** @typedef {import("puppeteer-core").Page} Page */

/** @param {Page} page @returns {Promise<string[]>} */
export const troubles = (page) =>
  page.evaluate(() => {
    const wrong = /NaN|undefined|Infinity|\[object/;
    const found = [];
    for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-figure]"))) {
      const name = `${figure.closest("section")?.id} ${figure.dataset.figure}`;
      if (figure.dataset.state !== "ready")
        found.push(`${name} is ${figure.dataset.state}: ${figure.querySelector(".fig-error")?.textContent}`);
      for (const output of /** @type {NodeListOf<HTMLElement>} */ (figure.querySelectorAll("output[data-readout]"))) {
        const { readout = "", value } = output.dataset;
        // The summary of a check waits, unseen, for values to check.
        if (!output.checkVisibility()) continue;
        const shown = output.textContent ?? "";
        if (wrong.test(shown) || shown === "") found.push(`${name} ${readout}: "${shown}"`);
        // What has not been computed is a dash, and no number.
        if (shown === "—" && value === undefined) continue;
        // A relative error is none where the reference is 0.
        const mayBeNone = readout.endsWith(".error");
        // A step of a formula may overflow: to show that is what `precision` is for. None gives NaN.
        // What a reader gives to be checked may be too large for its format: then it is said to be no number of ULP.
        const overflows =
          (figure.dataset.figure === "precision" || readout === "check.worst") && /^-?Infinity$/.test(String(value));
        if (!mayBeNone && !overflows && !Number.isFinite(Number(value))) found.push(`${name} ${readout}: ${value}`);
      }
      const label = figure.querySelector("canvas")?.getAttribute("aria-label") ?? "";
      if (wrong.test(label)) found.push(`${name}: ${label}`);
    }
    return found;
  });

/** Plots in which nothing is drawn. @param {Page} page @returns {Promise<string[]>} */
export const blanks = (page) =>
  page.evaluate(() => {
    const small = document.createElement("canvas");
    [small.width, small.height] = [64, 64];
    const context = /** @type {CanvasRenderingContext2D} */ (small.getContext("2d", { willReadFrequently: true }));
    return [...document.querySelectorAll("figure canvas[role=img]")].flatMap((element) => {
      const canvas = /** @type {HTMLCanvasElement} */ (element);
      if (!canvas.checkVisibility() || canvas.clientWidth === 0) return [];
      context.clearRect(0, 0, 64, 64);
      if (canvas.width > 0 && canvas.height > 0) context.drawImage(canvas, 0, 0, 64, 64);
      const { data } = context.getImageData(0, 0, 64, 64);
      return data.some((value, i) => i % 4 === 3 && value > 0) ? [] : [canvas.closest("figure")?.id ?? "a figure"];
    });
  });
