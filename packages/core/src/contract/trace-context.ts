/**
 * The place of a hop in a distributed trace.
 *
 * Source: W3C Trace Context, https://www.w3.org/TR/trace-context/
 */
export interface TraceContext {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** Span of this hop, or of the caller when it comes in from outside: 16 lower-case hex digits. */
  readonly spanId: string;
  /**
   * Bit 0: sampled.
   *
   * @default 1
   */
  readonly traceFlags?: number | undefined;
  /** Vendor state, as the `tracestate` header has it. */
  readonly traceState?: string | undefined;
}

const traceparent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/**
 * Reads the `traceparent` header of an incoming request.
 *
 * @returns `undefined` when the header is not one the standard allows.
 */
export function parseTraceparent(header: string, traceState?: string): TraceContext | undefined {
  const [, traceId, spanId, flags] = traceparent.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (header.startsWith("ff") || isZero(traceId) || isZero(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), traceState };
}

/** Writes the `traceparent` header for an outgoing request. */
export function formatTraceparent({ traceId, spanId, traceFlags = 1 }: TraceContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** Whether a value is a place in a trace: two ids of the right form. */
export function isTraceContext(value: unknown): value is TraceContext {
  if (typeof value !== "object" || value === null) return false;
  const { traceId, spanId, traceFlags, traceState } = value as Partial<Record<string, unknown>>;
  return (
    isId(traceId, 32) &&
    isId(spanId, 16) &&
    (traceFlags === undefined ||
      (Number.isInteger(traceFlags) &&
        (traceFlags as number) >= 0 &&
        (traceFlags as number) <= 255)) &&
    (traceState === undefined || typeof traceState === "string")
  );
}

function isId(value: unknown, length: number): boolean {
  return (
    typeof value === "string" &&
    value.length === length &&
    /^[\da-f]+$/.test(value) &&
    !isZero(value)
  );
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}
