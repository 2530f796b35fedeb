import { attributes } from "../tracing/attributes.js";
import { type ActiveSpan, inSpan, linkFanIn, openSpan, recordFailure } from "../tracing/spans.js";
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

/** Merges its branches in a span of its own, so that what a merge function does is traced below it. */
export function mergeInSpan(
  hop: Hop,
  { name }: Strategy,
  fanoutSize: number,
  merge: () => Promise<Merged>,
): Promise<Merged> {
  const { run, to } = hop;
  if (run.tracer === undefined) return merge();
  const merging = openSpan(
    run.tracer,
    `merge ${name}`,
    {
      [attributes.librarianId]: to,
      [attributes.strategy]: name,
      [attributes.fanoutSize]: fanoutSize,
    },
    (hop.span ?? run.span)?.within,
  );
  return inSpan(merging, () => endWith(merging, hop, merge()));
}

/** Ends the span of a merge, with a link to each answer it used. */
async function endWith(
  { span }: ActiveSpan,
  { run }: Hop,
  merging: Promise<Merged>,
): Promise<Merged> {
  try {
    const merged = await merging;
    const { response, used, missing } = merged;
    for (const each of used) {
      if (each.span !== undefined) linkFanIn(span, each.span.span);
    }
    span.setAttribute(attributes.missingCount, missing.length);
    if (response.answer === undefined && response.error !== undefined) {
      recordFailure(span, response.error, run.settings.recordContent);
    }
    return merged;
  } finally {
    span.end();
  }
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
