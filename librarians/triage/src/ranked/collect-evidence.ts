import { type Postings, strengthIn } from "./postings.js";

/** A word of a query: its weight, and the postings of the delegates that have it. */
export interface WordPostings {
  readonly weight: number;
  readonly postings: Postings | undefined;
}

/**
 * Adds up the weights of the words that each delegate has.
 *
 * @param words - By descending weight.
 * @param limit - Number of best delegates needed; others may be left out.
 * @param use - Called once for each candidate.
 */
export type CollectEvidence = (
  words: readonly WordPostings[],
  limit: number,
  use: (place: number, evidence: number) => void,
) => void;

/**
 * Maximum number of postings that are read whole for one ranking. The remaining words are the
 * commonest: they find no further delegates and are only looked up for those found by rarer words.
 */
const maxRead = 8_192;
/** Cost of looking up one delegate in the postings of a word, in postings read sequentially. */
const lookupCost = 50;

/** Creates a collector for a number of delegates. Its memory is reused for every query. */
export function createEvidenceCollector(size: number): CollectEvidence {
  const sums = new Float64Array(size);
  const found = new Uint32Array(size);

  /** Adds up words until the budget is spent; `found` begins with the delegates that match one. */
  const readWhole = (words: readonly WordPostings[]) => {
    let read = 0;
    let count = 0;
    let used = 0;
    for (const { weight, postings } of words) {
      read += postings?.places.length ?? 0;
      if (read > maxRead && count > 0) break;
      used++;
      if (postings === undefined) continue;
      const { places, strengths } = postings;
      for (let at = 0; at < places.length; at++) {
        const place = places[at] ?? 0;
        const before = sums[place] ?? 0;
        if (before === 0) {
          found[count++] = place;
        }
        sums[place] = before + weight * (strengths[at] ?? 0);
      }
    }
    return { count, used };
  };
  /** Drops delegates that can no longer be among the best. */
  const prune = (count: number, limit: number, maxOfRest: number): number => {
    const best = createBest(limit);
    for (let at = 0; at < count; at++) best.add(sums[found[at] ?? 0] ?? 0);
    const least = best.minimum() - maxOfRest;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const place = found[at] ?? 0;
      if ((sums[place] ?? 0) < least) sums[place] = 0;
      else found[kept++] = place;
    }
    return kept;
  };
  /** Adds the weight of a word to the delegates found so far. */
  const addTo = (count: number, { weight, postings }: WordPostings) => {
    if (postings === undefined) return;
    const { places, strengths } = postings;
    if (count * lookupCost < places.length) {
      for (let at = 0; at < count; at++) {
        const place = found[at] ?? 0;
        sums[place] = (sums[place] ?? 0) + weight * strengthIn(postings, place);
      }
      return;
    }
    for (let at = 0; at < places.length; at++) {
      const before = sums[places[at] ?? 0] ?? 0;
      if (before > 0) sums[places[at] ?? 0] = before + weight * (strengths[at] ?? 0);
    }
  };

  return (words, limit, use) => {
    const { count: first, used } = readWhole(words);
    const bounds = computeBounds(words);
    let count = first;
    words.slice(used).forEach((word, at) => {
      count = prune(count, limit, bounds[used + at] ?? 0);
      addTo(count, word);
    });
    count = prune(count, limit, 0);
    for (let at = 0; at < count; at++) {
      const place = found[at] ?? 0;
      use(place, sums[place] ?? 0);
      sums[place] = 0; // ready for the next query
    }
  };
}

/** Keeps the largest numbers above 0; `minimum` is 0 until it is full. */
function createBest(limit: number): { add(value: number): void; minimum(): number } {
  const best = new Float64Array(limit); // ascending
  return {
    add(value) {
      if (value <= (best[0] ?? 0)) return;
      let to = 0;
      for (; to + 1 < limit && (best[to + 1] ?? 0) < value; to++) best[to] = best[to + 1] ?? 0;
      best[to] = value;
    },
    minimum: () => best[0] ?? 0,
  };
}

/** Computes the maximum that each word and those after it can add. */
function computeBounds(words: readonly WordPostings[]): Float64Array {
  const bounds = new Float64Array(words.length + 1);
  for (let at = words.length - 1; at >= 0; at--) {
    const { weight = 0, postings } = words[at] ?? {};
    bounds[at] = (bounds[at + 1] ?? 0) + weight * (postings?.maxStrength ?? 0);
  }
  return bounds;
}
