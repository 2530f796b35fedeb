/** Keeps the bytes of one index. */
export interface IndexStore {
  /** The last saved bytes; `undefined` when there are none. */
  load(signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Saves atomically: after a crash, the store has either the old or the new bytes. */
  save(bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
}
