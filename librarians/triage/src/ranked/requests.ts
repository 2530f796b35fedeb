import type { Clause } from "./clauses.js";

/** Words that a clause begins with that asks for something. */
const asking = new Set(
  `what whats why how which where wheres who whose when is are was were do does did can could should
  would will may must has have any check show tell find see list look give choose pick select recommend
  suggest propose explain describe need want link point get compare estimate rank diagnose investigate
  analyse analyze inspect fetch determine identify debug troubleshoot verify confirm summarise summarize
  retrieve help search`.split(/\s+/),
);
/** Words before those. */
const polite = new Set(
  "hi hello hey ok okay oh so please pls also and then now just first second finally i we you".split(
    " ",
  ),
);
/** Maximum number of words at the beginning of a clause that are read. */
const maxRead = 6;

function begins(text: string): boolean {
  for (const [word] of Array.from(text.slice(0, 80).matchAll(/[a-z]+/gi)).slice(0, maxRead)) {
    const lower = word.toLowerCase();
    if (asking.has(lower)) return true;
    if (!polite.has(lower)) return false;
  }
  return false;
}

/** A conjunction before a clause: it asks where the clause before asks. */
const joined = /(?:\b(?:and|or|then|plus|also|with|as well as)|[+&])\s*$/i;

/**
 * Puts clauses that ask for nothing together with the one of the same sentence that does: what comes
 * before a request, and what comes after it, says what it is about. Sentences that ask for nothing stay
 * as they are, as do all clauses where none asks.
 */
export function requestsOf(query: string, clauses: readonly Clause[]): readonly Clause[] {
  const asks: boolean[] = [];
  for (const [place, { text, start, end }] of clauses.entries()) {
    const before = query.slice(clauses[place - 1]?.end ?? 0, start);
    const next = query.slice(end, clauses[place + 1]?.start ?? end);
    const isListed = /^\s*,/.test(before) && joined.test(next); // "the cause, the procedure and the fix"
    const isJoined = asks.at(-1) === true && (joined.test(before) || isListed);
    asks.push(isJoined || begins(text) || query.slice(end - 1, end) === "?");
  }
  if (!asks.includes(true)) return clauses;
  const isSentence = (place: number) => /[.?!]$/.test(clauses[place]?.text ?? "");
  const merged: Clause[] = [];
  let from = 0; // of the clauses that are not merged yet
  for (let place = 0; place < clauses.length; place++) {
    if (!asks[place]) continue;
    let first = place;
    while (first > from && !isSentence(first - 1)) first--;
    let last = place;
    while (last + 1 < clauses.length && !asks.includes(true, last + 1) && !isSentence(last)) last++;
    merged.push(...clauses.slice(from, first), ...together(query, clauses.slice(first, last + 1)));
    place = last;
    from = last + 1;
  }
  return [...merged, ...clauses.slice(from)];
}

function together(query: string, clauses: readonly Clause[]): readonly Clause[] {
  const [first] = clauses;
  const last = clauses.at(-1);
  if (first === undefined || last === undefined) return [];
  return [{ ...last, text: query.slice(first.start, last.end), start: first.start }];
}
