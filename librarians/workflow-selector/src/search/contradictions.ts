import { type Clause, isOpposed, opposedTerms } from "./clauses.js";
import { keepsLimit } from "./quantities.js";

/** What an entry says of itself, clause by clause. */
export interface EntryClauses {
  /** `whenNotToUse`. */
  readonly against: readonly Clause[];
  readonly preconditions: readonly Clause[];
  /** `whenToUse`, or what it does where that is not given. */
  readonly use: readonly Clause[];
  /** Its name and what it does. */
  readonly about: readonly Clause[];
}

/** Sum of the rarity of words in the catalog. */
export type WorthOf = (terms: Iterable<string>) => number;

/** Share of a clause from which an observation is about the same thing, and from which it meets it. */
const minShare = 1 / 3;
const metShare = 0.5;
/** Share of a precondition from which it should be met, and not in part. */
const sameSubject = 0.5;

/** A clause that an observation speaks against. */
export interface Contradiction {
  readonly text: string;
  /** A number shows it, not words alone. */
  readonly isMeasured: boolean;
}

/**
 * The clause of an entry that an observation contradicts: a limit that it names is not kept, a clause that excludes the
 * entry is met, a precondition or a use is denied, by "no" or by an opposite word, or a precondition is met in part.
 */
export function findContradiction(
  { against, preconditions, use, about }: EntryClauses,
  observed: readonly Clause[],
  worth: WorthOf,
): Contradiction | undefined {
  const subject = new Set([...use, ...about].flatMap(({ terms }) => [...terms]));
  const share = (clause: Clause, one: Clause, isCounted = (_: string) => true) => {
    const counted = [...clause.terms].filter(isCounted);
    const all = worth(counted);
    return all === 0 ? 0 : worth(counted.filter((term) => one.terms.has(term))) / all;
  };
  const find = (
    clauses: readonly Clause[],
    is: (clause: Clause, one: Clause) => boolean,
    isMeasured = false,
  ) => {
    const found = clauses.find((clause) => observed.some((one) => is(clause, one)));
    return found && { text: found.text, isMeasured };
  };
  // What the entry is for as well does not tell the two apart: only "active" does in "the sessions are active".
  const isMet = (clause: Clause, one: Clause) => {
    const isOwn = (term: string) => !subject.has(term);
    const hasOwn = [...clause.terms].some(isOwn);
    return (
      !isOpposed(clause, one, worth) &&
      opposedTerms(clause, one).length === 0 &&
      limitKept(clause, one) !== false &&
      share(clause, one, hasOwn ? isOwn : undefined) >= metShare
    );
  };
  const isDenied = (clause: Clause, one: Clause) => {
    const opposed = opposedTerms(clause, one);
    if (opposed.length > 0 === isOpposed(clause, one, worth)) return false;
    // "Placed evenly" is all about "placed unevenly".
    const same = [...clause.terms].filter((term) => one.terms.has(term));
    return same.length > 0 && worth([...same, ...opposed]) >= minShare * worth(clause.terms);
  };
  const isConfirmed = (clause: Clause) =>
    observed.some(
      (one) => sharedTerms(clause, one) === clause.terms.size || limitKept(clause, one) === true,
    );
  const isPartly = (clause: Clause, one: Clause) =>
    sharedTerms(clause, one) >= 2 && share(clause, one) >= sameSubject && !isConfirmed(clause);
  return (
    find([...use, ...preconditions], (clause, one) => limitKept(clause, one) === false, true) ??
    find(against, (clause, one) => limitKept(clause, one) === true, true) ??
    find(against, isMet) ??
    find(preconditions, (clause, one) => isDenied(clause, one) || isPartly(clause, one))
  );
}

function sharedTerms(clause: Clause, one: Clause): number {
  return [...clause.terms].filter((term) => one.terms.has(term)).length;
}

/** Whether what was measured keeps the limit of a clause about the same thing; undefined: nothing was measured. */
function limitKept(clause: Clause, one: Clause): boolean | undefined {
  if (clause.limits.length === 0 || sharedTerms(clause, one) === 0) return undefined;
  const kept = clause.limits.flatMap((limit) =>
    one.quantities.flatMap((quantity) => keepsLimit(limit, quantity) ?? []),
  );
  return kept.length === 0 ? undefined : kept.every((is) => is);
}
