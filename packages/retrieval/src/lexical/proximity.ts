import { type AnalyzedDocument, extraBit, termMask } from "./documents.js";
import type { AnalyzedQuery } from "./query.js";

/** Adjacent pairs of words in a query, with their weights. */
export interface QueryPairs {
  /** Sum of the weights of all pairs. */
  readonly bound: number;
  /**
   * Score of a document, at most `bound`: a pair counts fully when its words are adjacent in order,
   * and half when they are within four words of each other.
   */
  of(document: AnalyzedDocument): number;
}

/** Maximum distance of two words of a pair. */
const window = 4;

/** Reads the adjacent pairs of a query. */
export function readPairs(query: AnalyzedQuery): QueryPairs {
  const places = new Map<number, number>();
  query.terms.forEach(({ number }, place) => {
    if (number !== undefined) places.set(number, place);
  });
  const worths = new Map<number, number>();
  let bound = 0;
  for (let at = 1; at < query.sequence.length; at++) {
    const left = query.sequence[at - 1] ?? 0;
    const right = query.sequence[at] ?? 0;
    const key = left * 512 + right;
    if (left === right || worths.has(key)) continue;
    const worth = Math.min(query.terms[left]?.idf ?? 0, query.terms[right]?.idf ?? 0);
    worths.set(key, worth);
    bound += worth;
  }
  return {
    bound,
    of({ stream, ends }) {
      if (worths.size === 0) return 0;
      const found = new Map<number, number>();
      let from = 0;
      for (const end of ends) {
        scan(stream, from, end, places, worths, found);
        from = end;
      }
      let sum = 0;
      for (const worth of found.values()) sum += worth;
      return sum;
    },
  };
}

function scan(
  stream: Uint32Array,
  from: number,
  end: number,
  places: ReadonlyMap<number, number>,
  worths: ReadonlyMap<number, number>,
  found: Map<number, number>,
): void {
  const recent: { place: number; at: number }[] = [];
  let position = 0;
  for (let index = from; index < end; index++) {
    const entry = stream[index] ?? 0;
    if ((entry & extraBit) === 0) position++;
    const place = places.get(entry & termMask);
    if (place === undefined) continue;
    while (recent.length > 0 && position - (recent[0]?.at ?? 0) > window) recent.shift();
    for (const before of recent) {
      const distance = position - before.at;
      note(before.place * 512 + place, distance <= 1 ? 1 : 0.5, worths, found);
      note(place * 512 + before.place, 0.5, worths, found);
    }
    recent.push({ place, at: position });
  }
}

function note(
  key: number,
  share: number,
  worths: ReadonlyMap<number, number>,
  found: Map<number, number>,
): void {
  const worth = worths.get(key);
  if (worth === undefined) return;
  if ((found.get(key) ?? 0) < worth * share) found.set(key, worth * share);
}
