import type { ErrorInfo, TraceContext } from "@constellation/core";
import {
  type ActiveSpan,
  activeTracer,
  contextOfTrace,
  inSpan,
  loadedApi,
  openSpan,
  recordFailure,
  traceOfSpan,
} from "@constellation/core/checks";
import { type BaggageChoice, formatBaggage, withBaggage } from "./baggage.js";

/**
 * The span of one side of a call between processes.
 *
 * @beta
 */
export interface CallSpan {
  /** Place of the span; of the one above it while no tracing SDK is registered. */
  readonly place: TraceContext | undefined;
  /** Calls `work` with the span as the active one. */
  within<Result>(work: () => Result): Result;
  /**
   * Ends the span, as failed where there is an error. Further calls do nothing.
   *
   * @param learned - Attributes known only now.
   */
  end(error?: ErrorInfo, learned?: Readonly<Record<string, string>>): void;
}

/**
 * Name and attributes of the span of a call.
 *
 * @beta
 */
export interface CallSpanDetails {
  readonly name: string;
  /** As those in `attributes`, and those of the carrier's own conventions. */
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Trace data of a call from its caller.
 *
 * @beta
 */
export interface IncomingTrace {
  readonly trace: TraceContext | undefined;
  /** Baggage, in the form of the W3C header. At most 64 members and 8,192 characters are read. */
  readonly baggage?: string | undefined;
}

/**
 * Opens the span of a call to another process, of kind CLIENT, below the active one.
 *
 * @param above - Place of the calling hop.
 */
export function openClientSpan(
  details: CallSpanDetails,
  above: TraceContext | undefined,
): CallSpan & { baggage(choice: BaggageChoice): string | undefined } {
  const opened = open(details, "CLIENT", () => {
    const { context, trace } = loadedApi();
    const active = context.active();
    return trace.getSpan(active) === undefined ? contextOfTrace(above) : active;
  });
  return {
    ...callSpan(opened, above),
    baggage: (choice) =>
      opened === undefined || choice === "none" ? undefined : formatBaggage(opened.within, choice),
  };
}

/**
 * Opens the span of a call from another process, of kind SERVER, with the caller's baggage below it.
 *
 * @beta
 */
export function openServerSpan(
  details: CallSpanDetails,
  { trace, baggage }: IncomingTrace,
): CallSpan {
  const opened = open(details, "SERVER", () => withBaggage(contextOfTrace(trace), baggage));
  return callSpan(opened, trace);
}

/** Maximum length of a name and of a value, which come from a remote caller. */
const maxLength = 256;

function open(
  { name, attributes }: CallSpanDetails,
  kind: "CLIENT" | "SERVER",
  above: () => ReturnType<typeof contextOfTrace>,
): ActiveSpan | undefined {
  const tracer = activeTracer();
  if (tracer === undefined) return undefined;
  const values = Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, value.slice(0, maxLength)]),
  );
  return openSpan(tracer, name.slice(0, maxLength), values, above(), kind);
}

function callSpan(opened: ActiveSpan | undefined, above: TraceContext | undefined): CallSpan {
  let isOver = false;
  return {
    place: opened === undefined ? above : traceOfSpan(opened.span),
    within: (work) => (opened === undefined ? work() : inSpan(opened, work)),
    end(error, learned) {
      if (opened === undefined || isOver) return;
      isOver = true;
      if (learned !== undefined) opened.span.setAttributes(learned);
      if (error !== undefined) recordFailure(opened.span, error);
      opened.span.end();
    },
  };
}
