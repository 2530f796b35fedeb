import { sourceOf } from "./answer-view.js";
import { buttonOf, chipOf, element } from "./element.js";
import { markdownOf } from "./markdown.js";
import { remoteOf } from "./remote-view.js";
import { tabsOf } from "./tabs.js";
import { costOf, outcomes, percentOf, timeOf, usageOf } from "./words.js";

/** @typedef {import("@constellation/authoring").ContentHop} HopRecord */
/** @typedef {import("@constellation/authoring").ContentModelCall} ModelCallRecord */

/** The tab that was chosen last, for the next hop. */
let chosen = "Why";

/**
 * Everything that is known about one hop, a tab for each question one may have.
 *
 * @param {HopRecord} hop
 * @param {(id: number) => string | undefined} nameOf Librarian of another hop.
 * @param {{ onAsk: (query: string, to: string) => void, onFork: ((query: string) => void) | undefined, onZoom: (factor: number) => void }} actions
 */
export function detailOf(hop, nameOf, { onAsk, onFork, onZoom }) {
  const calls = hop.modelCalls ?? [];
  return element(
    "div",
    { class: "detail-body" },
    element(
      "div",
      { class: "detail-head" },
      element(
        "h3",
        {},
        element("span", {}, hop.to),
        chipOf(outcomes[hop.outcome ?? "running"]),
        element(
          "span",
          { class: "muted" },
          [timeOf(hop.durationMs), usageOf(hop.usage)].filter(Boolean).join(" · "),
        ),
      ),
      element(
        "span",
        { class: "hop-actions" },
        hop.query === "" || hop.outcome === undefined
          ? undefined
          : buttonOf(
              "Ask it again",
              () => onAsk(hop.query, hop.to),
              `Ask ${hop.to} the same question`,
            ),
        onFork && hop.query !== "" ? forkFormOf(hop, onFork) : undefined,
        buttonOf("+", () => onZoom(0.5), "Zoom in on this hop"),
        buttonOf("−", () => onZoom(2), "Zoom out"),
      ),
    ),
    tabsOf(
      "hop-tab",
      [
        { name: "Why", show: () => whyOf(hop, nameOf) },
        { name: "Asked", show: () => askedOf(hop) },
        { name: "Answered", show: () => answeredOf(hop) },
        { name: calls.length > 0 ? `Model ${calls.length}` : "Model", show: () => modelOf(calls) },
        ...(hop.remote === undefined ? [] : [{ name: "Remote", show: () => remoteOf(hop) }]),
        { name: "Raw", show: () => textOf(JSON.stringify(hop, undefined, 2)) },
      ],
      {
        label: `About ${hop.to}`,
        chosen: chosen === "Model" && calls.length > 0 ? `Model ${calls.length}` : chosen,
        onChoose: (name) => {
          chosen = name.replace(/ \d+$/, "");
        },
      },
    ),
  );
}

/**
 * @param {HopRecord} hop
 * @param {(id: number) => string | undefined} nameOf
 */
function whyOf(hop, nameOf) {
  const caller = hop.parentId === undefined ? undefined : nameOf(hop.parentId);
  const why =
    hop.reason ??
    (caller === undefined
      ? "It is the entry of the mesh, or the caller named it."
      : `${caller} ${hop.via === "ask" ? "asked it on the way" : "delegated to it"} without a reason.`);
  const { error, content, fanOut, again } = hop;
  const shown = list([
    ["Chosen", why],
    ["By", caller ?? "the caller"],
    [
      hop.outcome === "waiting" ? "Waiting" : "Error",
      error && (hop.outcome === "waiting" ? error.message : describeError(error)),
    ],
    ["Time", `${timeOf(hop.durationMs)}, from ${timeOf(hop.startMs)}`],
    ["Confidence", hop.confidence === undefined ? undefined : percentOf(hop.confidence)],
    ["Sources", hop.sources === undefined ? undefined : String(hop.sources)],
    ["Ran in", hop.remote && `${hop.remote.mesh} on ${hop.remote.host}`],
    ["Attempt", hop.attempt > 1 ? String(hop.attempt) : undefined],
    ["Asked again", again && `${againOf[again.kind]} (hop ${again.hopId}).`],
    [
      "Event loop",
      hop.blockedMs === undefined
        ? undefined
        : `It blocked it for ${timeOf(hop.blockedMs)}: nothing else ran.`,
    ],
    [
      "Stopping",
      hop.abandoned === true
        ? `It ignored its cancellation${hop.lateMs === undefined ? "" : ` for ${timeOf(hop.lateMs)}`}.`
        : undefined,
    ],
    ["Fan-out", fanOut && `${fanOut.delegates.join(", ")} (${fanOut.strategy})`],
    ["Merged", fanOut?.endMs === undefined ? undefined : `${timeOf(fanOut.endMs)} after the start`],
    ["Used", fanOut?.used?.join(", ") || undefined],
    ["Missing", fanOut?.missing?.map(({ to, code }) => `${to}: ${code}`).join(", ") || undefined],
  ]);
  if (content?.thrown !== undefined) {
    shown.append(element("dt", {}, "Thrown"), element("dd", {}, textOf(content.thrown)));
  }
  return shown;
}

/**
 * Asks the run again from the hop on: with the same question, or another one.
 *
 * @param {HopRecord} hop
 * @param {(query: string) => void} onFork
 */
function forkFormOf(hop, onFork) {
  const input = element("textarea", { rows: 2, "aria-label": `What ${hop.to} is asked` });
  input.value = hop.query;
  const ask = () => onFork(input.value.trim() === "" ? hop.query : input.value);
  const send = buttonOf("Ask from here", ask, "Hops before it keep what they returned");
  return element(
    "details",
    { class: "fork" },
    element("summary", { class: "quiet", title: `Ask the run again from ${hop.to} on` }, "Fork"),
    input,
    send,
  );
}

/** Why a hop does the same work again. */
const againOf = {
  retry: "The attempt before failed in a way that may pass",
  hedge: "The attempt before was slow: this one was made beside it",
};

/** @param {HopRecord} hop */
function askedOf({ query, content }) {
  const asked = element("div", {}, textOf(query === "" ? "(not shown to you)" : query));
  for (const { to, query: delegated } of content?.queries ?? []) {
    asked.append(element("h4", {}, `It asked ${to}`), textOf(delegated));
  }
  return asked;
}

/** @param {HopRecord} hop */
function answeredOf({ content, outcome, error }) {
  const part = element("div", { class: "prose" });
  if (content === undefined) {
    part.append(
      element(
        "p",
        { class: "muted" },
        outcome === undefined || error !== undefined
          ? "It has not answered."
          : "What it answered was not recorded. constellation dev and serve --record-content record it.",
      ),
    );
    return part;
  }
  const { answer, sources = [], progress = [], metadata, errorDetails, thrown } = content;
  if (answer !== undefined) part.append(markdownOf(answer, 4));
  else part.append(element("p", { class: "muted" }, "No answer of its own."));
  if (sources.length > 0) {
    part.append(element("h4", {}, "Sources"), element("ol", {}, ...sources.map(sourceOf)));
  }
  if (progress.length > 0) {
    const lines = progress.map(({ atMs, message }) =>
      element("li", {}, element("span", { class: "muted" }, `${timeOf(atMs)} `), message),
    );
    part.append(element("h4", {}, "Progress"), element("ul", {}, ...lines));
  }
  // Those of what was thrown are shown as Thrown.
  if (errorDetails !== undefined && thrown === undefined) {
    part.append(element("h4", {}, "Details of the error"), textOf(errorDetails));
  }
  if (metadata !== undefined) part.append(element("h4", {}, "Metadata"), textOf(metadata));
  return part;
}

/** @param {readonly ModelCallRecord[]} calls */
function modelOf(calls) {
  const part = element("div", {});
  if (calls.length === 0) part.append(element("p", { class: "muted" }, "It called no model."));
  for (const call of calls) part.append(callOf(call));
  return part;
}

/** @param {ModelCallRecord} call */
function callOf(call) {
  const { id, model, method, attempt, startMs, durationMs, usage, stopReason, error, content } =
    call;
  const cached = usage?.cacheReadTokens;
  const shown = list([
    [
      "Time",
      `${durationMs === undefined ? "running" : timeOf(durationMs)}, from ${timeOf(startMs)}`,
    ],
    [
      "Tokens",
      usage &&
        `${usage.inputTokens.toLocaleString("en")} in${cached === undefined ? "" : ` (${cached.toLocaleString("en")} from a cache)`}, ${usage.outputTokens.toLocaleString("en")} out${usage.estimated === true ? " (estimated)" : ""}`,
    ],
    ["Cost", usage?.costUsd === undefined ? undefined : costOf(usage.costUsd)],
    ["Attempt", attempt === undefined ? undefined : String(attempt)],
    ["Asked again", content?.again],
    ["Retries", usage?.retries === undefined ? undefined : String(usage.retries)],
    ["Ended", stopReason],
    ["Error", error && `${error.code}: ${error.message}`],
    ["Problem", content?.problem],
  ]);
  for (const [name, text] of [
    ["System", content?.system],
    ["Prompt", content?.prompt],
    ["Reply", content?.reply],
  ]) {
    if (text === undefined || name === undefined) continue;
    shown.append(element("dt", {}, name), element("dd", {}, textOf(text)));
  }
  return element("section", {}, element("h4", {}, `${id}. ${model ?? "model"}, ${method}`), shown);
}

/** @param {import("@constellation/core").FailureRecord} error */
function describeError({ code, reason, message }) {
  return `${code}${reason === undefined ? "" : ` (${reason})`}${message === "" ? "" : `: ${message}`}`;
}

/** @param {string} text */
function textOf(text) {
  return element("pre", {}, text);
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
