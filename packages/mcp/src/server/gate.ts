/** Counts the queries that are being answered, and refuses one too many. */
export interface Gate {
  /** Queries inside. */
  readonly inside: number;
  /** @returns Whether there was room; then `leave` must be called once. */
  enter(): boolean;
  leave(): void;
}

/**
 * Makes a gate.
 *
 * @param most - Most inside at once.
 * @param outer - A wider gate that each query must pass too.
 */
export function createGate(most: number, outer?: Gate): Gate {
  let inside = 0;
  return {
    get inside() {
      return inside;
    },
    enter() {
      if (inside >= most || outer?.enter() === false) return false;
      inside++;
      return true;
    },
    leave() {
      inside--;
      outer?.leave();
    },
  };
}
