import { trimTrailing } from "@constellation/core/authoring";
import type { Clause } from "./clauses.js";

/** Words that represent something named before. */
export const pointsBack =
  /\b(?:it|its|this|these|those|they|them|their|there|that one|that problem|the same|he|she|his|her)\b/i;

/**
 * Puts the part of a query together that is for one delegate: its own clauses as they were written,
 * with what was said before all questions, and with the clause before where they point back to it.
 *
 * @param own - Whether the clause at a place is for this delegate.
 * @param preamble - How many clauses at the beginning are for everybody.
 */
export function refineQuery(
  query: string,
  clauses: readonly Clause[],
  own: (place: number) => boolean,
  preamble: number,
): string {
  const parts: string[] = [];
  let end: number | undefined; // of the clauses that were taken last
  const take = (first: number, last: number) => {
    const from = clauses[first];
    const to = clauses[last];
    if (from === undefined || to === undefined) return;
    parts.push(sentence(query.slice(from.start, to.end), to.isQuestion));
    end = last;
  };
  for (let first = 0; first < clauses.length; first++) {
    if (!own(first) && first >= preamble) continue;
    let last = first;
    while (last + 1 < clauses.length && (own(last + 1) || last + 1 < preamble)) last++;
    const needsMore = first > 0 && end !== first - 1 && pointsBack.test(clauses[first]?.text ?? "");
    if (needsMore) take(first - 1, first - 1);
    take(first, last);
    first = last;
  }
  return parts.join(" ");
}

/** As a sentence of its own: a capital, and a mark at its end. */
function sentence(text: string, isQuestion: boolean): string {
  const plain = trimTrailing(text.trim(), /[\s,;:]/);
  const begun = plain.replace(/^\p{Ll}(?=\p{Ll}*\s)/u, (letter) => letter.toUpperCase());
  return /[.?!]$/.test(begun) ? begun : `${begun}${isQuestion ? "?" : "."}`;
}
