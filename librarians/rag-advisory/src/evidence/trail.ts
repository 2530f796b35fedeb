import type { Context } from "@constellation/core";
import { type Attributes, trace } from "@opentelemetry/api";
import { withoutPersonalData } from "../advisory/plain-text.js";
import type { EvidenceRecorder, Recorded } from "./evidence-recorder.js";

/** Puts what happens on record, and on the span of the hop. */
export interface Trail {
  /** Records what happens during one query. */
  during(context: Context): (event: Recorded) => void;
  /** Why the last event that could not be kept was lost; `undefined` while none was. */
  problem(): string | undefined;
  close(): Promise<void>;
}

/** Makes the trail of a librarian. Without a recorder events stand on spans only. */
export function createTrail(
  librarian: string,
  recorder: EvidenceRecorder | undefined,
  now: () => number,
): Trail {
  const writing = new Set<Promise<void>>();
  let lost = 0;

  async function keep(event: Parameters<EvidenceRecorder["record"]>[0]): Promise<void> {
    try {
      await recorder?.record(event);
    } catch {
      lost++; // A query is not refused because its evidence is lost; health() tells.
    }
  }

  return {
    during: ({ requestId }) => {
      const span = trace.getActiveSpan();
      return ({ eventType, payload }) => {
        span?.addEvent(eventType, attributesOf(payload));
        const kept = keep({
          time: new Date(now()).toISOString(),
          librarian,
          ...(requestId !== undefined && { requestId }),
          eventType,
          payload: impersonal(payload) as typeof payload, // the same keys, other texts
        }).finally(() => writing.delete(kept));
        writing.add(kept);
      };
    },
    problem: () =>
      lost === 0
        ? undefined
        : `${lost} ${lost === 1 ? "event" : "events"} of evidence could not be kept.`,
    async close() {
      await Promise.all(writing);
      await recorder?.close?.();
    },
  };
}

/** What of a payload may stand on a span: numbers, switches and short words; no sentence. */
function attributesOf(payload: Readonly<Record<string, unknown>>): Attributes {
  const shown = Object.entries(payload).flatMap(
    ([key, value]): [string, string | number | boolean][] => {
      if (typeof value === "number" || typeof value === "boolean")
        return [[`librarian.evidence.${key}`, value]];
      const isWord = typeof value === "string" && /^[\w./:-]{1,64}$/.test(value);
      return isWord ? [[`librarian.evidence.${key}`, value]] : [];
    },
  );
  return Object.fromEntries(shown);
}

function impersonal(value: unknown): unknown {
  if (typeof value === "string") return withoutPersonalData(value);
  if (Array.isArray(value)) return value.map(impersonal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, impersonal(item)]));
}
