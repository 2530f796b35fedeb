import type { MeshEvent } from "../events/events.js";

/** Most lines of progress one run keeps; later ones reach listeners, but are not kept. */
const mostProgress = 10_000;

/** The events of one run, kept, and told to whoever reads along. */
export interface Journal {
  add(event: MeshEvent): void;
  /** Those so far, oldest first. */
  readonly events: readonly MeshEvent[];
  /** No event will follow. */
  close(): void;
  /** All events from the first on; each reader has its own place. Ends after `close`. */
  read(): AsyncIterableIterator<MeshEvent>;
}

export function createJournal(): Journal {
  const events: MeshEvent[] = [];
  let progress = 0;
  let isClosed = false;
  let wake: (() => void)[] = [];

  function tell(): void {
    const waiting = wake;
    wake = [];
    for (const each of waiting) each();
  }

  return {
    events,
    add(event) {
      if (event.type === "hop:progress" && ++progress > mostProgress) return;
      events.push(event);
      tell();
    },
    close() {
      isClosed = true;
      tell();
    },
    read() {
      let place = 0;
      let isDone = false;
      return {
        async next(): Promise<IteratorResult<MeshEvent>> {
          for (;;) {
            const event = isDone ? undefined : events[place];
            if (event !== undefined) {
              place++;
              return { done: false, value: event };
            }
            if (isDone || isClosed) return { done: true, value: undefined };
            await new Promise<void>((resolve) => wake.push(resolve));
          }
        },
        async return(): Promise<IteratorResult<MeshEvent>> {
          isDone = true;
          tell();
          return { done: true, value: undefined };
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
  };
}
