import type { Delegate } from "@constellation/core";
import type { DelegateTerms } from "./delegate-terms.js";
import type { QueryWord } from "./query-words.js";

/** A delegate that has words of a query. */
export interface RankedDelegate {
  readonly delegate: Delegate;
  /** How well it fits, 0 to 1: comparable across queries and registries. */
  readonly score: number;
  /** Weight of the query's words that it has. */
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
  /** Ranks the delegates: the best first, equal ones in the order they came. */
  rank(
    words: readonly WeighedWord[],
    limit: number,
    left: ReadonlySet<number>,
  ): readonly RankedDelegate[];
  /** The words that a delegate has, as they were written. */
  shared(words: readonly WeighedWord[], delegate: Delegate): readonly string[];
}

/** A word, its weight of 0 to 1, and where it stands. */
export interface WeighedWord extends QueryWord {
  readonly weight: number;
  readonly postings: Postings | undefined;
}

/** Places of the delegates that have a word, ascending, and how much it says of each. */
interface Postings {
  readonly places: Uint32Array;
  readonly strengths: Float32Array;
}

/*
 * Fitted on the questions of the eval's development half: see eval/README.md.
 */

/** What a word weighs that no delegate has. */
const unknownWeight = 0.2;
/** What a way of asking weighs beside a word that is as rare. */
const formWeight = 0.2;
/** Below 1: a word that many delegates have still says something. */
const rarityPower = 0.85;
/** How much a word counts against a delegate that lacks it, as a share of its weight. */
const missing = 0.2;
/** Evidence at which a delegate with every word of the query has a score of one half. */
const halfEvidence = 0.8;
/** Maximum number of postings that are looked at for one ranking: of a long query the commonest words go unread. */
const maxPostings = 30_000;

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
  const { starts, places, strengths } = invert(terms);
  const postingsOf = (term: string): Postings | undefined => {
    const number = numberOf(term);
    if (number === undefined) return undefined;
    const [from = 0, to = 0] = [starts[number], starts[number + 1]];
    if (from === to) return undefined;
    return { places: places.subarray(from, to), strengths: strengths.subarray(from, to) };
  };
  const placeOf = new Map(delegates.map(({ id }, place) => [id, place]));
  const evidence = new Float64Array(delegates.length);
  const touched = new Uint32Array(delegates.length);

  return {
    delegates,
    placeOf: (id) => placeOf.get(id),
    weigh(words, left) {
      const size = delegates.length - left.size;
      return words.map((word) => {
        const found = postingsOf(word.term);
        const frequency = found === undefined ? 0 : found.places.length - countOf(found, left);
        const weight = weightOf(word, frequency, size);
        return { ...word, weight, postings: frequency === 0 ? undefined : found };
      });
    },
    rank(words, limit, left) {
      const total = words.reduce(
        (sum, { weight, isExtra, isForm }) => sum + (isExtra || isForm ? 0 : weight),
        0,
      );
      let read = 0;
      let reached = 0;
      for (const { weight, isForm, postings: found } of byWeight(words)) {
        if (found === undefined) continue;
        read += found.places.length;
        if (read > maxPostings && reached > 0) break;
        const { places, strengths } = found;
        for (let at = 0; at < places.length; at++) {
          const place = places[at] ?? 0;
          const before = evidence[place] ?? 0;
          if (before === 0) {
            if (isForm) continue; // a way of asking alone says nothing
            touched[reached++] = place;
          }
          evidence[place] = before + weight * (strengths[at] ?? 0);
        }
      }
      const best: { place: number; evidence: number }[] = [];
      for (let index = 0; index < reached; index++) {
        const place = touched[index] ?? 0;
        const own = evidence[place] ?? 0;
        evidence[place] = 0; // ready for the next ranking
        const last = best[limit - 1];
        if (last !== undefined && !comesBefore(place, own, last)) continue;
        if (left.has(place)) continue;
        let at = best.length;
        for (; at > 0; at--) {
          const before = best[at - 1];
          if (before !== undefined && !comesBefore(place, own, before)) break;
        }
        best.splice(at, 0, { place, evidence: own });
        if (best.length > limit) best.pop();
      }
      return best.flatMap(({ place, evidence: own }) => {
        const delegate = delegates[place];
        if (delegate === undefined) return [];
        return [{ delegate, evidence: own, score: scoreOf(own, total) }];
      });
    },
    shared(words, delegate) {
      const place = placeOf.get(delegate.id) ?? -1;
      const has = words.filter(
        ({ postings: found, isForm }) => !isForm && found !== undefined && isIn(found, place),
      );
      return [...new Set(has.map(({ written }) => written))];
    },
  };
}

/** From the words of each delegate to the delegates of each word. */
function invert(all: readonly DelegateTerms[]): Postings & { readonly starts: Uint32Array } {
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

/** Evidence against what is missing: a query of many words needs more of them than one of few. */
function scoreOf(evidence: number, total: number): number {
  return evidence / (evidence + missing * Math.max(0, total - evidence) + halfEvidence);
}

function weightOf({ isForm }: QueryWord, frequency: number, size: number): number {
  if (frequency === 0) return isForm ? 0 : unknownWeight;
  const weight = (rarity(frequency, size) / rarity(1, size)) ** rarityPower;
  return isForm ? formWeight * weight : weight;
}

/** The heaviest first, ways of asking last. */
function byWeight(words: readonly WeighedWord[]): readonly WeighedWord[] {
  return words.toSorted((a, b) => Number(a.isForm) - Number(b.isForm) || b.weight - a.weight);
}

function comesBefore(
  place: number,
  evidence: number,
  other: { readonly place: number; readonly evidence: number },
): boolean {
  return evidence > other.evidence || (evidence === other.evidence && place < other.place);
}

/** Inverse document frequency, as BM25 has it. */
function rarity(frequency: number, size: number): number {
  return Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5));
}

function countOf(postings: Postings, places: ReadonlySet<number>): number {
  let count = 0;
  for (const place of places) if (isIn(postings, place)) count++;
  return count;
}

function isIn({ places }: Postings, place: number): boolean {
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
