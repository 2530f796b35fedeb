import {
  context,
  propagation,
  type SpanKind,
  type SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { FinishedSpan } from "./span-tree.js";

/** A tracing SDK that keeps finished spans in memory. */
export interface InMemorySpans {
  /** Those finished so far, in the order they ended. */
  finished(): readonly FinishedSpan[];
  /** The same, as the SDK has them. */
  readable(): readonly ReadableSpan[];
  /** The only one with this name. */
  named(name: string): FinishedSpan;
  /** Takes the SDK out again. */
  close(): Promise<void>;
}

/** Registers the SDK; spans of the context manager's contexts are found across awaits. */
export function keepSpans(): InMemorySpans {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const finished = () => exporter.getFinishedSpans().map(finishedSpanOf);
  return {
    finished,
    readable: () => exporter.getFinishedSpans(),
    named(name) {
      const [span, ...others] = finished().filter((each) => each.name === name);
      if (span === undefined || others.length > 0) {
        const names = finished().map((each) => each.name);
        throw new Error(`Expected one span "${name}" among ${names.join(", ")}.`);
      }
      return span;
    },
    async close() {
      trace.disable();
      context.disable();
      propagation.disable();
      await provider.shutdown();
    },
  };
}

const kinds: Partial<Record<SpanKind, FinishedSpan["kind"]>> = { 0: "internal", 2: "client" };
const statuses: Record<SpanStatusCode, FinishedSpan["status"]> = {
  0: "unset",
  1: "ok",
  2: "error",
};

function finishedSpanOf(span: ReadableSpan): FinishedSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    name: span.name,
    kind: kinds[span.kind] ?? "other",
    status: statuses[span.status.code],
    statusMessage: span.status.message,
    attributes: span.attributes,
    links: span.links.map((link) => ({
      traceId: link.context.traceId,
      spanId: link.context.spanId,
      attributes: link.attributes ?? {},
    })),
    startMs: millisecondsOf(span.startTime),
    endMs: millisecondsOf(span.endTime),
  };
}

function millisecondsOf([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
