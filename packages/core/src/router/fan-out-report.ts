import { attributes } from "../tracing/attributes.js";
import { type ActiveSpan, linkFanIn, openSpan, recordFailure } from "../tracing/spans.js";
import type { Hop } from "./hop.js";
import type { Merged } from "./merge.js";
import type { Strategy } from "./strategy.js";

/** A hop delegates to several. */
export function reportFanOutStart(
  { run, id, to }: Hop,
  children: readonly Hop[],
  { name }: Strategy,
  notAsked: number,
): void {
  if (!run.isObserved) return;
  run.emit({
    type: "fanout:start",
    runId: run.id,
    at: Date.now(),
    hopId: id,
    to,
    delegates: children.map((child) => child.to),
    strategy: name,
    notAsked,
  });
}

/** Opens the span in which its branches are merged. */
export function openMerge(
  { run, to, span }: Hop,
  { name }: Strategy,
  fanoutSize: number,
): ActiveSpan | undefined {
  if (run.tracer === undefined || run.span?.span.isRecording() === false) return undefined;
  const values = {
    [attributes.librarianId]: to,
    [attributes.strategy]: name,
    [attributes.fanoutSize]: fanoutSize,
  };
  return openSpan(run.tracer, `merge ${name}`, values, (span ?? run.span)?.within);
}

/** Ends the span of a merge, with a link to each answer it used. */
export function endMerge({ span }: ActiveSpan, { run }: Hop, merged: Merged): void {
  const { response, used, missing } = merged;
  for (const each of used) {
    if (each.span !== undefined) linkFanIn(span, each.span.span);
  }
  span.setAttribute(attributes.missingCount, missing.length);
  if (response.answer === undefined && response.error !== undefined) {
    recordFailure(span, response.error, run.settings.recordContent);
  }
  span.end();
}

/** Its branches have become one response. */
export function reportFanOutEnd(
  { run, id, to }: Hop,
  { name }: Strategy,
  { used, missing }: Merged,
  durationMs: number,
): void {
  if (!run.isObserved) return;
  run.emit({
    type: "fanout:end",
    runId: run.id,
    at: Date.now(),
    hopId: id,
    to,
    strategy: name,
    used: used.map((each) => each.to),
    missing,
    durationMs,
  });
}
