import { element } from "./element.js";
import { agoOf, countOf, stopReasons, timeOf } from "./words.js";

/** @typedef {import("./server.js").ShownSummary} ShownSummary */

/**
 * A line of the list of runs.
 *
 * @param {ShownSummary} run
 * @param {boolean} isCurrent
 */
export function runLineOf(run, isCurrent) {
  const { sign, word, tone } = stopReasons[run.stopReason ?? "running"];
  return element(
    "li",
    {},
    element(
      "a",
      {
        href: `#/run/${encodeURIComponent(run.runId)}`,
        "aria-current": isCurrent ? "page" : undefined,
      },
      element("span", { class: "sign", "data-tone": tone, "aria-hidden": true }, sign),
      element("span", { class: "runs-query" }, run.query ?? "(somebody else's question)"),
      element(
        "span",
        { class: "muted" },
        `${word}, ${timeOf(run.durationMs)}, ${countOf(run.hops, "hop")}, ${agoOf(run.startedAt)}`,
      ),
    ),
  );
}
