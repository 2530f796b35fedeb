import type { Delegate } from "@constellation/core";
import { isCommonWord, isFunctionWord } from "@constellation/nlu";
import { createEvidenceCollector } from "./collect-evidence.js";
import type { DelegateTerms } from "./delegate-terms.js";
import { countPostings, invert, isIn, type Postings } from "./postings.js";
import type { QueryWord } from "./query-words.js";

/** The place of a delegate, and the weight of the query's words that it has. */
export interface FoundDelegate {
  readonly place: number;
  readonly evidence: number;
}

/** Delegates that can be searched by the words of a query. Never changes. */
export interface DelegateIndex {
  readonly delegates: readonly Delegate[];
  placeOf(id: string): number | undefined;
  /**
   * Weighs words, the heaviest first: the rarer among the delegates, the higher. Delegates at the places `left` are
   * ignored.
   */
  weigh(words: readonly QueryWord[], left: ReadonlySet<number>): readonly WeighedWord[];
  /** Finds the delegates with the most evidence by words: the best first, equal ones in the order they came. */
  find(
    words: readonly WeighedWord[],
    limit: number,
    left: ReadonlySet<number>,
  ): readonly FoundDelegate[];
  /** Whether a delegate has a word. */
  has(word: WeighedWord, delegate: Delegate): boolean;
  /** The words that match a delegate, as written. */
  shared(words: readonly WeighedWord[], delegate: Delegate): readonly string[];
}

/** A word, its weight from 0 to 1, and its position. */
export interface WeighedWord extends QueryWord {
  readonly weight: number;
  readonly postings: Postings | undefined;
}

/** Builds the index in time proportional to all words of all delegates.
 *
 * @param numberOf - The number of a word in `terms`.
 */
export function buildDelegateIndex(
  delegates: readonly Delegate[],
  terms: readonly DelegateTerms[],
  numberOf: (term: string) => number | undefined,
): DelegateIndex {
  const { starts, places, strengths, maxStrengths } = invert(terms);
  const findPostings = (term: string): Postings | undefined => {
    const number = numberOf(term);
    if (number === undefined) return undefined;
    const [from = 0, to = 0] = [starts[number], starts[number + 1]];
    if (from === to) return undefined;
    return {
      places: places.subarray(from, to),
      strengths: strengths.subarray(from, to),
      maxStrength: maxStrengths[number] ?? 0,
    };
  };
  const placeOf = new Map(delegates.map(({ id }, place) => [id, place]));
  const collect = createEvidenceCollector(delegates.length);
  const has = ({ postings }: WeighedWord, { id }: Delegate) =>
    postings !== undefined && isIn(postings, placeOf.get(id) ?? -1);

  return {
    delegates,
    placeOf: (id) => placeOf.get(id),
    weigh(words, left) {
      const size = delegates.length - left.size;
      return words
        .map((word): WeighedWord => {
          const found = findPostings(word.term);
          const frequency =
            found === undefined ? 0 : found.places.length - countPostings(found, left);
          const weight = weighWord(word, frequency, size);
          return { ...word, weight, postings: frequency === 0 ? undefined : found };
        })
        .sort((a, b) => b.weight - a.weight);
    },
    find(words, limit, left) {
      const best: FoundDelegate[] = [];
      collect(words, limit + left.size, (place, own) => {
        const last = best[limit - 1];
        if (last !== undefined && own < last.evidence) return; // most are: no object is made of them
        if (!left.has(place)) keepBest(best, { place, evidence: own }, limit);
      });
      return best;
    },
    has,
    shared(words, delegate) {
      const found = words.filter(
        (word) => !isFunctionWord(word.written.toLowerCase()) && has(word, delegate),
      );
      return [...new Set(found.map(({ written }) => written))];
    },
  };
}

/** Inserts a place where it is among the best; of equal ones the first stays before. */
function keepBest(best: FoundDelegate[], found: FoundDelegate, limit: number): void {
  const last = best[limit - 1];
  if (last !== undefined && !comesBefore(found, last)) return;
  let at = best.length;
  for (; at > 0; at--) {
    const before = best[at - 1];
    if (before !== undefined && !comesBefore(found, before)) break;
  }
  best.splice(at, 0, found);
  if (best.length > limit) best.pop();
}

function comesBefore(one: FoundDelegate, other: FoundDelegate): boolean {
  return (
    one.evidence > other.evidence || (one.evidence === other.evidence && one.place < other.place)
  );
}

/** Weight of a word of everyday English, relative to other words. */
const commonWeight = 0.6;
/** Below 1, so that a word that many delegates have still carries some weight. */
const rarityPower = 0.85;

/** Weight of a word of a query, 0 to 1: the rarer among delegates and in English, the higher. */
function weighWord({ written }: QueryWord, frequency: number, size: number): number {
  const common = isCommonWord(written.toLowerCase()) ? commonWeight : 1;
  if (frequency === 0) return common;
  return common * (rarity(frequency, size) / rarity(1, size)) ** rarityPower;
}

/** Inverse document frequency, as BM25 has it. */
function rarity(frequency: number, size: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}
