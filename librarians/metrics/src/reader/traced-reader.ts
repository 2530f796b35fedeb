import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { MetricsReader } from "./metrics-reader.js";

const tracer = trace.getTracer("@constellation/librarian-metrics");

/** Wraps a reader so that every read creates a span `execute_tool prometheus.{read}` with its query.
 *
 * Source: OpenTelemetry semantic conventions for generative AI, `execute_tool`.
 */
export function tracedReader(reader: MetricsReader): MetricsReader {
  return {
    name: reader.name,
    now: () => reader.now(),
    range: (query, options) => traced("range", query, () => reader.range(query, options)),
    labelNames: (options) => traced("labels", options.match, () => reader.labelNames(options)),
    labelValues: (label, options) =>
      traced("values", options.match, () => reader.labelValues(label, options)),
    alerts: (options) => traced("alerts", undefined, () => reader.alerts(options)),
    targets: (options) => traced("targets", undefined, () => reader.targets(options)),
    rules: (options) => traced("rules", undefined, () => reader.rules(options)),
    ...(reader.linkTo !== undefined && { linkTo: (query) => reader.linkTo?.(query) ?? "" }),
  };
}

async function traced<Result>(
  read: string,
  query: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const tool = `prometheus.${read}`;
  const span = tracer.startSpan(`execute_tool ${tool}`, {
    kind: SpanKind.INTERNAL,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      ...(query !== undefined && { "db.query.text": query.slice(0, 1_000) }),
    },
  });
  try {
    return await work();
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", code);
    throw thrown;
  } finally {
    span.end();
  }
}
