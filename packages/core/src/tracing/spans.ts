import type {
  Attributes,
  Context as OtelContext,
  Span,
  SpanKind,
  Tracer,
  TracerProvider,
} from "@opentelemetry/api";
import { type ErrorInfo, errorCodes, errorReasons } from "../contract/error-code.js";
import { releaseVersion } from "../contract/release-version.js";
import type { TraceContext } from "../contract/trace-context.js";
import { describeType } from "../contract/unknown-value.js";
import { attributes } from "./attributes.js";
import { loadedApi, type OtelApi, otelApi } from "./otel-api.js";

const schemaUrl = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

let provider: TracerProvider | undefined;
let tracer: Tracer | undefined;

/**
 * The tracer to use now. `undefined` while no SDK is registered: then nothing else here need run.
 *
 * @beta
 */
export function activeTracer(): Tracer | undefined {
  const api = otelApi();
  if (api === undefined) return undefined;
  const current = findProvider(api);
  if (current === undefined) return undefined;
  if (current !== provider) {
    provider = current;
    tracer = current.getTracer("@constellation/core", releaseVersion, { schemaUrl });
  }
  return tracer;
}

/** The registered provider; `undefined` for a proxy without an SDK behind it. */
function findProvider({ trace, ProxyTracerProvider }: OtelApi): TracerProvider | undefined {
  const registered = trace.getTracerProvider();
  if (!(registered instanceof ProxyTracerProvider)) return registered;
  const delegate = registered.getDelegate();
  noProvider ??= new ProxyTracerProvider().getDelegate();
  return delegate === noProvider ? undefined : delegate;
}

/** What `getDelegate` returns as long as no SDK has been registered. */
let noProvider: TracerProvider | undefined;

/** The parts of the API that every hop needs: reading one from the API goes through a getter. */
let apiParts: Pick<OtelApi, "context" | "SpanKind" | "trace"> | undefined;

function parts(): Pick<OtelApi, "context" | "SpanKind" | "trace"> {
  if (apiParts === undefined) {
    const { context, SpanKind, trace } = loadedApi();
    apiParts = { context, SpanKind, trace };
  }
  return apiParts;
}

/**
 * A span, and the OpenTelemetry context in which it is the active one.
 *
 * @beta
 */
export interface ActiveSpan {
  readonly span: Span;
  readonly within: OtelContext;
}

/**
 * Opens a span.
 *
 * @param parent - Context of the parent span; the active one where not given.
 *
 * @beta
 */
export function openSpan(
  using: Tracer,
  name: string,
  attributes: Attributes,
  parent?: OtelContext,
  kind: keyof typeof SpanKind = "INTERNAL",
): ActiveSpan {
  const api = parts();
  const above = parent ?? api.context.active();
  const span = using.startSpan(name, { kind: api.SpanKind[kind], attributes }, above);
  return { span, within: api.trace.setSpan(above, span) };
}

/**
 * Calls `work` with a span as the active one, so that what it calls is traced below it.
 *
 * @beta
 */
export function inSpan<Result>({ within }: ActiveSpan, work: () => Result): Result {
  return parts().context.with(within, work);
}

/**
 * The active context, with the caller's trace in it where one is given. Its span is remote: it is
 * the parent of the run's span, and nothing here ends it.
 *
 * @beta
 */
export function contextOfTrace(parent: TraceContext | undefined): OtelContext {
  const { context, createTraceState, trace } = loadedApi();
  if (parent === undefined) return context.active();
  const { traceId, spanId, traceFlags = 1, traceState } = parent;
  return trace.setSpanContext(context.active(), {
    traceId,
    spanId,
    traceFlags,
    isRemote: true,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  });
}

/**
 * The place of a span, as a librarian reads it.
 *
 * @beta
 */
export function traceOfSpan(span: Span): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  return { traceId, spanId, traceFlags, traceState: traceState?.serialize() };
}

/** Links a merge to a response it used. */
export function linkFanIn(merge: Span, used: Span): void {
  merge.addLink({
    context: used.spanContext(),
    attributes: { [attributes.linkType]: "fan_in" },
  });
}

/** Links a hop to the one whose response it has. */
export function linkShared(hop: Span, leader: Span): void {
  hop.addLink({ context: leader.spanContext(), attributes: { [attributes.linkType]: "shared" } });
}

/** An id for a span. A value that cannot be an id is described, not recorded, because a caller can pass any text. */
export function idText(id: string): string {
  return /^[\w.:/-]{1,128}$/.test(id) ? id : describeType(id);
}

/** Source: semantic conventions for generative AI, `gen_ai.input.messages`. */
export function formatMessage(role: "user" | "assistant", content: string): string {
  return JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
}

/**
 * Marks a span with its failure: status Error and `error.type`. A call that was cancelled has not
 * failed: it is marked as cancelled, and its status stays unset, as is that of a wait. The message of the error is not
 * recorded: what others wrote may hold a secret.
 *
 * @beta
 */
export function recordFailure(span: Span, { code, details }: ErrorInfo): void {
  const { reason } = details ?? {};
  if (typeof reason === "string" && Object.hasOwn(errorReasons, reason)) {
    span.setAttribute(attributes.errorReason, reason);
  }
  if (code === "TIMEOUT" && reason === "cancelled") {
    span.setAttribute(attributes.cancelled, true);
    return;
  }
  if (reason === "waiting") return;
  span.setAttribute(attributes.errorType, code);
  span.setStatus({ code: loadedApi().SpanStatusCode.ERROR, message: errorCodes[code].meaning });
}
