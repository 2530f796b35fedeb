import { element } from "./element.js";
import { outcomes, percentOf, timeOf } from "./words.js";

/** @typedef {import("@constellation/core").HopRecord} HopRecord */

/**
 * Everything that is known about one hop.
 *
 * @param {HopRecord} hop
 * @param {(id: number) => string | undefined} nameOf Librarian of another hop.
 */
export function detailOf(hop, nameOf) {
  const { sign, word, tone } = outcomes[hop.outcome ?? "running"];
  const asker = hop.parentId === undefined ? undefined : nameOf(hop.parentId);
  const why =
    hop.reason ??
    (asker === undefined
      ? "The caller asked it, or the mesh begins with it."
      : `${asker} ${hop.via === "ask" ? "asked it on the way" : "passed the question on"} and gave no reason.`);
  return element(
    "div",
    { class: "detail-body" },
    element(
      "h3",
      {},
      hop.to,
      element("span", { class: "chip", "data-tone": tone }, `${sign} ${word}`),
    ),
    list([
      ["Why", why],
      ["Asked by", asker === undefined ? "the caller" : asker],
      ["Query", hop.query === "" ? "(not shown to you)" : hop.query],
      ["Time", `${timeOf(hop.durationMs)}, from ${timeOf(hop.startMs)} on`],
      ["Confidence", hop.confidence === undefined ? undefined : percentOf(hop.confidence)],
      ["Sources", hop.sources === undefined ? undefined : String(hop.sources)],
      ["Attempt", hop.attempt > 1 ? String(hop.attempt) : undefined],
      [
        "Error",
        hop.error &&
          `${hop.error.code}${hop.error.reason === undefined ? "" : ` (${hop.error.reason})`}${hop.error.message === "" ? "" : `: ${hop.error.message}`}`,
      ],
      [
        "Stopping",
        hop.abandoned === true
          ? `It went on although it was told to stop${hop.lateMs === undefined ? "" : `, for ${timeOf(hop.lateMs)}`}.`
          : undefined,
      ],
      ["Fan-out", hop.fanOut && `${hop.fanOut.delegates.join(", ")} (${hop.fanOut.strategy})`],
      ["Used", hop.fanOut?.used?.join(", ") || undefined],
      [
        "Missing",
        hop.fanOut?.missing?.map(({ to, code }) => `${to}: ${code}`).join(", ") || undefined,
      ],
    ]),
  );
}

/** @param {readonly (readonly [string, string | undefined])[]} entries */
function list(entries) {
  return element(
    "dl",
    {},
    ...entries.flatMap(([name, value]) =>
      value === undefined ? [] : [element("dt", {}, name), element("dd", {}, value)],
    ),
  );
}
