import { element } from "./element.js";
import { agoOf, countOf, runWordsOf, timeOf, usageOf } from "./words.js";

/** @typedef {import("./server.js").ShownSummary} ShownSummary */

/**
 * A line of the list of runs.
 *
 * @param {ShownSummary} run
 * @param {boolean} isCurrent
 * @param {string} href
 */
export function runLineOf(run, isCurrent, href) {
  const { sign, word, tone } = runWordsOf(run.stopReason);
  return element(
    "li",
    {},
    element(
      "a",
      {
        href,
        "aria-current": isCurrent ? "page" : undefined,
      },
      element("span", { class: "sign", "data-tone": tone, "aria-hidden": true }, sign),
      element("span", { class: "runs-query" }, run.query ?? "(another user's question)"),
      element(
        "span",
        { class: "muted" },
        [
          word,
          timeOf(run.durationMs),
          countOf(run.hops, "hop"),
          usageOf(run.usage),
          agoOf(run.startedAt),
        ]
          .filter((fact) => fact !== "")
          .join(", "),
      ),
    ),
  );
}
