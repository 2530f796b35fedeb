interface Remembered {
  /** What another call of the same id is compared by. `undefined`: this one cannot be compared. */
  readonly fingerprint: string | undefined;
  readonly startedAt: number;
}

/** What is known of a call: in progress, or its reply. `undefined` as reply: it was too large to keep. */
export type RememberedCall =
  | (Remembered & { readonly state: "running" })
  | (Remembered & { readonly state: "done"; readonly reply: Uint8Array | undefined });

/** Limits of what a process remembers of the calls it answered. */
export const memoryLimits = { entries: 10_000, bytes: 67_108_864, ttlMs: 600_000 } as const;

/** Remembers calls, so that one that comes again is not done again. The oldest are forgotten first. */
export class ReplyMemory {
  readonly #calls = new Map<string, RememberedCall>();
  #bytes = 0;

  get(key: string): RememberedCall | undefined {
    return this.#calls.get(key);
  }

  begin(key: string, fingerprint: string | undefined): void {
    this.#evict();
    this.#calls.set(key, { state: "running", fingerprint, startedAt: performance.now() });
  }

  end(key: string, reply: Uint8Array): void {
    const call = this.#calls.get(key);
    if (call === undefined) return;
    this.#calls.delete(key); // the youngest comes last
    this.#calls.set(key, { ...call, state: "done", reply });
    this.#bytes += reply.length + (call.fingerprint?.length ?? 0);
    this.#evict();
  }

  /** Forgets what is old, and what is too much. Calls in progress are kept. */
  #evict(): void {
    const oldest = performance.now() - memoryLimits.ttlMs;
    for (const [key, call] of this.#calls) {
      const isFull = this.#calls.size > memoryLimits.entries || this.#bytes > memoryLimits.bytes;
      if (!isFull && call.startedAt > oldest) return;
      if (call.state === "running") continue;
      this.#calls.delete(key);
      this.#bytes -= (call.reply?.length ?? 0) + (call.fingerprint?.length ?? 0);
    }
  }
}
