import { parseTraceparent, type TraceContext } from "@constellation/core";
import { traceOfSpan } from "@constellation/core/checks";
import { withBaggage } from "@constellation/transport/envelope";
import {
  context,
  createTraceState,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { FastifyRequest } from "fastify";

/** The span of one request, and the place of its run in the trace. */
export interface RequestTrace {
  /** Absent where the caller sent none and no tracing SDK is registered. */
  readonly place: TraceContext | undefined;
  /** Calls `work` with the span as the active one, and the caller's baggage. */
  within<Result>(work: () => Result): Result;
  /** Ends the span. */
  end(status: number): void;
}

/**
 * Takes over the caller's `traceparent`. Opens a span of kind SERVER, unless something that
 * instruments HTTP has done so already.
 *
 * @param baggage - What the envelope of a calling mesh brings.
 */
export function openRequestTrace(
  request: FastifyRequest,
  route: string,
  baggage?: string,
): RequestTrace {
  const within =
    (span: Span): RequestTrace["within"] =>
    (work) =>
      context.with(withBaggage(trace.setSpan(context.active(), span), baggage), work);
  const active = trace.getActiveSpan();
  if (active !== undefined) {
    return { place: toTraceContext(active), within: within(active), end: () => undefined };
  }
  const { method, headers } = request;
  const caller = callerTrace(headers.traceparent, headers.tracestate);
  const span = trace.getTracer("@constellation/server").startSpan(
    `${method} ${route}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "url.scheme": request.protocol,
      },
    },
    caller === undefined ? context.active() : toSpanContext(caller),
  );
  return {
    place: toTraceContext(span),
    within: within(span),
    end(status) {
      span.setAttribute("http.response.status_code", status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function callerTrace(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  return parseTraceparent(traceparent, typeof tracestate === "string" ? tracestate : undefined);
}

function toSpanContext({ traceId, spanId, traceFlags = 1, traceState }: TraceContext) {
  return trace.setSpanContext(context.active(), {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  });
}

function toTraceContext(span: Span): TraceContext | undefined {
  return isSpanContextValid(span.spanContext()) ? traceOfSpan(span) : undefined;
}
