import { type Context, MeshError, remainingMs, withDeadline } from "@constellation/core";

/** Maximum number of equal calls at once. */
const maxAtOnce = 8;

/** Maximum wait for an equal call to end, in milliseconds, where the caller sets no deadline. */
const maxWaitMs = 60_000;

/**
 * Bounds loops through an agent that forwards no path. In such a loop each round waits for the next one, so that none
 * ends: of equal calls of one user, eight are made at once, and the next one waits until one of them ends. Calls that are
 * equal by chance only take turns; a loop ends at its ninth round, when half of that round's time has passed.
 */
export class EqualCalls {
  readonly #pending = new Map<string, number>();
  /** Calls that wait for an equal one to end, by key, in order. */
  readonly #waiting = new Map<string, Set<() => void>>();

  /**
   * Waits for its turn.
   *
   * @returns A function that ends the call.
   * @throws MeshError `LOOP_DETECTED` where no equal call ends. The reason of `signal` when that aborts.
   */
  async enter(query: string, context: Context, signal: AbortSignal): Promise<() => void> {
    const text = query.normalize("NFC").trim().replace(/\s+/gu, " ").toLowerCase();
    const key = JSON.stringify([context.user?.id, text]);
    if (this.#count(key) >= maxAtOnce) await this.#turn(key, context, signal);
    else this.#pending.set(key, this.#count(key) + 1);
    return () => this.#leave(key);
  }

  #count(key: string): number {
    return this.#pending.get(key) ?? 0;
  }

  async #turn(key: string, context: Context, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    let take = () => {};
    const taken = new Promise<void>((resolve) => (take = resolve));
    waiting.add(take);
    const timeoutMs = Math.max(1, Math.min(maxWaitMs, remainingMs(context, { share: 0.5 })));
    try {
      await withDeadline({ signal, timeoutMs }, () => taken);
    } catch (thrown) {
      if (!waiting.delete(take)) this.#leave(key); // its turn came at the same time
      if (waiting.size === 0) this.#waiting.delete(key);
      throw signal.aborted ? thrown : loop(context);
    }
  }

  /** Passes the slot of a call to the first that waits. */
  #leave(key: string): void {
    const waiting = this.#waiting.get(key);
    const [next] = waiting ?? [];
    if (next !== undefined) {
      waiting?.delete(next);
      next();
    } else if (this.#count(key) > 1) {
      this.#pending.set(key, this.#count(key) - 1);
    } else {
      this.#pending.delete(key);
      this.#waiting.delete(key);
    }
  }
}

function loop({ librarian, callPath = [] }: Context): MeshError {
  return new MeshError(
    "LOOP_DETECTED",
    `The agent was asked the same ${maxAtOnce} times at once, and no answer came: its answer seems to depend on this one.`,
    {
      librarian: librarian?.id,
      suggestion: "Have the agent answer without this mesh, or forward the path of the call.",
      details: { path: callPath.map(({ mesh, id }) => `${mesh}/${id}`) },
    },
  );
}
