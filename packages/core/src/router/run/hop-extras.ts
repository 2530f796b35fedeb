import type { Hop, HopExtras } from "./model.js";

/** What most hops never have, apart from the hop: its size is part of what each hop costs. */
export function extrasOf(hop: Hop): HopExtras {
  hop.extras ??= {
    stoppedBy: undefined,
    slot: undefined,
    earlier: undefined,
    flight: undefined,
    closed: undefined,
    hasAsked: false,
    normalisedQuery: undefined,
    attempt: 1,
    again: undefined,
    waitedMs: 0,
    wait: undefined,
    waitingBelow: undefined,
    waitsFor: undefined,
    replay: undefined,
    hasWritten: false,
  };
  return hop.extras;
}
