import { answerOf, missingOf, sourcesOf, withoutModelOf } from "./answer-view.js";
import { detailOf } from "./detail-view.js";
import { byId, chipOf, element } from "./element.js";
import { datasetOf, feedbackOf } from "./feedback-view.js";
import { createHopsView } from "./hops-view.js";
import { markdownOf } from "./markdown.js";
import * as server from "./server.js";
import { visibleText } from "./visible-text.js";
import { countOf, percentOf, runWordsOf, stopReasons, timeOf, usageOf } from "./words.js";

/** @typedef {import("./live-run.js").LiveRun} LiveRun */
/** @typedef {import("./live-run.js").LiveHop} LiveHop */
/** @typedef {import("./server.js").ShownRun} ShownRun */
/** @typedef {import("@constellation/core").RunRecord} RunRecord */
/** @typedef {import("@constellation/core").HopRecord} HopRecord */

/**
 * The part of the page that shows one run, live or kept.
 *
 * @param {(run: ShownRun) => Node[]} actionsOf What can be done with a run.
 * @param {(query: string, to: string) => void} onAsk Asks one librarian again what a hop asked it.
 * @param {(runId: string, fork: { at: string, query?: string }) => void} onFork Asks the run again from a hop on.
 * @param {(runId: string, rating: "up" | "down", note: string) => Promise<void>} onRate
 * @param {(runId: string, place: { name: string } | undefined) => Promise<void>} onPlace
 */
export function createRunView(actionsOf, onAsk, onFork, onRate, onPlace) {
  const part = byId("run", HTMLElement);
  byId("answer-part", HTMLElement).tabIndex = 0; // it scrolls
  const title = byId("run-title", HTMLElement);
  const status = byId("run-status", HTMLElement);
  /** Read aloud: so it changes only when something is worth saying. */
  const news = byId("run-news", HTMLElement);
  const answer = byId("answer", HTMLElement);
  const missing = byId("missing", HTMLElement);
  const sources = byId("sources", HTMLElement);
  const feedback = byId("feedback", HTMLElement);
  const actions = byId("run-actions", HTMLElement);
  const detail = byId("detail", HTMLElement);
  const hops = createHopsView(byId("hops", HTMLElement), byId("axis", HTMLElement), showDetail);
  /** @type {Map<number, HopRecord | LiveHop>} */
  let known = new Map();
  /** Of a kept run, so that looking again changes only what has changed. */
  let keptId = "";
  /** Whether the run is over, and its user reads it. */
  let canFork = false;
  /** The status as it was drawn last. @type {{ record: RunRecord, elapsedMs: number } | undefined} */
  let drawn;
  /** Of the hop in the detail part, so that nothing is written twice. */
  let shown = "";

  /** @param {HopRecord | LiveHop} hop */
  function showDetail(hop) {
    const words = JSON.stringify(hop);
    if (words === shown) return;
    shown = words;
    const fork = forkAt(hop);
    detail.replaceChildren(
      detailOf(hop, (id) => known.get(id)?.to, { onAsk, onFork: fork, onZoom: hops.zoom }),
    );
  }

  /**
   * @param {HopRecord | LiveHop} hop
   * @returns {((query: string) => void) | undefined} `undefined` where the run cannot be forked there.
   */
  function forkAt(hop) {
    if (!canFork || hop.outcome === undefined) return undefined;
    const same = [...known.values()].filter(({ to }) => to === hop.to);
    const at = `${hop.to}~${same.findIndex(({ id }) => id === hop.id) + 1}`;
    return (query) => onFork(keptId, { at, ...(query !== hop.query && { query }) });
  }

  /**
   * @param {RunRecord} record
   * @param {number} elapsedMs
   */
  function showStatus(record, elapsedMs) {
    const state = runWordsOf(record.stopReason);
    const said =
      record.stopReason === undefined && server.isReachable()
        ? "Asking."
        : `${state.word}, ${countOf(record.hops.length, "hop")}.`;
    drawn = { record, elapsedMs };
    if (news.textContent !== said) news.textContent = said;
    const facts = [
      timeOf(elapsedMs),
      countOf(record.hops.length, "hop"),
      record.confidence === undefined ? undefined : `${percentOf(record.confidence)} confident`,
      usageOf(record.usage) || undefined,
      record.unsettled === 0 ? undefined : `${record.unsettled} still busy`,
    ].filter((fact) => fact !== undefined);
    status.replaceChildren(chipOf(state), facts.join(" · "));
  }

  /** The title of the page is the question, also where another view had it meanwhile. */
  function showTitle() {
    document.title = `${title.textContent.slice(0, 80)} · Constellation`;
  }

  /** @param {string} query */
  function begin(query) {
    part.hidden = false;
    keptId = "";
    canFork = false;
    known = new Map();
    shown = "";
    hops.clear();
    title.textContent = visibleText(query);
    showTitle();
    answer.replaceChildren();
    missing.replaceChildren();
    sources.replaceChildren();
    feedback.replaceChildren();
    detail.replaceChildren();
    actions.replaceChildren();
  }

  return {
    begin,
    showTitle,
    /** @param {string} runId The run under way, so that its record continues what is shown of it. */
    adopt(runId) {
      keptId = runId;
    },
    hide() {
      part.hidden = true;
      keptId = "";
    },
    /**
     * Shows what has changed in a run that is under way.
     *
     * @param {LiveRun} live
     * @param {Iterable<LiveHop>} changed
     */
    showLive(live, changed) {
      known = live.hops;
      const elapsed = live.elapsedMs;
      hops.scale(live.record.stopReason === undefined ? axisOf(elapsed) : elapsed);
      for (const hop of changed) hops.show(hop, elapsed);
      showStatus(live.record, elapsed);
      hops.selectFirst();
      const isRunning = live.record.stopReason === undefined;
      if (isRunning && live.text !== "") {
        answer.replaceChildren(note("A draft, not checked yet."), markdownOf(live.text));
      } else if (isRunning && live.hasWithdrawn) {
        answer.replaceChildren(note("A draft was withdrawn: it did not pass the checks."));
      }
      answer.classList.toggle("being-written", isRunning && live.text !== "");
    },
    /** The server can no longer be reached: what has not ended is not known. */
    showLost() {
      if (drawn === undefined) return;
      const { record, elapsedMs } = drawn;
      for (const hop of known.values()) hops.show(hop, elapsedMs);
      showStatus(record, elapsedMs);
      answer.classList.remove("being-written");
    },
    /**
     * Shows a run of which the server has the journal alone: another process works on it, or had begun it and has ended.
     *
     * @param {server.UnrecordedRun} run
     */
    showUnrecorded({ runId, status: state, response }) {
      if (runId !== keptId) begin("");
      keptId = runId;
      drawn = undefined;
      const { sign, word, tone } = stopReasons[state === "waiting" ? "waiting" : "unknown"];
      const [chip, why] =
        state === "ended"
          ? ["ended", "Its hops were not recorded here."]
          : [
              `${sign} ${word}`,
              state === "running" ? "Its process is another one, or has ended." : "",
            ];
      news.textContent = why;
      status.replaceChildren(element("span", { class: "chip", "data-tone": tone }, chip), why);
      hops.clear();
      detail.replaceChildren();
      answer.classList.remove("being-written");
      answer.replaceChildren();
      if (response !== undefined) this.showResponse(response);
    },
    /** @param {import("@constellation/core").Response} response */
    showResponse(response) {
      answer.classList.remove("being-written");
      answer.replaceChildren(answerOf(response));
      missing.replaceChildren(missingOf(response));
      sources.replaceChildren(sourcesOf(response));
    },
    /** @param {ShownRun} run */
    showKept(run) {
      const { record, response, cut, withheld } = run;
      if (record.runId !== keptId)
        begin(withheld === true ? "Another user's question" : record.query);
      keptId = record.runId;
      known = new Map(record.hops.map((hop) => [hop.id, hop]));
      const isEnded = record.stopReason !== undefined && record.stopReason !== "waiting";
      const couldFork = canFork;
      canFork = isEnded && withheld !== true && server.canGoBack();
      if (canFork !== couldFork) shown = ""; // its detail has another button now
      hops.scale(record.durationMs);
      for (const hop of record.hops) hops.show(hop, record.durationMs);
      showStatus(record, record.durationMs);
      hops.markCritical();
      hops.selectFirst();
      actions.replaceChildren(...actionsOf(run));
      feedback.replaceChildren(
        feedbackOf(run, (rating, note) => onRate(record.runId, rating, note)),
        datasetOf(run, (place) => onPlace(record.runId, place)),
      );
      if (response !== undefined) {
        this.showResponse(response);
        missing.append(withoutModelOf(record));
      } else if (withheld === true)
        answer.replaceChildren(note("Only its user may read the answer."));
      else if (cut !== undefined) answer.replaceChildren(note("The answer was too large to keep."));
    },
  };
}

/**
 * While a run continues, its axis grows by a half at a time, so that bars do not crawl.
 *
 * @param {number} elapsedMs
 */
function axisOf(elapsedMs) {
  return 20 * 1.5 ** Math.max(0, Math.ceil(Math.log(elapsedMs / 20) / Math.log(1.5)));
}

/** @param {string} words */
function note(words) {
  return element("p", { class: "muted" }, words);
}
