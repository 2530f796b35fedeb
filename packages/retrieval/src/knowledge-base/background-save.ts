/** Saves changes in the background, so that a slow store does not delay answers. */
export interface BackgroundSave {
  /** Saves; when a save is running, another one follows it. */
  request(): void;
  /**
   * Resolves when saving is idle, with whether the last save succeeded; `true` before the first.
   */
  settled(): Promise<boolean>;
  /** Waits for the running save for at most `graceMs`, then abandons it. */
  close(graceMs: number): Promise<void>;
}

/** @param onSaved - Called after each save with its success. */
export function createBackgroundSave(
  save: (signal: AbortSignal) => Promise<void>,
  onSaved: (isSaved: boolean) => void,
): BackgroundSave {
  const closing = new AbortController();
  let isWanted = false;
  let running: Promise<void> | undefined;
  let isSaved = true;

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      try {
        await save(closing.signal);
        isSaved = true;
      } catch {
        isSaved = false;
      }
      onSaved(isSaved);
    }
    running = undefined;
  }

  return {
    request() {
      if (closing.signal.aborted) return;
      isWanted = true;
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
      isWanted = false;
      closing.abort(new DOMException("The knowledge base was closed.", "AbortError"));
    },
  };
}
