import { element } from "./element.js";
import { visibleText } from "./visible-text.js";
import { usageOf } from "./words.js";

/** @typedef {import("./live-run.js").LiveHop} LiveHop */
/** @typedef {import("@constellation/core").HopRecord} HopRecord */
/** @typedef {ReturnType<typeof hopRowOf>} HopRow */

/**
 * The elements of one hop in the tree.
 *
 * @param {LiveHop | HopRecord} hop
 * @param {number} level From 1.
 */
export function hopRowOf(hop, level) {
  const sign = element("span", { class: "sign", "aria-hidden": true });
  const fold = element("span", { class: "fold", "aria-hidden": true });
  const note = element("span", { class: "note" });
  const word = element("span", { class: "sr" });
  const reach = element("span", { class: "reach" });
  const bar = element("span", { class: "bar" });
  const time = element("span", { class: "time" });
  const row = element(
    "div",
    {
      class: "hop",
      role: "treeitem",
      tabindex: -1,
      "aria-level": level,
      "aria-selected": "false",
    },
    element(
      "span",
      { class: "who" },
      fold,
      sign,
      element("span", { class: "name" }, hop.to),
      word,
      note,
    ),
    element("span", { class: "lane" }, reach, bar),
    time,
  );
  row.dataset.hop = String(hop.id);
  row.style.setProperty("--level", String(Math.min(level - 1, 12)));
  return { row, bar, reach, sign, word, note, time, fold };
}

/** @param {LiveHop | HopRecord} hop */
export function noteOf(hop) {
  if (hop.outcome === "waiting") return "for an answer";
  if (hop.error !== undefined && hop.outcome !== "partial") return hop.error.code;
  if ("progress" in hop && hop.progress !== undefined) return hop.progress;
  const used = usageOf(hop.usage);
  if (used !== "") return used;
  if (hop.attempt > 1) return `attempt ${hop.attempt}`;
  return (
    hop.reason ??
    (hop.via === "entry" ? "asked by the caller" : hop.via === "ask" ? "asked on the way" : "")
  );
}

/**
 * When a hop is over: one that delegated to several also merges their answers.
 *
 * @param {LiveHop | HopRecord} hop
 * @param {number} ownEnd Of its librarian, in milliseconds from the start of the run.
 * @param {number} elapsedMs
 */
export function endOf(hop, ownEnd, elapsedMs) {
  const isMerging = hop.outcome === "delegate" && "progress" in hop;
  return isMerging ? elapsedMs : Math.max(ownEnd, hop.fanOut?.endMs ?? 0);
}

/**
 * Writing the same text again would make the browser lay it out again.
 *
 * @param {HTMLElement} at
 * @param {string} text
 */
export function setText(at, text) {
  const shown = visibleText(text);
  if (at.textContent !== shown) at.textContent = shown;
}
