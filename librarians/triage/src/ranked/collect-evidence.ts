import { type Postings, strengthIn } from "./postings.js";

/** A word of a query: its weight, and the delegates that have it. */
export interface WordPostings {
  readonly weight: number;
  readonly postings: Postings | undefined;
  /** A way of asking: it adds to delegates that have a word and finds none by itself. */
  readonly isForm: boolean;
}

/**
 * Adds up the weights of the words that each delegate has.
 *
 * @param words - The heaviest first, ways of asking last.
 * @param limit - How many of the best are needed; others may be left out.
 * @param use - Called once for each delegate that may be among them.
 */
export type CollectEvidence = (
  words: readonly WordPostings[],
  limit: number,
  use: (place: number, evidence: number) => void,
) => void;

/**
 * Maximum number of postings that are read whole for one ranking. The words after that are the
 * commonest: they find no delegate, and are only looked up for those that rarer words found.
 */
const maxRead = 8_192;
/** What looking up a delegate in the postings of a word costs, in postings read one after another. */
const lookupCost = 50;

/** Creates a collector for so many delegates. Its memory is used again for every query. */
export function createEvidenceCollector(size: number): CollectEvidence {
  const sums = new Float64Array(size);
  const found = new Uint32Array(size);

  /** Adds up words until the budget is spent; `found` begins with the delegates that have one. */
  const readWhole = (words: readonly WordPostings[]) => {
    let read = 0;
    let count = 0;
    let used = 0;
    for (const { weight, postings, isForm } of words) {
      read += postings?.places.length ?? 0;
      if (read > maxRead && count > 0) break;
      used++;
      if (postings === undefined) continue;
      const { places, strengths } = postings;
      for (let at = 0; at < places.length; at++) {
        const place = places[at] ?? 0;
        const before = sums[place] ?? 0;
        if (before === 0) {
          if (isForm) continue;
          found[count++] = place;
        }
        sums[place] = before + weight * (strengths[at] ?? 0);
      }
    }
    return { count, used };
  };
  /** Leaves out those who cannot be among the best any more. */
  const prune = (count: number, limit: number, mostOfRest: number): number => {
    const best = createBest(limit);
    for (let at = 0; at < count; at++) best.add(sums[found[at] ?? 0] ?? 0);
    const least = best.least() - mostOfRest;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const place = found[at] ?? 0;
      if ((sums[place] ?? 0) < least) sums[place] = 0;
      else found[kept++] = place;
    }
    return kept;
  };
  /** Adds a word to those who were found. */
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
    const bounds = boundsOf(words);
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

/** The so many largest of numbers above 0; the least of them is 0 while there are fewer. */
function createBest(limit: number): { add(value: number): void; least(): number } {
  const best = new Float64Array(limit); // ascending
  return {
    add(value) {
      if (value <= (best[0] ?? 0)) return;
      let to = 0;
      for (; to + 1 < limit && (best[to + 1] ?? 0) < value; to++) best[to] = best[to + 1] ?? 0;
      best[to] = value;
    },
    least: () => best[0] ?? 0,
  };
}

/** The most that each word and those after it can add. */
function boundsOf(words: readonly WordPostings[]): Float64Array {
  const bounds = new Float64Array(words.length + 1);
  for (let at = words.length - 1; at >= 0; at--) {
    const { weight = 0, postings } = words[at] ?? {};
    bounds[at] = (bounds[at + 1] ?? 0) + weight * (postings?.maxStrength ?? 0);
  }
  return bounds;
}

/** Evidence for one delegate. */
export function evidenceAt(words: readonly WordPostings[], place: number): number {
  let sum = 0;
  for (const { weight, postings, isForm } of words) {
    if (postings === undefined || (isForm && sum === 0)) continue;
    sum += weight * strengthIn(postings, place);
  }
  return sum;
}
