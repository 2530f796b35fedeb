import pLimit from "p-limit";
import type { MeshError } from "../contract/mesh-error.js";
import type { DelegateRequest, MissingBranch, Response } from "../contract/response.js";
import { inSpan } from "../tracing/spans.js";
import { now } from "./alarm.js";
import {
  type OpenFanOut,
  openMerge,
  reportFanOutEnd,
  reportFanOutStart,
} from "./fan-out-report.js";
import { follow } from "./follow.js";
import type { Hop } from "./hop.js";
import { mergeFanOut } from "./merge.js";
import { observe } from "./observe.js";
import { cancelled } from "./run-state.js";
import { type Arrival, type Strategy, strategyOf } from "./strategy.js";

/**
 * Asks several librarians at once and makes one response of theirs.
 *
 * @param hop - Who delegates.
 * @param own - Its response; an answer in it takes part.
 * @param delegates - One or more, in the order asked.
 */
export async function fanOut(
  hop: Hop,
  own: Response,
  delegates: readonly DelegateRequest[],
): Promise<Response> {
  const { run } = hop;
  const { maxFanout } = run.settings;
  const strategy = strategyOf(own.merge ?? hop.merge ?? run.merge);
  const current = now();
  const children = delegates.slice(0, maxFanout).map((each) => hop.delegateTo(each, current));
  const notAsked = delegates.slice(maxFanout).map((each) => overFanout(each, maxFanout));

  const arrivals: Arrival[] = [];
  const open: OpenFanOut = { hop, children, arrivals, notAsked, strategy, startedAt: current };
  observe(run, () => reportFanOutStart(open));
  await askAll(children, arrivals, strategy, run.settings.fanoutConcurrency);
  if (arrivals.length < children.length) run.close(hop, decided(strategy));

  if (!run.isOver) observe(run, () => openMerge(open)); // else no one waits for it
  const { merging } = open;
  const merge = () => mergeFanOut({ hop, own, children, arrivals, notAsked, strategy });
  const merged = await (merging === undefined ? merge() : inSpan(merging, merge));
  observe(run, () => reportFanOutEnd(open, merged));
  return merged.response;
}

/**
 * Asks them, at most `concurrency` at once, until all have answered or the strategy has enough.
 *
 * @param arrivals - Gets their responses, in the order they come; none after the end.
 */
function askAll(
  children: readonly Hop[],
  arrivals: Arrival[],
  strategy: Strategy,
  concurrency: number,
): Promise<void> {
  return new Promise((resolve) => {
    let isOpen = true;

    const ask = (child: Hop, index: number): Promise<void> =>
      follow(child).then((response) => {
        if (!isOpen) return;
        arrivals.push({ index, response });
        if (arrivals.length === children.length || strategy.isDecided(arrivals)) {
          isOpen = false;
          resolve();
        }
      });

    if (children.length <= concurrency) {
      children.forEach((child, index) => void ask(child, index));
      return;
    }
    // Bounds the branches of this response only: each fan-out has a limiter of its own, so that
    // nested ones cannot wait for each other's slots.
    const limit = pLimit(concurrency);
    for (const [index, child] of children.entries()) {
      void limit(() => {
        if (!isOpen) return undefined;
        child.startedAt = now(); // it has waited
        return ask(child, index);
      });
    }
  });
}

function overFanout({ to }: DelegateRequest, maxFanout: number): MissingBranch {
  return {
    to,
    code: "MAX_DEPTH_EXCEEDED",
    reason: "budget-exceeded",
    message: `Not asked: a response may have ${maxFanout} delegates.`,
  };
}

function decided({ name }: Strategy): MeshError {
  return cancelled(`The fan-out is decided (${name}).`);
}
