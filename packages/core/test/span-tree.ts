import { attributes, type HopRecord, type RunRecord } from "@constellation/core";

/** What the comparison reads of a finished span, wherever it came from. */
export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: "internal" | "client" | "other";
  readonly status: "unset" | "ok" | "error";
  readonly statusMessage: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly SpanLink[];
  /** Epoch milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A link of a {@link FinishedSpan}. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A hop with those below it, as a run record and as a trace tell it. */
export interface HopNode {
  readonly to: string;
  readonly id: number;
  readonly depth: number;
  readonly via: string;
  readonly outcome: string | undefined;
  readonly confidence: number | undefined;
  readonly sources: number | undefined;
  /** Code of a failure; absent where the librarian answered all the same. */
  readonly error: string | undefined;
  readonly abandoned: boolean;
  readonly merge: MergeNode | undefined;
  readonly children: readonly HopNode[];
}

/** A merge, with whose answers it used. */
export interface MergeNode {
  readonly strategy: string;
  readonly missing: number;
  readonly used: readonly string[];
}

/** A run with its hops. */
export interface RunNode {
  readonly runId: string;
  readonly stopReason: string | undefined;
  readonly error: string | undefined;
  readonly hops: readonly HopNode[];
}

/** The tree of a run as its record has it. */
export function treeOfRecord(record: RunRecord): RunNode {
  const { runId, stopReason, error, hops } = record;
  const answered = stopReason === "answered" || stopReason === "partial";
  return {
    runId,
    stopReason,
    error: answered ? undefined : error?.code,
    hops: hops.filter(({ parentId }) => parentId === undefined).map((hop) => nodeOf(hop, hops)),
  };
}

function nodeOf(hop: HopRecord, all: readonly HopRecord[]): HopNode {
  const { id, to, depth, via, outcome, confidence, sources, abandoned, fanOut } = hop;
  const failed = outcome === "error" || outcome === "refused" || outcome === "cancelled";
  return {
    to,
    id,
    depth,
    via,
    outcome,
    confidence,
    sources,
    error: failed ? hop.error?.code : undefined,
    abandoned: abandoned === true,
    merge:
      fanOut?.used === undefined
        ? undefined
        : {
            strategy: fanOut.strategy,
            missing: fanOut.missing?.length ?? 0,
            used: fanOut.used,
          },
    children: all.filter(({ parentId }) => parentId === id).map((child) => nodeOf(child, all)),
  };
}

/** The tree of every run among some spans, oldest first, by parents and attributes only. */
export function treesOfSpans(spans: readonly FinishedSpan[]): readonly RunNode[] {
  return spans
    .filter((span) => operationOf(span) === "invoke_workflow")
    .sort((a, b) => a.startMs - b.startMs)
    .map((run) => ({
      runId: text(run, attributes.runId) ?? "",
      stopReason: text(run, attributes.stopReason),
      error: errorOf(run),
      hops: hopsBelow(run, spans),
    }));
}

function hopsBelow(parent: FinishedSpan, spans: readonly FinishedSpan[]): readonly HopNode[] {
  return childrenOf(parent, spans)
    .filter((span) => operationOf(span) === "invoke_agent")
    .map((span) => hopNodeOf(span, spans))
    .sort((a, b) => a.id - b.id);
}

function hopNodeOf(span: FinishedSpan, spans: readonly FinishedSpan[]): HopNode {
  const merge = childrenOf(span, spans).find(({ name }) => name.startsWith("merge "));
  return {
    to: text(span, attributes.agentName) ?? "",
    id: number(span, attributes.hopId) ?? 0,
    depth: number(span, attributes.depth) ?? 0,
    via: text(span, attributes.mode) ?? "",
    outcome: text(span, attributes.outcome),
    confidence: number(span, attributes.confidence),
    sources: number(span, attributes.sourcesCount),
    error: errorOf(span),
    abandoned: span.attributes[attributes.abandoned] === true,
    merge:
      merge === undefined
        ? undefined
        : {
            strategy: text(merge, attributes.strategy) ?? "",
            missing: number(merge, attributes.missingCount) ?? 0,
            used: linkedTo(merge, spans),
          },
    children: hopsBelow(span, spans),
  };
}

function childrenOf(
  { traceId, spanId }: FinishedSpan,
  spans: readonly FinishedSpan[],
): readonly FinishedSpan[] {
  return spans.filter((span) => span.traceId === traceId && span.parentSpanId === spanId);
}

/** Ids of the librarians whose hops a merge is linked to. */
export function linkedTo(
  { links }: FinishedSpan,
  spans: readonly FinishedSpan[],
): readonly string[] {
  return links
    .filter((link) => link.attributes[attributes.linkType] === "fan_in")
    .map(({ spanId }) => {
      const linked = spans.find((span) => span.spanId === spanId);
      return linked === undefined ? "?" : (text(linked, attributes.agentName) ?? "?");
    });
}

function operationOf(span: FinishedSpan): string | undefined {
  return text(span, attributes.operationName);
}

/** A cancelled call has not failed, so its span names no code; its record does. */
function errorOf(span: FinishedSpan): string | undefined {
  return span.attributes[attributes.cancelled] === true
    ? "TIMEOUT"
    : text(span, attributes.errorType);
}

function text({ attributes: values }: FinishedSpan, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function number({ attributes: values }: FinishedSpan, name: string): number | undefined {
  const value = values[name];
  return typeof value === "number" ? value : undefined;
}
