import { answerOf } from "./answer-view.js";
import { chipOf, element, scrollableOf, tableHeadOf } from "./element.js";
import { countOf, outcomes, percentOf, stopReasons, timeOf, usageOf } from "./words.js";

/** @typedef {import("./server.js").ShownRun} ShownRun */
/** @typedef {import("@constellation/core").HopRecord} HopRecord */
/** @typedef {import("@constellation/core").RunRecord} RunRecord */
/** @typedef {{ path: string, hops: [HopRecord | undefined, HopRecord | undefined] }} Pair */

/**
 * Two runs side by side: outcome, answer, and their hops in pairs.
 *
 * @param {ShownRun} one
 * @param {ShownRun} other
 */
export function comparisonOf(one, other) {
  const pairs = pairsOf(one.record, other.record);
  return [
    element("h1", {}, "Two runs"),
    element("p", { class: "muted" }, verdictOf(one, other)),
    element("div", { class: "sides" }, sideOf(one, "first"), sideOf(other, "second")),
    element("h2", {}, "Hops"),
    scrollableOf(
      "Hops of both runs",
      "card scrolls",
      element(
        "table",
        { class: "pairs" },
        tableHeadOf(["Path", "First", "Second"]),
        element("tbody", {}, ...pairs.map(rowOf)),
      ),
    ),
  ];
}

/**
 * @param {ShownRun} one
 * @param {ShownRun} other
 */
function verdictOf(one, other) {
  if (one.record.runId === other.record.runId) return "Both are the same run: nothing differs.";
  const isSame = one.response?.answer === other.response?.answer;
  return isSame ? "The answer is the same." : "The answers differ.";
}

/**
 * @param {ShownRun} run
 * @param {string} place
 */
function sideOf({ record, response, withheld }, place) {
  const state = stopReasons[record.stopReason ?? "running"];
  const facts = [
    timeOf(record.durationMs),
    countOf(record.hops.length, "hop"),
    record.confidence === undefined ? "" : `${percentOf(record.confidence)} confident`,
    usageOf(record.usage),
    new Date(record.startedAt).toLocaleString(),
  ].filter((fact) => fact !== "");
  return element(
    "section",
    { class: "card side" },
    element(
      "h2",
      {},
      element(
        "a",
        { href: `#/run/${encodeURIComponent(record.runId)}` },
        withheld === true ? "Another user's question" : record.query,
      ),
    ),
    element("p", { class: "run-status" }, chipOf(state), facts.join(" · ")),
    scrollableOf(
      `Answer of the ${place} run`,
      "prose scrolls",
      response === undefined ? "The answer is not kept." : answerOf(response),
    ),
  );
}

/** @param {Pair} pair */
function rowOf({ path, hops: [one, other] }) {
  const differs = one?.outcome !== other?.outcome || one?.error?.code !== other?.error?.code;
  return element(
    "tr",
    { class: differs ? "differs" : undefined },
    element("th", { scope: "row" }, path),
    cellOf(one),
    cellOf(other),
  );
}

/** @param {HopRecord | undefined} hop */
function cellOf(hop) {
  if (hop === undefined) return element("td", { class: "muted" }, "not asked");
  const more = [hop.error?.code, timeOf(hop.durationMs), usageOf(hop.usage)].filter(Boolean);
  return element("td", {}, chipOf(outcomes[hop.outcome ?? "running"]), ` ${more.join(", ")}`);
}

/**
 * Pairs hops: the same librarian on the same path, in the order they began.
 *
 * @param {RunRecord} one
 * @param {RunRecord} other
 * @returns {Pair[]}
 */
export function pairsOf(one, other) {
  /** @type {Map<string, Pair>} */
  const pairs = new Map();
  for (const [side, record] of [one, other].entries()) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    /** @type {Map<number, string>} */
    const paths = new Map();
    for (const hop of record.hops) {
      const above = hop.parentId === undefined ? undefined : paths.get(hop.parentId);
      const path = above === undefined ? hop.to : `${above} › ${hop.to}`;
      paths.set(hop.id, path);
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const pair = pairs.get(`${path} ${count}`) ?? { path, hops: [undefined, undefined] };
      pair.hops[side] = hop;
      pairs.set(`${path} ${count}`, pair);
    }
  }
  return [...pairs.values()];
}
