import { context, SpanKind, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** A span as tests compare it, wherever it was recorded. */
export interface KeptSpan {
  readonly traceId: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  /** As in `SpanKind`. */
  readonly kind: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Registers a tracing SDK that keeps finished spans in memory. */
export function keepSpans(): { finished(): readonly KeptSpan[]; close(): Promise<void> } {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  trace.setGlobalTracerProvider(provider);
  return {
    finished: () => exporter.getFinishedSpans().map(keptOf),
    async close() {
      trace.disable();
      context.disable();
      await provider.shutdown();
    },
  };
}

function keptOf(span: ReadableSpan): KeptSpan {
  const { traceId, spanId } = span.spanContext();
  return {
    traceId,
    id: spanId,
    parent: span.parentSpanContext?.spanId,
    name: span.name,
    kind: SpanKind[span.kind],
    attributes: span.attributes,
  };
}

/** The names and kinds from a span up to its root, the root first. */
export function lineOf(spans: readonly KeptSpan[], name: string): readonly string[] {
  let at = spans.find((span) => span.name === name);
  const line: string[] = [];
  while (at !== undefined) {
    const { parent, kind } = at;
    line.unshift(`${kind} ${at.name}`);
    at = spans.find(({ id }) => id === parent);
  }
  return line;
}
