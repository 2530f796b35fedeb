import type { MeshEvent } from "../../events/events.js";

/** Limits of what one run keeps. Events beyond them reach listeners, but are not kept. */
export const bufferLimits = {
  /** Events of progress. */
  progress: 10_000,
  /** Refused hops. */
  refusals: 1_000,
  /** Characters of progress and of refused queries, together. */
  characters: 4_194_304,
  /** Characters of what models were asked and replied. */
  modelCharacters: 4_194_304,
} as const;

type ModelEnd = Extract<MeshEvent, { type: "model:end" }>;

/** The events of one run, kept for readers and for its record. */
export interface EventBuffer {
  add(event: MeshEvent): void;
  /** Those so far, oldest first. */
  readonly events: readonly MeshEvent[];
  /** Refused hops that were not kept. */
  readonly omittedRefusals: number;
  /** No event will follow. */
  close(): void;
  /** All events from the first on; each reader has its own position. Ends after `close`. */
  read(): AsyncIterableIterator<MeshEvent>;
}

/** Creates an empty one. */
export function createEventBuffer(): EventBuffer {
  const events: MeshEvent[] = [];
  const counts = { progress: 0, refusals: 0, characters: 0, modelCharacters: 0 };
  let omittedRefusals = 0;
  let isClosed = false;
  let waiting: (() => void)[] = [];

  function wake(): void {
    const readers = waiting;
    waiting = [];
    for (const each of readers) each();
  }

  /** Whether there is room; a librarian decides how many of these there are. */
  function hasRoom(kind: "progress" | "refusals", characters: number): boolean {
    if (counts[kind] >= bufferLimits[kind]) return false;
    if (counts.characters + characters > bufferLimits.characters) return false;
    counts[kind]++;
    counts.characters += characters;
    return true;
  }

  /** Calls of models are kept, what was said in them as long as there is room. */
  function withRoom(event: ModelEnd): ModelEnd {
    const { system = "", prompt, reply = "" } = event.content;
    const length = system.length + prompt.length + reply.length;
    if (counts.modelCharacters + length > bufferLimits.modelCharacters) {
      return { ...event, content: { prompt: "" } };
    }
    counts.modelCharacters += length;
    return event;
  }

  return {
    events,
    get omittedRefusals() {
      return omittedRefusals;
    },
    add(event) {
      if (event.type === "hop:progress" && !hasRoom("progress", progressLength(event.progress)))
        return;
      if (event.type === "hop:refused" && !hasRoom("refusals", event.query.length)) {
        omittedRefusals++;
        return;
      }
      events.push(event.type === "model:end" ? withRoom(event) : event);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    read() {
      let position = 0;
      let isDone = false;
      return {
        async next(): Promise<IteratorResult<MeshEvent>> {
          for (;;) {
            const event = isDone ? undefined : events[position];
            if (event !== undefined) {
              position++;
              return { done: false, value: event };
            }
            if (isDone || isClosed) return { done: true, value: undefined };
            await new Promise<void>((resolve) => waiting.push(resolve));
          }
        },
        async return(): Promise<IteratorResult<MeshEvent>> {
          isDone = true;
          wake();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}

function progressLength(progress: { readonly message?: string; readonly text?: string }): number {
  return (progress.text ?? progress.message ?? "").length;
}
