import type { Attributes } from "@opentelemetry/api";
import type { ErrorInfo } from "../contract/error-info.js";
import type { Librarian } from "../contract/librarian.js";
import type { MeshError } from "../contract/mesh-error.js";
import type { Progress } from "../contract/progress.js";
import type { Response } from "../contract/response.js";
import { describeType, isRecord } from "../contract/unknown-value.js";
import { delegatesOf } from "../contract/validate-response.js";
import type { HopPlace, Outcome } from "../events/events.js";
import { attributes } from "../tracing/attributes.js";
import { type ActiveSpan, inSpan, messageOf, openSpan, recordFailure } from "../tracing/spans.js";
import { now } from "./alarm.js";
import type { Hop } from "./hop.js";
import { observe } from "./observe.js";
import { whenHeard } from "./when-heard.js";

// What a hop tells events and spans. It reports and never decides; without a listener and without a
// tracing SDK none of it costs more than a look at two fields.

const longestMessage = 4_000;
const longestText = 65_536;
const longestReason = 1_000;
/** Refused hops of one run that have a span. */
const maxRefusalSpans = 1_000;

/** A hop is about to call its librarian. */
export function reportStart(hop: Hop): void {
  const { run } = hop;
  hop.id = run.nextHopId();
  if (run.isObserved) {
    const timeoutMs = hop.endsAt - hop.startedAt;
    run.emit({ type: "hop:start", ...placeOf(hop), timeoutMs, attempt: 1 });
  }
  hop.span = openHopSpan(hop);
}

/** Calls a librarian with its hop's span as the active one. */
export function callInSpan(span: ActiveSpan, librarian: Librarian, hop: Hop): Promise<Response> {
  return inSpan(span, () => librarian(hop.query, hop.context));
}

/** A hop is over. One that was stopped keeps its span until it is known whether it obeyed. */
export function reportEnd(hop: Hop, response: Response, failure: MeshError | undefined): void {
  const { run, span } = hop;
  const outcome = outcomeOf(response);
  const endedAt = Date.now();
  if (run.isObserved) {
    const delegates = delegatesOf(response);
    run.emit({
      type: "hop:end",
      ...nameOf(hop),
      durationMs: now() - hop.startedAt,
      outcome,
      ...(response.confidence !== undefined && { confidence: response.confidence }),
      ...(response.sources !== undefined && { sources: response.sources.length }),
      ...(delegates.length > 0 && { delegates: delegates.map(({ to }) => to) }),
      ...(response.error !== undefined && { error: response.error }),
      ...(failure?.cause !== undefined && { cause: failure.cause }),
    });
  }
  if (!hop.hasSettled) whenHeard(() => observe(run, () => reportObedience(hop, response, endedAt)));
  if (span !== undefined) {
    describeEnd(span, response, outcome, run.settings.recordContent);
    if (hop.hasSettled) span.span.end();
  }
}

function reportObedience(hop: Hop, { error }: Response, endedAt: number): void {
  if (hop.hasSettled) return;
  if (hop.run.isObserved) {
    const reason = error?.details?.reason === "deadline" ? "deadline" : "cancelled";
    hop.run.emit({ type: "hop:abandoned", ...nameOf(hop), reason });
  }
  hop.span?.span.setAttribute(attributes.abandoned, true);
  hop.span?.span.end(endedAt);
}

/** A librarian that was told to stop has stopped. */
export function reportLate(hop: Hop): void {
  const { run, span } = hop;
  if (run.isObserved) {
    run.emit({ type: "hop:late", ...nameOf(hop), lateMs: now() - hop.startedAt });
  }
  if (span?.span.isRecording() === true) span.span.end(); // it obeyed: no one has called it abandoned
}

/** A hop may not start. */
export function reportRefusal(hop: Hop, error: ErrorInfo): void {
  const { run } = hop;
  hop.id = run.nextHopId();
  if (run.isObserved) run.emit({ type: "hop:refused", ...placeOf(hop), error });
  const span = run.refusals < maxRefusalSpans ? openHopSpan(hop)?.span : undefined;
  if (span === undefined) return;
  span.setAttribute(attributes.outcome, "refused");
  recordFailure(span, error, run.settings.recordContent);
  span.end();
}

/** A librarian tells how far it is. */
export function reportProgress(hop: Hop, progress: string | Progress): void {
  if (hop.isOver || !hop.run.isObserved) return;
  hop.run.emit({ type: "hop:progress", ...nameOf(hop), progress: bounded(progress) });
}

function bounded(progress: unknown): Progress {
  if (typeof progress === "string") return { message: progress.slice(0, longestMessage) };
  const { message, text } = partsOf(progress);
  if (typeof text === "string") return { text: text.slice(0, longestText) };
  if (typeof message === "string") return { message: message.slice(0, longestMessage) };
  throw new TypeError(
    `progress: expected text, { message } or { text }, got ${describeType(progress)}.`,
  );
}

function partsOf(progress: unknown): { readonly message?: unknown; readonly text?: unknown } {
  try {
    if (!isRecord(progress)) return {};
    const { message, text } = progress;
    return { message, text };
  } catch {
    return {}; // it threw while it was being read
  }
}

/** No span below a run that is not sampled: the run's own stays the active one all the way. */
function openHopSpan(hop: Hop): ActiveSpan | undefined {
  const { run, parent, to, depth, via, id } = hop;
  if (run.tracer === undefined || run.span?.span.isRecording() === false) return undefined;
  const values: Attributes = {
    [attributes.operationName]: "invoke_agent",
    [attributes.agentName]: to,
    [attributes.librarianId]: to,
    [attributes.hopId]: id,
    [attributes.depth]: depth,
    [attributes.mode]: via,
    [attributes.attempt]: 1,
  };
  if (parent !== undefined) values[attributes.from] = parent.to;
  if (run.settings.recordContent) values[attributes.inputMessages] = messageOf("user", hop.query);
  const above = parent?.span ?? run.span;
  return openSpan(run.tracer, `invoke_agent ${to}`, values, above?.within);
}

function describeEnd(
  { span }: ActiveSpan,
  response: Response,
  outcome: Outcome,
  withContent: boolean,
): void {
  span.setAttribute(attributes.outcome, outcome);
  if (response.confidence !== undefined) {
    span.setAttribute(attributes.confidence, response.confidence);
  }
  if (response.sources !== undefined) {
    span.setAttribute(attributes.sourcesCount, response.sources.length);
  }
  if (withContent && response.answer !== undefined) {
    span.setAttribute(attributes.outputMessages, messageOf("assistant", response.answer));
  }
  // An error beside an answer was handled by whoever answered.
  if (response.error !== undefined && response.answer === undefined) {
    recordFailure(span, response.error, withContent);
  }
}

/** What came of a response. */
export function outcomeOf(response: Response): Outcome {
  const { answer, partial, error } = response;
  if (delegatesOf(response).length > 0) return "delegate"; // none beside an error
  if (answer !== undefined) return partial === true ? "partial" : "answer";
  return isCancelled(error) ? "cancelled" : "error";
}

function isCancelled(error: ErrorInfo | undefined): boolean {
  return error?.code === "TIMEOUT" && error.details?.reason === "cancelled";
}

function nameOf({ run, id, to }: Hop): { runId: string; at: number; hopId: number; to: string } {
  return { runId: run.id, at: Date.now(), hopId: id, to };
}

function placeOf(hop: Hop): HopPlace {
  const { parent, depth, via, query, reason } = hop;
  return {
    ...nameOf(hop),
    ...(parent !== undefined && { parentId: parent.id }),
    depth,
    via,
    query,
    ...(typeof reason === "string" && { reason: reason.slice(0, longestReason) }),
  };
}
