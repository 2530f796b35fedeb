import { type ErrorInfo, MeshError, type UnavailableDelegate } from "@constellation/core";
import { toPlainLine } from "./plain-line.js";
import type { RankedMatch } from "./ranked/choose-delegates.js";

/** Maximum number of unavailable librarians that a report names. */
const maxNamed = 5;

/** Finds the librarians that a query needs but that are not available.
 *
 * @param match - Of the query with all delegates, available or not.
 */
export function findNeeded(
  { choices, tied }: RankedMatch,
  unavailable: readonly UnavailableDelegate[],
): readonly UnavailableDelegate[] {
  const fitting = new Set([...choices.map(({ to }) => to), ...tied.map(({ id }) => id)]);
  return unavailable.filter(({ id }) => fitting.has(id)).slice(0, maxNamed);
}

/** Refuses a query that only an unavailable librarian fits. `note` ends the message. */
export function notAvailable(
  id: string,
  needed: readonly [UnavailableDelegate, ...UnavailableDelegate[]],
  note: string,
): ErrorInfo {
  const [first] = needed;
  const { retryAfterMs } = first;
  const whose = toPlainLine(first.name ?? first.id, 90);
  const why = first.reason === "down" ? "is down" : "failed too often and is not called for now";
  const when = retryAfterMs === undefined ? "when it is up again" : `in ${retryAfterMs} ms`;
  const message = `The librarian that answers this, ${whose}, ${why}${note}.`;
  return new MeshError("SERVICE_UNAVAILABLE", message, {
    librarian: id,
    reason: "delegate-unavailable",
    suggestion: `Ask again ${when}. router.health() shows its state.`,
    details: {
      unavailable: needed.map((each) => each.id),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  }).toInfo();
}
