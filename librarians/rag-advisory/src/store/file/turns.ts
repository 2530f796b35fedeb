import { untilAborted } from "../until-aborted.js";

/** Does one thing at a time, in the order asked for. */
export interface Turns {
  /** Gives what the work gives. Rejects with the signal's reason when it aborts before the work's turn. */
  take<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>;
}

/** Creates turns that nobody has taken yet. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async take(work, signal) {
      let isGivenUp = false;
      const turn = last.then(() => (isGivenUp ? undefined : { value: work() }));
      // The next in line waits for the work to end, well or badly.
      last = turn.then((begun) => begun?.value).catch(() => undefined);
      try {
        const begun = await untilAborted(turn, signal);
        if (begun === undefined) throw signal?.reason;
        return await begun.value;
      } finally {
        isGivenUp = true;
      }
    },
  };
}
