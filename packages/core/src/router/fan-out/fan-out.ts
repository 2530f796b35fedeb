import pLimit from "p-limit";
import type { DelegateRequest, Response } from "../../contract/response.js";
import { now } from "../run/deadline-timer.js";
import { beyondMaxFanout, fanOutDecided } from "../run/errors.js";
import { delegateHop, extrasOf } from "../run/hop.js";
import type { Arrival, FanOut, Hop, StartFollow } from "../run/model.js";
import { mergeFanOut } from "./merge.js";
import { readStrategy, type Strategy } from "./strategy.js";

/**
 * Asks several librarians at once and makes one response of theirs.
 *
 * @param hop - The hop that delegates.
 * @param own - Its response; an answer in it takes part.
 * @param delegates - One or more, in the order asked.
 * @param startFollow - Continues the query with each of them.
 */
export async function fanOut(
  hop: Hop,
  own: Response,
  delegates: readonly DelegateRequest[],
  startFollow: StartFollow,
): Promise<Response> {
  const { run } = hop;
  const { maxFanout, fanoutConcurrency } = run.mesh.settings;
  const strategy = readStrategy(own.merge ?? hop.merge ?? run.merge, run.mesh.settings);
  const startedAt = now();
  run.shared ??= new Map(); // from here on equal calls are possible
  const asked = delegates.length > maxFanout ? delegates.slice(0, maxFanout) : delegates;
  const children = asked.map((each) => delegateHop(hop, each, startedAt));
  const notAsked = delegates.slice(maxFanout).map(({ to }) => beyondMaxFanout(to, maxFanout));
  const fan: FanOut = {
    hop,
    own,
    children,
    arrivals: [],
    notAsked,
    strategy: strategy.name,
    startedAt,
  };

  run.observer?.fanOutStarted(fan);
  await askAll(fan, strategy, fanoutConcurrency, startFollow);
  if (fan.arrivals.length < children.length) close(hop, strategy);
  if (strategy.isDecided(fan.arrivals)) run.waits?.withdrawBelow(hop);

  const { observer } = run;
  if (observer === undefined) return (await mergeFanOut(fan, strategy)).response;
  observer.mergeStarted(fan);
  const merged = await observer.within(fan, () => mergeFanOut(fan, strategy));
  observer.fanOutEnded(fan, merged);
  return merged.response;
}

/** Stops everything below a hop, and prevents new work there. */
function close(hop: Hop, { name }: Strategy): void {
  const decided = fanOutDecided(name);
  extrasOf(hop).closed = decided;
  hop.run.calls.stopBelow(hop, decided);
}

/** Asks them, at most `concurrency` at once, until all have answered or the strategy has enough. */
function askAll(
  { children, arrivals }: FanOut,
  strategy: Strategy,
  concurrency: number,
  startFollow: StartFollow,
): Promise<void> {
  return new Promise((resolve) => {
    let isOpen = true;

    const arrive = (index: number, response: Response): void => {
      if (!isOpen) return;
      arrivals.push({ index, response } satisfies Arrival);
      if (arrivals.length === children.length || strategy.isDecided(arrivals)) {
        isOpen = false;
        resolve();
      }
    };

    if (children.length <= concurrency) {
      children.forEach((child, index) => {
        startFollow(child, (response) => {
          if (response instanceof Promise) void response.then((late) => arrive(index, late));
          else arrive(index, response);
        });
      });
      return;
    }
    // Bounds the branches of this response only: each fan-out has a limiter of its own, so that
    // nested ones cannot wait for each other's slots.
    const limit = pLimit(concurrency);
    for (const [index, child] of children.entries()) {
      void limit(() => {
        if (!isOpen) return undefined;
        child.startedAt = now(); // it has waited
        const response = new Promise<Response>((done) => startFollow(child, done));
        return response.then((arrived) => arrive(index, arrived));
      });
    }
  });
}
