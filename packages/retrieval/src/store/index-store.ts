/** Keeps the bytes of one index. */
export interface IndexStore {
  /** The bytes that were saved last; undefined when there are none. */
  load(signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Saves in place of what was there: after a crash there is the old or the new, never a mixture. */
  save(bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
}
