/** Work that can pause at each step. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Time after which work yields to the event loop, in milliseconds. */
export const turnMs = 8;

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Does work at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does work in turns of the event loop, each a little longer than {@link turnMs}. Rejects with the signal's reason. */
export async function inTurns<Result>(
  steps: Steps<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  let turnEnds = performance.now() + turnMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() < turnEnds) continue;
    await nextTurn();
    signal?.throwIfAborted();
    turnEnds = performance.now() + turnMs;
  }
}
