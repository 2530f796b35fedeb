import { createHash } from "node:crypto";
import { isRecord } from "@constellation/core/checks";

interface Remembered {
  /** Fingerprint of a call, to compare calls with the same id. `undefined`: it cannot be compared. */
  readonly fingerprint: string | undefined;
  readonly startedAt: number;
}

/** State of a call: in progress, or its reply. The reply is `undefined` if it was too large to keep. */
export type RememberedCall =
  | (Remembered & { readonly state: "running" })
  | (Remembered & { readonly state: "done"; readonly reply: Uint8Array | undefined });

/** Limits for remembering answered calls. */
export const memoryLimits = { entries: 10_000, bytes: 67_108_864, ttlMs: 600_000 } as const;

/** Number of entries beyond the maximum before old ones are removed, in one batch. */
const slack = 1_000;

/** Time between two removals of calls that are too old, in milliseconds. */
const evictMs = 1_000;

/** Remembers calls, so that a repeated call does not run again. The oldest are forgotten first. */
export class ReplyMemory {
  readonly #calls = new Map<string, RememberedCall>();
  #bytes = 0;
  #evictedAt = 0;

  get(key: string): RememberedCall | undefined {
    return this.#calls.get(key);
  }

  begin(key: string, fingerprint: string | undefined): void {
    this.#evict();
    this.#calls.set(key, { state: "running", fingerprint, startedAt: performance.now() });
  }

  /** The call did not run here, so the same call may arrive again. */
  forget(key: string): void {
    if (this.#calls.get(key)?.state === "running") this.#calls.delete(key);
  }

  end(key: string, reply: Uint8Array): void {
    const call = this.#calls.get(key);
    if (call === undefined) return;
    this.#calls.delete(key); // the youngest comes last
    this.#calls.set(key, { ...call, state: "done", reply });
    this.#bytes += reply.length + (call.fingerprint?.length ?? 0);
    this.#evict();
  }

  /** Forgets calls that are too old or too many. Calls in progress are kept. */
  #evict(): void {
    const now = performance.now();
    const hasRoom =
      this.#calls.size <= memoryLimits.entries + slack && this.#bytes <= memoryLimits.bytes;
    if (hasRoom && now - this.#evictedAt < evictMs) return;
    this.#evictedAt = now;
    const oldest = now - memoryLimits.ttlMs;
    for (const [key, call] of this.#calls) {
      const isFull = this.#calls.size > memoryLimits.entries || this.#bytes > memoryLimits.bytes;
      if (!isFull && call.startedAt > oldest) return;
      if (call.state === "running") continue;
      this.#calls.delete(key);
      this.#bytes -= (call.reply?.length ?? 0) + (call.fingerprint?.length ?? 0);
    }
  }
}

/** Maximum length of a query that is remembered whole. Of a longer one, a digest is remembered. */
const maxVerbatim = 2_048;

/** Creates the value by which two calls with the same id are compared: the rest changes from one attempt to the next. */
export function createFingerprint(content: unknown): string {
  const query = isRecord(content) && typeof content.query === "string" ? content.query : "";
  if (query.length <= maxVerbatim) return query;
  return createHash("sha256").update(query).digest("hex");
}
