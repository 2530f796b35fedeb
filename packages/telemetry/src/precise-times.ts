import type { HrTime, Tracer, TracerProvider } from "@opentelemetry/api";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace-node";

/** Maximum difference between this clock and the system's, which has whole milliseconds, in milliseconds. */
const maxDriftMs = 1.5;

/**
 * Gives spans the times of one clock, in microseconds. The SDK begins each span at a whole millisecond, so that one
 * may seem to begin before the previous one has ended, and to outlive its parent. Jaeger's critical path then omits
 * such spans. Explicit times are kept.
 */
export interface PreciseTimes {
  /** @returns A provider whose spans have precise times. */
  provider(inner: TracerProvider): TracerProvider;
  /** @param next - Receives the spans with their times. */
  processor(next: SpanProcessor): SpanProcessor;
}

/** Creates the clock of a process's spans. */
export function createPreciseTimes(): PreciseTimes {
  const starts = new WeakMap<object, number>();
  let offset = performance.timeOrigin;
  const withGivenEnd = new WeakSet<object>();
  let isStartGiven = false; // of the span that is being started
  const now = () => offset + performance.now();

  /** Adopts a changed system clock, but not within a trace, so that its spans stay in order. */
  function followSystem(): void {
    const drift = Date.now() + 0.5 - now();
    if (Math.abs(drift) > maxDriftMs) offset += drift;
  }

  const wrapTracer = (tracer: Tracer): Tracer => {
    const startSpan: Tracer["startSpan"] = (name, options, context) => {
      isStartGiven = options?.startTime !== undefined;
      const span = tracer.startSpan(name, options, context);
      if (starts.has(span)) {
        const end = span.end.bind(span);
        span.end = (endTime) => {
          if (endTime !== undefined) withGivenEnd.add(span);
          end(endTime);
        };
      }
      return span;
    };
    return Object.create(tracer, { startSpan: { value: startSpan } });
  };

  return {
    provider: (inner) => ({
      getTracer: (name, version, options) => wrapTracer(inner.getTracer(name, version, options)),
    }),
    processor: (next) => ({
      onStart(span, context) {
        const { parentSpanContext: parent } = span;
        if (parent === undefined || parent.isRemote === true) followSystem();
        if (!isStartGiven) starts.set(span, now());
        next.onStart(span, context);
      },
      onEnd(span) {
        const start = starts.get(span);
        if (start === undefined) return next.onEnd(span);
        const end = withGivenEnd.has(span) ? toMilliseconds(span.endTime) : now();
        next.onEnd(timed(span, start, Math.max(start, end)));
      },
      forceFlush: () => next.forceFlush(),
      shutdown: () => next.shutdown(),
    }),
  };
}

/** The span with other times, those of its events included. */
function timed(span: ReadableSpan, start: number, end: number): ReadableSpan {
  const shift = start - toMilliseconds(span.startTime);
  const events = span.events.map((event) => ({
    ...event,
    time: toHrTime(toMilliseconds(event.time) + shift),
  }));
  return Object.create(span, {
    startTime: { value: toHrTime(start) },
    endTime: { value: toHrTime(end) },
    duration: { value: toHrTime(end - start) },
    events: { value: events },
  });
}

function toMilliseconds([seconds, nanoseconds]: HrTime): number {
  return seconds * 1e3 + nanoseconds / 1e6;
}

function toHrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1e3);
  return [seconds, Math.floor((milliseconds - seconds * 1e3) * 1e6)];
}
