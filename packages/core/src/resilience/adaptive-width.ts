import type { Limit } from "./slot-pool.js";

/**
 * Narrows the limit of a librarian while it answers that it is called too often: half of the calls that
 * were under way, at least 1. It widens by one with each round of calls that succeeded.
 */
export class AdaptiveWidth {
  readonly #limit: Limit;
  readonly #ceiling: number;
  #narrowedAt = Number.NEGATIVE_INFINITY;
  #successes = 0;

  /** @param limit - Its `max` is the widest it becomes. */
  constructor(limit: Limit) {
    this.#limit = limit;
    this.#ceiling = limit.max;
  }

  /**
   * A call was refused because of too many. Calls that began before the last narrowing do not
   * count.
   */
  rateLimited(startedAt: number, now: number): void {
    if (startedAt < this.#narrowedAt) return;
    const { active, max } = this.#limit;
    this.#limit.max = Math.max(1, Math.floor(Math.min(max, active + 1) / 2)); // it has ended itself
    this.#narrowedAt = now;
    this.#successes = 0;
  }

  /** A call succeeded. @returns Whether there is room for one more. */
  succeeded(): boolean {
    const { max } = this.#limit;
    if (max >= this.#ceiling || ++this.#successes < max) return false;
    this.#successes = 0;
    this.#limit.max = max + 1;
    return true;
  }
}
