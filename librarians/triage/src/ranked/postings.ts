import type { DelegateTerms } from "./delegate-terms.js";

/** Places of the delegates that have a word, ascending, with its strength for each. */
export interface Postings {
  readonly places: Uint32Array;
  readonly strengths: Float32Array;
  /** The largest of the strengths. */
  readonly maxStrength: number;
}

/** Postings of all words: those of word `n` are from `starts[n]` to before `starts[n + 1]`. */
export interface AllPostings extends Omit<Postings, "maxStrength"> {
  readonly starts: Uint32Array;
  readonly maxStrengths: Float32Array;
}

/** Inverts the words of each delegate to the delegates of each word. */
export function invert(all: readonly DelegateTerms[]): AllPostings {
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
  const maxStrengths = new Float32Array(most + 1);
  all.forEach(({ terms, strengths: own }, place) => {
    for (let index = 0; index < terms.length; index++) {
      const term = terms[index] ?? 0;
      const at = next[term] ?? 0;
      next[term] = at + 1;
      places[at] = place;
      const strength = own[index] ?? 0;
      strengths[at] = strength;
      if (strength > (maxStrengths[term] ?? 0)) maxStrengths[term] = strength;
    }
  });
  return { starts, places, strengths, maxStrengths };
}

/** Counts the places that have a word. */
export function countPostings(postings: Postings, places: ReadonlySet<number>): number {
  let count = 0;
  for (const place of places) if (isIn(postings, place)) count++;
  return count;
}

/** Whether a place has a word. */
export function isIn(postings: Postings, place: number): boolean {
  return indexIn(postings, place) !== -1;
}

/** Strength of a word for the delegate at a place; 0 when it lacks the word. */
export function strengthIn(postings: Postings, place: number): number {
  return postings.strengths[indexIn(postings, place)] ?? 0;
}

function indexIn({ places }: Postings, place: number): number {
  let low = 0;
  let high = places.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = places[middle] ?? 0;
    if (found === place) return middle;
    if (found < place) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
