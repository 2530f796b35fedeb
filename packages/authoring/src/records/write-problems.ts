/** Reports when writing begins to fail, and when it works again, once each. */
export interface WriteProblems {
  /** Records were not stored: one, or `count`. */
  failed(reason: string, count?: number): void;
  /** A record was stored. */
  worked(): void;
}

/**
 * Creates one for a place.
 *
 * @param place - Named in what is reported.
 * @param onProblem - Its exceptions are ignored, because a failing log must not stop the store.
 */
export function createWriteProblems(
  place: string,
  onProblem: ((problem: string) => void) | undefined,
): WriteProblems {
  let lost = 0;

  function report(problem: string): void {
    try {
      onProblem?.(problem);
    } catch {
      // The reporter's own failure.
    }
  }

  return {
    failed(reason, count = 1) {
      if (lost === 0) report(`Records cannot be stored in ${place}: ${reason}`);
      lost += count;
    },
    worked() {
      if (lost === 0) return;
      report(`Records are stored in ${place} again. Not stored: ${lost}.`);
      lost = 0;
    },
  };
}
