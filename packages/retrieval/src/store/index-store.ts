/** Keeps the records of one index, in their order. A record is saved whole or not at all. */
export interface IndexStore {
  /** Reads the records; none when nothing was saved. Rejects when they cannot be read. */
  load(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Replaces all records atomically: after a crash, the store has either the old or the new ones. */
  save(records: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /**
   * Adds records behind those that this object has loaded or saved: after a crash, the first ones of
   * them are there. Rejects when the store has others meanwhile, such as those of another process.
   */
  append(records: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
}
