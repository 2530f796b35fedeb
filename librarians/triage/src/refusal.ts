import {
  type Delegate,
  type ErrorInfo,
  MeshError,
  type UnavailableDelegate,
} from "@constellation/core";
import { toPlainLine } from "./plain-line.js";
import type { RankedMatch } from "./ranked/choose-delegates.js";

/** Maximum number of librarians that a suggestion names. */
const maxNamed = 4;
/** Maximum number of unavailable librarians that a report names. */
const maxUnavailable = 5;
/** Maximum number of characters of one librarian's description. */
const maxTextLength = 90;

/**
 * Refuses a query that no librarian fits, and names subjects of the first librarians: that one is near
 * would be a guess. `note` ends the message.
 */
export function outOfDomain(id: string, delegates: readonly Delegate[], note: string): ErrorInfo {
  const named = delegates.slice(0, maxNamed);
  const message =
    named.length === 0
      ? "No librarian is available to delegate the query to."
      : `The query is out of domain: no available librarian answers it${note}.`;
  const error = new MeshError("NOT_FOUND", message, { librarian: id, reason: "out-of-domain" });
  return {
    ...error.toInfo(),
    recoverable: false,
    suggestion: suggestionFor(named, delegates.length),
  };
}

/**
 * Refuses a query that several librarians fit equally well, and asks which of them to use. `note`
 * ends the message.
 */
export function askBack(id: string, tied: readonly Delegate[], note: string): ErrorInfo {
  const named = tied.slice(0, maxNamed);
  const names = named.map(({ id: own, name }) => short(name ?? own));
  return new MeshError("INVALID_QUERY", `Several librarians fit the query equally well${note}.`, {
    librarian: id,
    suggestion: `Which one should answer: ${names.join(" or ")}? Ask again with its name, or with a more specific question.`,
    details: { candidates: tied.slice(0, 16).map((each) => each.id) },
  }).toInfo();
}

function suggestionFor(named: readonly Delegate[], total: number): string {
  if (named.length === 0) return "Register a librarian that it may delegate to, then ask again.";
  const subjects = named.map((delegate) => {
    const { id, name, description = "", examples = [] } = delegate;
    const [example] = examples;
    const what = example === undefined ? short(description) : `"${short(example)}"`;
    return what === "" ? short(name ?? id) : `${short(name ?? id)}: ${what}`;
  });
  const more = total > named.length ? "; and more" : "";
  return `Ask about a subject of a librarian. ${subjects.join("; ")}${more}.`;
}

/** Removes an end mark, since another one follows. */
function short(text: string): string {
  return toPlainLine(text, maxTextLength).replace(/\.$/, "");
}

/** Share of the score of an unavailable librarian below which others are no substitute for it. */
const insteadShare = 0.6;

/** Librarians that a query needs but that are not available. */
export interface Needed {
  readonly librarians: readonly UnavailableDelegate[];
  /** Score from which on another librarian can be asked in their place. */
  readonly minScore: number;
}

/**
 * Finds them.
 *
 * @param match - Of the query with all delegates, available or not.
 */
export function findNeeded(
  { choices, tied, candidates }: RankedMatch,
  unavailable: readonly UnavailableDelegate[],
): Needed {
  const fitting = new Set([...choices.map(({ to }) => to), ...tied.map(({ id }) => id)]);
  const librarians = unavailable.filter(({ id }) => fitting.has(id)).slice(0, maxUnavailable);
  const scores = candidates.flatMap(({ delegate, score }) =>
    librarians.some(({ id }) => id === delegate.id) ? score : [],
  );
  return { librarians, minScore: insteadShare * Math.max(0, ...scores) };
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
