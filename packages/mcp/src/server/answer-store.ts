import { randomUUID } from "node:crypto";

/** Full texts of answers that were cut, for a limited time. */
export interface AnswerStore {
  /**
   * Stores an answer for its user.
   *
   * @param owner - Id of the user who may read it; `undefined` where no user is authenticated.
   * @returns Its URI, or `undefined` where it is larger than the store.
   */
  keep(text: string, owner: string | undefined): string | undefined;
  /** @param id - Last part of the URI. @returns The text, if it is still there and this user's. */
  read(id: string, owner: string | undefined): string | undefined;
}

/** Bounds of {@link createAnswerStore}. */
export interface AnswerStoreBounds {
  /** Maximum size of all answers together, in bytes: two for a character. */
  readonly maxBytes: number;
  /** How long an answer is stored, in milliseconds. */
  readonly ttlMs: number;
}

const scheme = "constellation://answers/";

/** URI template of the stored answers. */
export const answerTemplate = `${scheme}{id}`;

/** Stores answers in memory; the oldest are removed when they are too large together. */
export function createAnswerStore({ maxBytes, ttlMs }: AnswerStoreBounds): AnswerStore {
  interface Stored {
    readonly text: string;
    readonly owner: string | undefined;
    readonly at: number;
  }
  // Oldest first: the next to be removed is first.
  const stored = new Map<string, Stored>();
  let bytes = 0;

  function evict(): void {
    for (const [id, { text, at }] of stored) {
      if (bytes <= maxBytes && Date.now() - at <= ttlMs) return;
      bytes -= 2 * text.length;
      stored.delete(id);
    }
  }

  return {
    keep(text, owner) {
      if (2 * text.length > maxBytes) return undefined;
      const id = randomUUID();
      stored.set(id, { text, owner, at: Date.now() });
      bytes += 2 * text.length;
      evict();
      return `${scheme}${id}`;
    },
    read(id, owner) {
      evict();
      const found = stored.get(id);
      return found?.owner === owner ? found?.text : undefined;
    },
  };
}
