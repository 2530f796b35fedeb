/** Maximum wait for the reports of cancelled calls, in milliseconds. */
const maxWaitMs = 5_000;

/**
 * Cancelled calls without a report yet, by run: a cancelled run reports to its own caller after them.
 */
export class LateReports {
  readonly #open = new Map<string, Set<Promise<void>>>();

  /** Registers a cancelled call of a run. @returns A function to call when its report has arrived. */
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
