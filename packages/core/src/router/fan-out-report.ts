import type { Link } from "@opentelemetry/api";
import { attributes } from "../tracing/attributes.js";
import { fanInLink, openSpan, recordFailure } from "../tracing/spans.js";
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

/** Its branches have become one response. The merge has a span with a link to each answer it used. */
export function reportFanOutEnd(
  hop: Hop,
  { name }: Strategy,
  { response, used, missing }: Merged,
  durationMs: number,
): void {
  const { run, id, to } = hop;
  if (run.tracer !== undefined) {
    const links: Link[] = used.flatMap((each) =>
      each.span === undefined ? [] : fanInLink(each.span.span.spanContext()),
    );
    const values = {
      [attributes.librarianId]: to,
      [attributes.strategy]: name,
      [attributes.fanoutSize]: used.length + missing.length,
      [attributes.missingCount]: missing.length,
    };
    const { span } = openSpan(
      run.tracer,
      `merge ${name}`,
      { attributes: values, links },
      (hop.span ?? run.span)?.within,
    );
    if (response.answer === undefined && response.error !== undefined) {
      recordFailure(span, response.error);
    }
    span.end();
  }
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
