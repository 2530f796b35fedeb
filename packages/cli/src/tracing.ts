import type { CommandIO } from "./command-io.js";
import type { Mesh } from "./mesh/load-mesh.js";
import { sanitizeLine } from "./terminal/sanitize-line.js";

/** The trace of what a command does. */
export interface Tracing {
  /** Id of the trace; only with `--trace`. */
  readonly traceId: string | undefined;
  /** Runs work as part of the trace. */
  within<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Sends unsent data. */
  close(): Promise<void>;
}

/** OTLP endpoint when none is configured. */
const defaultEndpoint = "http://localhost:4318";
const sendTimeoutMs = 2_000;

/**
 * Starts telemetry where the mesh file or the environment asks for it, or the user does with
 * `--trace`; otherwise nothing of it is loaded.
 */
export async function startTracing(
  mesh: Mesh,
  { env, stderr }: CommandIO,
  { name, trace = false }: { readonly name: string; readonly trace?: boolean },
): Promise<Tracing> {
  const named = mesh.telemetry?.endpoint ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const tracesOnly = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (!trace && !named && !tracesOnly) {
    return { traceId: undefined, within: (work) => work(), close: async () => {} };
  }
  // Without an endpoint here, telemetry reads those of the environment.
  const endpoint = named || (tracesOnly ? undefined : defaultEndpoint);

  const { startTelemetry } = await import("@constellation/telemetry");
  let problem: string | undefined;
  const telemetry = await startTelemetry({
    serviceName: mesh.name,
    ...mesh.telemetry,
    endpoint,
    flushOnExit: false,
    ...(trace && { sampleRatio: 1 }),
    onWarning(message) {
      // With --trace, one line reports the trace. Failures of metrics are not reported.
      if (trace && message.includes("being lost")) problem ??= message;
      if (!trace) stderr.write(`${sanitizeLine(message)}\n`);
    },
  });
  telemetry.recordMetrics(mesh.router, { workflowName: mesh.name });
  const close = () => telemetry.shutdown({ timeoutMs: sendTimeoutMs });
  if (!trace) return { traceId: undefined, within: (work) => work(), close };

  const api = await import("@opentelemetry/api");
  const span = api.trace.getTracer("@constellation/cli").startSpan(name);
  const { traceId } = span.spanContext();
  return {
    traceId,
    within: (work) => api.context.with(api.trace.setSpan(api.context.active(), span), work),
    async close() {
      span.end();
      await close();
      stderr.write(
        problem === undefined
          ? `Trace: ${[traceId, linkTo(traceId, env.JAEGER_UI)].filter(Boolean).join(" ")}\n`
          : `Trace: ${traceId} could not be sent. ${sanitizeLine(problem)} Set OTEL_EXPORTER_OTLP_ENDPOINT to where traces are received.\n`,
      );
    },
  };
}

function linkTo(traceId: string, ui: string | undefined): string | undefined {
  if (!ui) return undefined;
  return `${ui.endsWith("/") ? ui : `${ui}/`}trace/${traceId}`;
}
