import { describeThrown } from "../contract/unknown-value.js";
import type { RunState } from "./run-state.js";

/** One warning, not a flood of them: what is broken once is broken every time. */
let hasWarned = false;

/**
 * Lets events and spans be told something, when anybody is there to hear it. A tracing SDK that
 * throws becomes a process warning and changes nothing.
 *
 * @returns What `tell` gave; `undefined` when nobody is there, or it threw.
 */
export function observe<Told>(run: RunState, tell: () => Told): Told | undefined {
  if (run.tracer === undefined && !run.isObserved) return undefined;
  try {
    return tell();
  } catch (thrown) {
    if (hasWarned) return undefined;
    hasWarned = true;
    process.emitWarning(`A run observer threw an error (${describeThrown(thrown)}).`, {
      type: "ConstellationWarning",
      code: "CONSTELLATION_OBSERVE",
    });
    return undefined;
  }
}
