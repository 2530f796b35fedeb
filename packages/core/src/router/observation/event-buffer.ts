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
export class EventBuffer {
  /** The events so far, oldest first. */
  readonly events: MeshEvent[] = [];
  /** Refused hops that were not kept. */
  omittedRefusals = 0;
  readonly #counts = { progress: 0, refusals: 0, characters: 0, modelCharacters: 0 };
  #isClosed = false;
  #waiting: (() => void)[] = [];

  add(event: MeshEvent): void {
    if (event.type === "hop:progress" && !this.#hasRoom("progress", progressLength(event.progress)))
      return;
    if (event.type === "hop:refused" && !this.#hasRoom("refusals", event.query.length)) {
      this.omittedRefusals++;
      return;
    }
    this.events.push(event.type === "model:end" ? this.#withRoom(event) : event);
    this.wake();
  }

  /** No event will follow. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** All events from the first on; each reader has its own position. Ends after `close`. */
  read(): AsyncIterableIterator<MeshEvent> {
    return new Reader(this);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves when there is another event, or none will follow. */
  changed(): Promise<void> {
    return new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Wakes the readers. */
  wake(): void {
    const readers = this.#waiting;
    if (readers.length === 0) return;
    this.#waiting = [];
    for (const each of readers) each();
  }

  /** Whether there is room: librarians decide how many such events there are. */
  #hasRoom(kind: "progress" | "refusals", characters: number): boolean {
    const counts = this.#counts;
    if (counts[kind] >= bufferLimits[kind]) return false;
    if (counts.characters + characters > bufferLimits.characters) return false;
    counts[kind]++;
    counts.characters += characters;
    return true;
  }

  /** Calls of models are kept, what was said in them as long as there is room. */
  #withRoom(event: ModelEnd): ModelEnd {
    const counts = this.#counts;
    const { system = "", prompt, reply = "" } = event.content;
    const length = system.length + prompt.length + reply.length;
    if (counts.modelCharacters + length > bufferLimits.modelCharacters) {
      return { ...event, content: { prompt: "" } };
    }
    counts.modelCharacters += length;
    return event;
  }
}

/** Reads the events of a buffer, from the first one on. */
class Reader implements AsyncIterableIterator<MeshEvent> {
  readonly #buffer: EventBuffer;
  #position = 0;
  #isDone = false;

  constructor(buffer: EventBuffer) {
    this.#buffer = buffer;
  }

  async next(): Promise<IteratorResult<MeshEvent>> {
    for (;;) {
      const event = this.#isDone ? undefined : this.#buffer.events[this.#position];
      if (event !== undefined) {
        this.#position++;
        return { done: false, value: event };
      }
      if (this.#isDone || this.#buffer.isClosed) return { done: true, value: undefined };
      await this.#buffer.changed();
    }
  }

  async return(): Promise<IteratorResult<MeshEvent>> {
    this.#isDone = true;
    this.#buffer.wake();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function progressLength(progress: { readonly message?: string; readonly text?: string }): number {
  return (progress.text ?? progress.message ?? "").length;
}
