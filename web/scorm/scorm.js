/**
 * Runs first in the SCORM package: takes up where the learner stopped, and tells the platform which sections were visited
 * and how the quiz ended. The page does not know of it: all is read off its address and its readouts.
 */
import "../standins.js";
import { bilingual, h } from "../components/dom.js";
import { findApi, Platform } from "./lms.js";
import { packKept, readKept, scoreOf, timespan } from "./progress.js";

/** A section counts as visited once it has been in the middle of the screen so long, in milliseconds. */
const VISIT = 2000;
/** How often this looks whether there is news, and how long the state of the figures waits to be told. */
const LOOK = 1000;
const TELL_STATE = 30_000;

/** @param {Platform} platform */
function resume(platform) {
  try {
    // Of whoever sat at this machine before; what this learner did is at the platform.
    for (const key of Object.keys(localStorage)) if (key.startsWith("gelu-lab.")) localStorage.removeItem(key);
  } catch {
    // The host lets nothing be kept.
  }
  const { query } = readKept(platform.get("cmi.suspend_data"), []);
  const place = platform.get("cmi.core.lesson_location");
  const address = query + (/^\w+$/.test(place) ? `#${place}` : "");
  if (location.search !== "" || address === "") return;
  try {
    history.replaceState(null, "", address);
  } catch {
    // The host does not let the address be set: the lesson begins at its beginning.
  }
}

/**
 * @param {Element[]} sections
 * @param {(id: string) => void} enter
 * @param {(id: string) => void} visit
 */
function watchSections(sections, enter, visit) {
  /** @type {Map<string, ReturnType<typeof setTimeout>>} */
  const waiting = new Map();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        clearTimeout(waiting.get(target.id));
        if (!isIntersecting) continue;
        enter(target.id);
        waiting.set(target.id, setTimeout(visit, VISIT, target.id));
      }
    },
    { rootMargin: "-45% 0px -45% 0px" },
  );
  for (const section of sections) observer.observe(section);
}

/** What the quiz shows of its answers; all open while it is not there. */
function judged() {
  const count = (/** @type {string} */ name) => {
    const output = /** @type {HTMLElement | null} */ (document.querySelector(`[data-readout="judge.${name}"]`));
    return Number(output?.dataset.value ?? 1);
  };
  return { right: count("right"), wrong: count("wrong"), open: count("open") };
}

/** @param {Platform} platform */
function report(platform) {
  const began = Date.now();
  // The lecturer's page is not the learner's to read.
  const sections = [...document.querySelectorAll("section.sec[id]:not(#lecture)")];
  const all = sections.map(({ id }) => id);
  const visited = new Set(readKept(platform.get("cmi.suspend_data"), all).visited);
  const wasComplete = /^(completed|passed)$/.test(platform.get("cmi.core.lesson_status"));
  const line = h("p", { class: "lms" });
  document.querySelector(".foot")?.append(line);
  let place = platform.get("cmi.core.lesson_location");
  let isOver = false;
  let told = { news: "", state: "", at: 0 };

  const isComplete = () => wasComplete || all.every((id) => visited.has(id));
  const news = () => `${visited.size} ${scoreOf(judged())}`;
  const state = () => packKept({ visited: [...visited], query: location.search });

  function tell() {
    const score = scoreOf(judged());
    told = { news: news(), state: state(), at: Date.now() };
    const values = {
      "cmi.core.lesson_status": isComplete() ? "completed" : "incomplete",
      "cmi.core.lesson_location": place,
      ...(score === null ? {} : { "cmi.core.score.min": 0, "cmi.core.score.max": 100, "cmi.core.score.raw": score }),
      "cmi.core.session_time": timespan(Date.now() - began),
      "cmi.core.exit": isComplete() ? "" : "suspend",
      "cmi.suspend_data": told.state,
    };
    const isTold = Object.entries(values).every(([name, value]) => platform.set(name, String(value))) && platform.commit();
    if (!isTold) told.state = "";
    line.replaceChildren(bilingual(isTold ? words(visited.size, all.length, score) : refused(platform.fault)));
  }

  const timer = setInterval(() => {
    const isLate = Date.now() - told.at > TELL_STATE;
    if (news() !== told.news || (isLate && state() !== told.state)) tell();
  }, LOOK);
  watchSections(
    sections,
    (id) => {
      place = id;
    },
    (id) => visited.add(id),
  );
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && !isOver && tell());
  addEventListener("pagehide", () => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    tell();
    platform.finish();
  });
  // What the platform has closed cannot be opened again but by a new start.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  tell();
}

/**
 * @param {number} visited
 * @param {number} all
 * @param {number | null} score
 */
const words = (visited, all, score) => ({
  zh: `学习平台已记录：读过 ${visited} / ${all} 节${score === null ? "" : `，判断题 ${score} 分（满分 100）`}。`,
  en: `Recorded by the learning platform: ${visited} of ${all} sections visited${score === null ? "" : `, quiz ${score} of 100`}.`,
});

const refused = (/** @type {string} */ fault) => ({
  zh: `学习平台没有接受这次记录（${fault}）。讲义照常可用，稍后会再试。`,
  en: `The learning platform did not take this record (${fault}). The lesson works all the same; it will be tried again.`,
});

const alone = {
  zh: "没有找到学习平台：讲义照常可用，进度不上报。",
  en: "No learning platform was found: the lesson works all the same, progress is reported to nobody.",
};

/** @param {{ zh: string, en: string }} text */
const note = (text) => document.querySelector(".foot")?.append(h("p", { class: "lms" }, bilingual(text)));

document.documentElement.dataset.packed = "";
const api = findApi(window);
const platform = api === null ? null : new Platform(api);
const isStarted = platform?.start() ?? false;
if (platform !== null && isStarted) resume(platform);
addEventListener("DOMContentLoaded", () => {
  if (platform === null) note(alone);
  else if (isStarted) report(platform);
  else note(refused(platform.fault));
});
