/** Maximum wait for the reports of cancelled calls, in milliseconds. */
const maxWaitMs = 5_000;

/**
 * Cancelled calls whose processes have yet to report what did not stop, by the run that made them: a run that is
 * cancelled itself reports to its own caller after them.
 */
export class LateReports {
  readonly #open = new Map<string, Set<Promise<void>>>();

  /** A call of a run was cancelled. @returns Call it when its report has come. */
  expect(runId: string): () => void {
    let settle = () => {};
    const reported = new Promise<void>((resolve) => (settle = resolve));
    const open = this.#open.get(runId) ?? new Set();
    this.#open.set(runId, open.add(reported));
    const end = () => {
      clearTimeout(timer);
      open.delete(reported);
      if (open.size === 0) this.#open.delete(runId);
      settle();
    };
    const timer = setTimeout(end, maxWaitMs).unref();
    return end;
  }

  /** Resolves when all reports that a run waits for have come, or cannot come any more. */
  async settled(runId: string): Promise<void> {
    const open = this.#open.get(runId);
    if (open !== undefined) await Promise.all(open);
  }
}
