import type { Delegate } from "@constellation/core";
import type { Nearness } from "../meaning/nearness.js";
import { createEvidenceCollector, evidenceAt } from "./collect-evidence.js";
import { isEveryday, isField } from "./concepts.js";
import type { DelegateTerms } from "./delegate-terms.js";
import { countOf, invert, isIn, type Postings } from "./postings.js";
import type { QueryWord } from "./query-words.js";
import {
  everydayWeight,
  evidenceOfBoth,
  fieldWeight,
  scoreOf,
  strangenessBesideMeaning,
  weightOf,
} from "./weights.js";

/** A delegate that has words of a query. */
export interface RankedDelegate {
  readonly delegate: Delegate;
  /** How well it fits, 0 to 1: comparable across queries and registries. */
  readonly score: number;
  /** Weight of the query's words that it has, and of its meaning where that counts. */
  readonly evidence: number;
  /** How near it is in meaning; `undefined` where words alone count. */
  readonly near?: number;
}

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
   * Weighs words: the rarer among the delegates, the more. Those at `left` places are not there.
   */
  weigh(words: readonly QueryWord[], left: ReadonlySet<number>): readonly WeighedWord[];
  /** Finds the delegates with the most evidence by words: the best first, equal ones in the order they came. */
  find(
    words: readonly WeighedWord[],
    limit: number,
    left: ReadonlySet<number>,
  ): readonly FoundDelegate[];
  /**
   * Ranks the delegates that were found, and with `nearness` those that may be near in meaning too: the best
   * first, equal ones in the order they came.
   *
   * @param nearness - In meaning; words alone count where not given.
   */
  rank(
    words: readonly WeighedWord[],
    found: readonly FoundDelegate[],
    limit: number,
    left: ReadonlySet<number>,
    nearness?: Nearness,
  ): readonly RankedDelegate[];
  /** Whether a delegate has a word. */
  has(word: WeighedWord, delegate: Delegate): boolean;
  /** The words that a delegate has, as they were written. */
  shared(words: readonly WeighedWord[], delegate: Delegate): readonly string[];
}

/** A word, its weight of 0 to 1, and where it stands. */
export interface WeighedWord extends QueryWord {
  readonly weight: number;
  readonly postings: Postings | undefined;
  /** Weight against all: above 0 for a subject of everyday life or a field of business that no delegate covers. */
  readonly strangeness: number;
}

/**
 * Builds the index: in time in proportion to all words of all delegates.
 *
 * @param numberOf - The number of a word in `terms`.
 */
export function buildDelegateIndex(
  delegates: readonly Delegate[],
  terms: readonly DelegateTerms[],
  numberOf: (term: string) => number | undefined,
): DelegateIndex {
  const { starts, places, strengths, maxStrengths } = invert(terms);
  const postingsOf = (term: string): Postings | undefined => {
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
      const weighed = words.map((word) => {
        const found = postingsOf(word.term);
        const frequency = found === undefined ? 0 : found.places.length - countOf(found, left);
        const weight = weightOf(word, frequency, size);
        return { ...word, weight, postings: frequency === 0 ? undefined : found };
      });
      const covered = new Set(
        weighed.flatMap(({ written, postings }) => (postings === undefined ? [] : written)),
      );
      return weighed.map((word) => ({
        ...word,
        strangeness: covered.has(word.written) ? 0 : strangenessOf(word.term),
      }));
    },
    find(words, limit, left) {
      const best: FoundDelegate[] = [];
      collect(byWeight(words), limit + left.size, (place, own) => {
        const last = best[limit - 1];
        if (last !== undefined && own < last.evidence) return; // most are: no object is made of them
        if (!left.has(place)) keepBest(best, { place, evidence: own }, limit);
      });
      return best;
    },
    rank(words, found, limit, left, nearness) {
      const share = nearness === undefined ? 1 : strangenessBesideMeaning;
      const lackingOf = lackingOfWords(words, share);
      if (nearness === undefined) {
        return found.flatMap(({ place, evidence: own }) => {
          const delegate = delegates[place];
          const score = scoreOf(own, lackingOf(own));
          return delegate === undefined ? [] : { delegate, evidence: own, score };
        });
      }
      const heaviestFirst = byWeight(words);
      const both: FoundNear[] = [];
      for (const place of new Set([...nearness.places, ...found.map((each) => each.place)])) {
        const near = nearness.of(place);
        if (near === undefined || left.has(place)) continue;
        const own = evidenceAt(heaviestFirst, place);
        const evidence = evidenceOfBoth(own, lackingOf(own), near);
        keepBest(both, { place, evidence, near }, limit);
      }
      return both.flatMap(({ place, evidence: own, near }) => {
        const delegate = delegates[place];
        return delegate === undefined
          ? []
          : { delegate, evidence: own, near, score: own / (own + 1) };
      });
    },
    has,
    shared(words, delegate) {
      const found = words.filter((word) => !word.isForm && has(word, delegate));
      return [...new Set(found.map(({ written }) => written))];
    },
  };
}

/**
 * Weight of what a delegate lacks, by the evidence for it: words, and subjects that no delegate covers.
 *
 * @param share - Of the weight of those subjects, 0 to 1.
 */
function lackingOfWords(
  words: readonly WeighedWord[],
  share: number,
): (evidence: number) => number {
  const strange = new Map<string, number>(); // by what was written: a word counts once
  for (const { written, strangeness } of words) {
    if (strangeness > 0) strange.set(written, Math.max(strangeness, strange.get(written) ?? 0));
  }
  const against = share * [...strange.values()].reduce((sum, each) => sum + each, 0);
  const total = words.reduce(
    (sum, { weight, isExtra, isForm }) => sum + (isExtra || isForm ? 0 : weight),
    0,
  );
  return (evidence) => Math.max(0, total - evidence) + against;
}

function strangenessOf(term: string): number {
  if (isEveryday(term)) return everydayWeight;
  return isField(term) ? fieldWeight : 0;
}

/** The heaviest first, ways of asking last. */
function byWeight(words: readonly WeighedWord[]): readonly WeighedWord[] {
  return words.toSorted((a, b) => Number(a.isForm) - Number(b.isForm) || b.weight - a.weight);
}

interface FoundNear extends FoundDelegate {
  readonly near: number;
}

/** Inserts a place where it is among the best; of equal ones the first stays before. */
function keepBest<T extends FoundDelegate>(best: T[], found: T, limit: number): void {
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
