import type { IndexStore } from "../store/index-store.js";

/** Saves an index in the background, so that a slow store does not delay answers. */
export interface BackgroundSave {
  /** Saves the result of `encode` after the running save; only the latest request counts. */
  request(encode: () => Promise<Uint8Array>): void;
  /**
   * Resolves when saving is idle, with whether the last save succeeded; `true` before the first.
   */
  settled(): Promise<boolean>;
  /** Waits for the running save for at most `graceMs`, then abandons it. */
  close(graceMs: number): Promise<void>;
}

/** @param onSaved - Called after each save with its success. */
export function createBackgroundSave(
  store: IndexStore,
  onSaved: (isSaved: boolean) => void,
): BackgroundSave {
  const closing = new AbortController();
  let next: (() => Promise<Uint8Array>) | undefined;
  let running: Promise<void> | undefined;
  let isSaved = true;

  async function run(): Promise<void> {
    for (let encode = next; encode !== undefined; encode = next) {
      next = undefined;
      try {
        await store.save(await encode(), closing.signal);
        isSaved = true;
      } catch {
        isSaved = false;
      }
      onSaved(isSaved);
    }
    running = undefined;
  }

  return {
    request(encode) {
      if (closing.signal.aborted) return;
      next = encode;
      running ??= run();
    },
    async settled() {
      await running;
      return isSaved;
    },
    async close(graceMs) {
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([running, grace]);
      clearTimeout(timer);
      next = undefined;
      closing.abort(new DOMException("The knowledge base was closed.", "AbortError"));
    },
  };
}
