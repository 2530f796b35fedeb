import { LiveRun } from "./live-run.js";
import { askAndWatch } from "./server.js";

/** @typedef {import("./live-run.js").LiveHop} LiveHop */
/** @typedef {ReturnType<import("./run-view.js").createRunView>} RunView */

/** Time between two looks at the clock while nothing happens, in milliseconds. */
const tickMs = 100;

/**
 * Asks, and shows what happens as it happens: once a frame, however many events come.
 *
 * @param {{ query: string, to?: string }} request
 * @param {{ view: RunView, signal: AbortSignal, onBegin: (runId: string) => void }} options
 * @returns {Promise<void>} Settles with the end of the run; rejects when it could not be asked, or the signal aborts.
 */
export async function watchRun(request, { view, signal, onBegin }) {
  const live = new LiveRun();
  /** @type {Set<LiveHop>} */
  const changed = new Set();
  let frame = 0;
  const paint = () => {
    frame = 0;
    if (signal.aborted) return;
    // Bars of those that run grow with time; the rest changes when something happens.
    for (const hop of live.hops.values()) {
      if (hop.outcome === undefined || hop.progress !== undefined) changed.add(hop);
    }
    view.showLive(live, changed);
    changed.clear();
  };
  const paintSoon = () => {
    frame ||= requestAnimationFrame(paint);
  };
  const clock = setInterval(paintSoon, tickMs);
  view.begin(request.query);
  try {
    for await (const event of askAndWatch(request, signal)) {
      if (event.event === "run") {
        onBegin(event.data.runId);
      } else if (event.event === "response") {
        const { confidence, error } = event.data.response;
        if (confidence !== undefined) live.record.confidence = confidence;
        if (error !== undefined) live.record.error = error;
        paint();
        view.showResponse(event.data.response);
      } else {
        const hop = live.add(event);
        if (hop !== undefined) changed.add(hop);
        paintSoon();
      }
    }
  } finally {
    clearInterval(clock);
    cancelAnimationFrame(frame);
  }
}
