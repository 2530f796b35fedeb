import type { DelegateTerms } from "./delegate-terms.js";

/** Places of the delegates that have a word, ascending, and how much it says of each. */
export interface Postings {
  readonly places: Uint32Array;
  readonly strengths: Float32Array;
}

/** From the words of each delegate to the delegates of each word. */
export function invert(all: readonly DelegateTerms[]): Postings & { readonly starts: Uint32Array } {
  let most = -1;
  let total = 0;
  for (const { terms } of all) {
    total += terms.length;
    for (const term of terms) if (term > most) most = term;
  }
  const starts = new Uint32Array(most + 2);
  for (const { terms } of all)
    for (const term of terms) starts[term + 1] = (starts[term + 1] ?? 0) + 1;
  for (let term = 0; term <= most; term++) {
    starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  }
  const next = starts.slice();
  const places = new Uint32Array(total);
  const strengths = new Float32Array(total);
  all.forEach(({ terms, strengths: own }, place) => {
    for (let index = 0; index < terms.length; index++) {
      const term = terms[index] ?? 0;
      const at = next[term] ?? 0;
      next[term] = at + 1;
      places[at] = place;
      strengths[at] = own[index] ?? 0;
    }
  });
  return { starts, places, strengths };
}

/** How many of some places have a word. */
export function countOf(postings: Postings, places: ReadonlySet<number>): number {
  let count = 0;
  for (const place of places) if (isIn(postings, place)) count++;
  return count;
}

/** Whether a place has a word. */
export function isIn({ places }: Postings, place: number): boolean {
  let low = 0;
  let high = places.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = places[middle] ?? 0;
    if (found === place) return true;
    if (found < place) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
