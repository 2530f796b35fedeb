import type { MissingBranch } from "../contract/response.js";
import { attributes } from "../tracing/attributes.js";
import { type ActiveSpan, linkFanIn, openSpan, recordFailure } from "../tracing/spans.js";
import { now } from "./alarm.js";
import type { Hop } from "./hop.js";
import { type Merged, missingOf } from "./merge.js";
import type { RunState } from "./run-state.js";
import type { Arrival, Strategy } from "./strategy.js";

/** A fan-out whose start has been reported and whose end has not. */
export interface OpenFanOut {
  readonly hop: Hop;
  readonly children: readonly Hop[];
  /** What has come back so far. */
  readonly arrivals: readonly Arrival[];
  readonly notAsked: readonly MissingBranch[];
  readonly strategy: Strategy;
  /** Moment on the clock of `now()`. */
  readonly startedAt: number;
  /** Span of its merge, once that has begun. */
  merging?: ActiveSpan | undefined;
}

/** A hop delegates to several. */
export function reportFanOutStart(fanOut: OpenFanOut): void {
  const { hop, children, notAsked, strategy } = fanOut;
  const { run, id, to } = hop;
  run.openFanOuts ??= new Set();
  run.openFanOuts.add(fanOut);
  if (!run.isObserved) return;
  run.emit({
    type: "fanout:start",
    runId: run.id,
    at: Date.now(),
    hopId: id,
    to,
    delegates: children.map((child) => child.to),
    strategy: strategy.name,
    notAsked: notAsked.length,
  });
}

/** Opens the span in which its branches are merged. */
export function openMerge(fanOut: OpenFanOut): void {
  const { run, to, span } = fanOut.hop;
  const { name } = fanOut.strategy;
  if (run.tracer === undefined || run.span?.span.isRecording() === false) return;
  const values = {
    [attributes.librarianId]: to,
    [attributes.strategy]: name,
    [attributes.fanoutSize]: fanOut.children.length + fanOut.notAsked.length,
  };
  fanOut.merging = openSpan(run.tracer, `merge ${name}`, values, (span ?? run.span)?.within);
}

/** Ends the span of a merge, with a link to each answer it used. */
function endMerge({ span }: ActiveSpan, { run }: Hop, { response, used, missing }: Merged): void {
  for (const each of used) {
    if (each.span !== undefined) linkFanIn(span, each.span.span);
  }
  span.setAttribute(attributes.missingCount, missing.length);
  if (response.answer === undefined && response.error !== undefined) {
    recordFailure(span, response.error, run.settings.recordContent);
  }
  span.end();
}

/** Its branches have become one response. Reports nothing when the run ended before that. */
export function reportFanOutEnd(fanOut: OpenFanOut, merged: Merged): void {
  const { hop, strategy, startedAt, merging } = fanOut;
  const { run, id, to } = hop;
  if (run.openFanOuts?.delete(fanOut) !== true) return;
  if (merging !== undefined) endMerge(merging, hop, merged);
  if (!run.isObserved) return;
  const { used, missing } = merged;
  run.emit({
    type: "fanout:end",
    runId: run.id,
    at: Date.now(),
    hopId: id,
    to,
    strategy: strategy.name,
    used: used.map((each) => each.to),
    missing,
    durationMs: now() - startedAt,
  });
}

/** Ends the fan-outs of a run that is over: no one waits for their branches. */
export function reportFanOutsCut(run: RunState): void {
  const response = {};
  for (const fanOut of [...(run.openFanOuts ?? [])].reverse()) {
    reportFanOutEnd(fanOut, { response, used: [], missing: missingOf(fanOut) });
  }
}
