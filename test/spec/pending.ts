/** Promises that are not kept yet, and why. */
export interface PendingGroup {
  /** One line. */
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Nothing proves these yet. A test that cites one must take it off this list. */
export const pending: readonly PendingGroup[] = [];

/** Something proves a part of these, and nothing yet the rest. */
export const partly: readonly PendingGroup[] = [
  {
    reason: "Shown in the table of codes; circuit breaker and queue are not built yet.",
    ids: ["CORE-052", "CORE-059"],
  },
];
