import type { Context } from "@constellation/core";
import { type Attributes, trace } from "@opentelemetry/api";
import { withoutPersonalData } from "../advisory/plain-text.js";
import type { EvidenceRecorder, Recorded } from "./file-recorder.js";

/** What happens during one query, on record and on the span of the hop. */
export interface QueryTrail {
  /** Records one event. Does nothing once the trail has ended. */
  record(event: Recorded): void;
  /** Whether every event so far is kept: resolves when the recorder has kept or lost each of them. */
  flush(): Promise<boolean>;
  /** Ends the trail: what the query does after its end is not part of it. */
  end(): void;
}

/** Makes the trails of a librarian's queries. */
export interface Trails {
  begin(context: Context): QueryTrail;
  /** How many events could not be kept, in a sentence; `undefined` when all were. */
  problem(): string | undefined;
  /** Resolves when nothing is being written. */
  close(): Promise<void>;
}

/** Creates the trails of a librarian. Without a recorder events are recorded on spans only. */
export function createTrails(
  librarian: string,
  recorder: EvidenceRecorder | undefined,
  now: () => number,
): Trails {
  const writing = new Set<Promise<boolean>>();
  let lost = 0;

  /** Whether it was kept. */
  async function keep(event: Parameters<EvidenceRecorder["record"]>[0]): Promise<boolean> {
    try {
      await recorder?.record(event);
      return true;
    } catch {
      lost++; // The response says so, and health() too.
      return false;
    }
  }

  return {
    begin({ requestId }) {
      const span = trace.getActiveSpan();
      const own: Promise<boolean>[] = [];
      let hasEnded = false;
      return {
        record({ eventType, payload }) {
          if (hasEnded) return;
          span?.addEvent(eventType, toAttributes(payload));
          const kept = keep({
            time: new Date(now()).toISOString(),
            librarian,
            ...(requestId !== undefined && { requestId }),
            eventType,
            payload: impersonal(payload) as typeof payload, // the same keys, other texts
          }).finally(() => writing.delete(kept));
          writing.add(kept);
          own.push(kept);
        },
        flush: async () => (await Promise.all(own)).every((isKept) => isKept),
        end() {
          hasEnded = true;
        },
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

/** What of a payload may be on a span: numbers, switches and short words; no sentence. */
function toAttributes(payload: Readonly<Record<string, unknown>>): Attributes {
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
