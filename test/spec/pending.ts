/** Promises that are not kept yet, and why. */
export interface PendingGroup {
  /** One line. */
  readonly reason: string;
  readonly ids: readonly string[];
}

/** Nothing proves these yet. A test that cites one must take it off this list. */
export const pending: readonly PendingGroup[] = [
];

/** Something proves a part of these, and nothing yet the rest. */
export const partly: readonly PendingGroup[] = [
  {
    reason: "Shown for the router, the docs and the k8s librarian; the others are not shipped yet.",
    ids: [
      "CORE-002",
      "CORE-004",
      "CORE-005",
      "CORE-006",
      "CORE-010",
      "CORE-018",
      "CORE-029",
      "CORE-030",
      "CORE-031",
      "CORE-032",
      "CORE-033",
      "CORE-043",
      "CORE-045",
      "CORE-046",
      "CORE-054",
      "CORE-055",
      "CORE-056",
      "CORE-064",
      "CORE-069",
      "CORE-070",
      "CORE-071",
      "CORE-074",
      "CORE-075",
      "CORE-076",
      "CORE-077",
      "CORE-078",
    ],
  },
  {
    reason: "Shown in the table of codes; circuit breaker and queue are not built yet.",
    ids: ["CORE-052", "CORE-059"],
  },
];

/** Ids from one number to another, both included. */
function between(prefix: string, first: number, last: number): readonly string[] {
  return Array.from(
    { length: last - first + 1 },
    (_, index) => `${prefix}-${String(first + index).padStart(3, "0")}`,
  );
}
