import { element } from "./element.js";
import { isWebAddress, markdownOf } from "./markdown.js";
import { percentOf } from "./words.js";

/** @typedef {import("@constellation/core").Response} Response */
/** @typedef {import("@constellation/core").Source} Source */

/** Maximum number of sources shown at once. */
const maxSources = 100;

/**
 * @param {Response} response
 * @returns {Node}
 */
export function answerOf({ answer, error }) {
  const shown = document.createDocumentFragment();
  if (answer !== undefined) shown.append(markdownOf(answer));
  if (error !== undefined) {
    shown.append(
      element(
        "div",
        { class: isWaiting(error) ? "failure waiting" : "failure" },
        element(
          "p",
          {},
          element("strong", {}, isWaiting(error) ? "Waiting" : error.code),
          ` ${error.message}`,
        ),
        element("p", { class: "muted" }, adviceOf(error)),
      ),
    );
  }
  return shown;
}

/** @param {import("@constellation/core").ErrorInfo} error */
function isWaiting({ details }) {
  return details?.reason === "waiting";
}

/** @param {import("@constellation/core").ErrorInfo} error */
function adviceOf({ suggestion = "", details }) {
  if (details?.reason === "waiting")
    return "Answer it above, or under Waiting: the run then continues.";
  if (details?.reason !== "threw") return suggestion;
  return typeof details.thrown === "string"
    ? (details.thrown.split("\n")[0] ?? "")
    : "constellation dev shows what a librarian threw, in the hop that failed.";
}

/** @param {Response} response */
export function missingOf({ metadata }) {
  const missing = metadata?.missing ?? [];
  if (missing.length === 0) return "";
  return element(
    "div",
    { class: "missing" },
    element("h3", {}, "Missing from this answer"),
    element(
      "ul",
      {},
      ...missing.map(({ to, code, message }) =>
        element(
          "li",
          {},
          element("strong", {}, to),
          ` ${code}`,
          element("span", { class: "muted" }, ` ${message}`),
        ),
      ),
    ),
  );
}

/**
 * Hops that answered although their last call of a model failed.
 *
 * @param {import("@constellation/core").RunRecord} record
 */
export function withoutModelOf({ hops }) {
  const gaps = hops.flatMap(({ to, outcome, modelCalls = [] }) => {
    const error = modelCalls.at(-1)?.error;
    return error !== undefined && (outcome === "answer" || outcome === "partial")
      ? element("li", {}, element("strong", {}, to), ` ${error.code} ${error.message}`)
      : [];
  });
  if (gaps.length === 0) return "";
  return element(
    "div",
    { class: "missing" },
    element("h3", {}, "Answered without the model"),
    element("ul", {}, ...gaps.slice(0, 20)),
  );
}

/** @param {Response} response */
export function sourcesOf({ sources = [] }) {
  if (sources.length === 0) return "";
  const rest = sources.length - maxSources;
  return element(
    "div",
    { class: "sources" },
    element("h3", {}, `Sources (${sources.length})`),
    element(
      "ol",
      {},
      ...sources.slice(0, maxSources).map(sourceOf),
      ...(rest > 0 ? [element("li", { class: "muted" }, `and ${rest} more`)] : []),
    ),
  );
}

/** @param {Source} source */
export function sourceOf({ name, url, type, relevance }) {
  const more = [type, relevance === undefined ? undefined : percentOf(relevance)]
    .filter(Boolean)
    .join(", ");
  return element(
    "li",
    {},
    isWebAddress(url)
      ? element("a", { href: url, rel: "noopener noreferrer nofollow", target: "_blank" }, name)
      : element("span", {}, name),
    more === "" ? undefined : element("span", { class: "muted" }, ` ${more}`),
  );
}
