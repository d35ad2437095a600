/** A line that is down or slow, for one script. */

/**
 * To be called before the page loads.
 * @param {import("puppeteer-core").Page} page
 * @param {RegExp} pattern of the addresses that it is about
 */
export async function holdLine(page, pattern) {
  const line = {
    isDown: false,
    isHeld: false,
    /** Requests that wait. @type {import("puppeteer-core").HTTPRequest[]} */
    held: [],
    /** Until something waits. */
    async asked() {
      while (line.held.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    release() {
      line.isHeld = false;
      for (const request of line.held.splice(0)) request.continue();
    },
  };
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (!pattern.test(request.url())) request.continue();
    else if (line.isDown) request.abort();
    else if (line.isHeld) line.held.push(request);
    else request.continue();
  });
  return line;
}
