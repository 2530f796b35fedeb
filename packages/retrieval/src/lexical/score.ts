import type { CollectionView } from "./collection.js";
import type { AnalyzedQuery } from "./query.js";
import { computeIdf } from "./query.js";
import { findTerm, maxSegmentDocuments, placeOf, segmentOf } from "./segment.js";
import type { Steps } from "./turns.js";

/** Weights by number of the field. */
export interface ScoringWeights {
  readonly weights: readonly number[];
  readonly bs: readonly number[];
  readonly parentWeight: number;
}

/** A scorer over one view of an index. */
export interface Scorer {
  /**
   * Calls back for every document with at least one term of the query, in the order of the slots they were found in.
   *
   * @param isWidened - Whether synonyms of the terms count too.
   */
  score(
    query: AnalyzedQuery,
    visit: (slot: number, own: number, parent: number) => void,
    isWidened?: boolean,
  ): Steps<void>;
  /** Number of the parent of a document. */
  parentOf(slot: number): number;
}

/** Term frequency saturation: how much repeated words add. */
export const k1 = 1.6;

/**
 * Weight of a synonym when a document lacks the word itself, and when it has the word or another
 * synonym.
 */
export const synonymWeight = 0.7;
const repeatedShare = 0.25;

/** Number of segments, and of found documents, of one step. */
const stepSegments = 8;
const stepDocuments = 1_024;

/** Length from which the norm of a field is computed each time. */
const maxShort = 512;

/** One posting list to add up. */
interface Reading {
  readonly number: number;
  readonly idf: number;
  readonly weight: number;
  /** The same for a term and its synonyms. */
  readonly group: number;
}

/**
 * Prepares BM25F: counts of a term in all fields, each divided by the length norm of its field, are
 * added with the weights of the fields, and only then saturate.
 *
 * Source: S. Robertson, H. Zaragoza, M. Taylor, "Simple BM25 Extension to Multiple Weighted Fields", 2004.
 */
export function createScorer(view: CollectionView, options: ScoringWeights): Scorer {
  const { segments, isRemoved, statistics } = view;
  const { weights, bs, parentWeight } = options;
  const fieldCount = weights.length;
  const slotCount = segments.length * maxSegmentDocuments;
  const averages = weights.map((_, field) => Math.max(1e-9, statistics.averageLength(field)));
  const { parentCount, parentNumbers } = statistics;
  const meanLength = Math.max(1e-9, statistics.totalLength / Math.max(1, parentCount));

  /** Space of queries that have ended: each running query has its own. */
  const free: Scratch[] = [];

  /** Norms of short fields, by field and length. */
  const norms = new Float64Array(fieldCount * maxShort);
  for (let at = 0; at < norms.length; at++) {
    norms[at] = computeNorm(Math.floor(at / maxShort), at % maxShort);
  }

  function computeNorm(field: number, length: number): number {
    const b = bs[field] ?? 0;
    return (weights[field] ?? 0) / (1 - b + (b * length) / (averages[field] ?? 1));
  }

  /** Weight of one occurrence in a field of this length. */
  function norm(field: number, length: number): number {
    return length < maxShort ? (norms[field * maxShort + length] ?? 0) : computeNorm(field, length);
  }

  function parentNorm(parent: number): number {
    return 1 / (0.25 + (0.75 * statistics.parentLength(parent)) / meanLength);
  }

  function parentOf(slot: number): number {
    return segments[segmentOf(slot)]?.parents[placeOf(slot)] ?? 0;
  }

  return {
    parentOf,
    *score(query, visit, isWidened = false) {
      const scratch = free.pop() ?? createScratch(slotCount, parentNumbers);
      const { own, isTouched, touched, groups } = scratch;
      const { ofParent, parentWorth, touchedParents, seenParents } = scratch;
      const readings = readReadings(query, isWidened, scratch.lastGroup);
      scratch.lastGroup += query.terms.length;
      let touchedCount = 0;
      let touchedParentCount = 0;
      for (const { number, idf, weight, group } of readings) {
        const gain = idf * weight * (k1 + 1);
        let seenCount = 0;
        for (let index = 0; index < segments.length; index++) {
          if (index % stepSegments === 0) yield;
          const segment = segments[index];
          const found = segment === undefined ? -1 : findTerm(segment, number);
          if (segment === undefined || found < 0) continue;
          const { offsets, places, counts, lengths, parents } = segment;
          const firstSlot = index * maxSegmentDocuments;
          const end = offsets[found + 1] ?? 0;
          let at: number = offsets[found] ?? end;
          while (at < end) {
            const place: number = places[at] ?? 0;
            const slot = firstSlot + place;
            let worth = 0;
            let plain = 0;
            for (; at < end && places[at] === place; at++) {
              const entry = counts[at] ?? 0;
              const field = entry >>> 12;
              const count = entry & 0xfff;
              worth += count * norm(field, lengths[place * fieldCount + field] ?? 0);
              plain += count * (weights[field] ?? 0);
            }
            if (isRemoved[slot] === 1) continue;
            if (isTouched[slot] === 0) {
              isTouched[slot] = 1;
              touched[touchedCount++] = slot;
            }
            const share = groups[slot] === group ? repeatedShare : 1;
            groups[slot] = group;
            own[slot] = (own[slot] ?? 0) + (share * gain * worth) / (k1 + worth);
            if (parentWeight > 0) {
              const parent = parents[place] ?? 0;
              const before = parentWorth[parent] ?? 0;
              if (before === 0) seenParents[seenCount++] = parent;
              parentWorth[parent] = before + plain;
            }
          }
        }
        const parentGain = computeIdf(parentCount, seenCount) * weight * (k1 + 1);
        for (let at = 0; at < seenCount; at++) {
          const parent = seenParents[at] ?? 0;
          const worth = (parentWorth[parent] ?? 0) * parentNorm(parent);
          parentWorth[parent] = 0;
          const before = ofParent[parent] ?? 0;
          if (before === 0) touchedParents[touchedParentCount++] = parent;
          ofParent[parent] = before + (parentGain * worth) / (k1 + worth);
        }
      }
      for (let at = 0; at < touchedCount; at++) {
        if (at % stepDocuments === 0) yield;
        const slot = touched[at] ?? 0;
        visit(slot, own[slot] ?? 0, ofParent[parentOf(slot)] ?? 0);
        own[slot] = 0;
        isTouched[slot] = 0;
      }
      for (let at = 0; at < touchedParentCount; at++) ofParent[touchedParents[at] ?? 0] = 0;
      free.push(scratch);
    },
  };
}

/** Space in which the scores of one query are added up; zero between queries. */
interface Scratch {
  readonly own: Float64Array;
  readonly isTouched: Uint8Array;
  readonly touched: Uint32Array;
  /** By slot: the last group that matched it. Group numbers increase across queries. */
  readonly groups: Float64Array;
  lastGroup: number;
  readonly ofParent: Float64Array;
  readonly parentWorth: Float64Array;
  readonly touchedParents: Uint32Array;
  readonly seenParents: Uint32Array;
}

function createScratch(slots: number, parents: number): Scratch {
  return {
    own: new Float64Array(slots),
    isTouched: new Uint8Array(slots),
    touched: new Uint32Array(slots),
    groups: new Float64Array(slots),
    lastGroup: 0,
    ofParent: new Float64Array(parents),
    parentWorth: new Float64Array(parents),
    touchedParents: new Uint32Array(parents),
    seenParents: new Uint32Array(parents),
  };
}

/** The terms of a query, each followed by its synonyms where these count. */
function readReadings(
  query: AnalyzedQuery,
  isWidened: boolean,
  lastGroup: number,
): readonly Reading[] {
  return query.terms.flatMap(({ number, idf, weight, synonyms }, place) => {
    const group = lastGroup + place + 1;
    const own = number === undefined ? [] : [{ number, idf, weight, group }];
    if (!isWidened) return own;
    return [
      ...own,
      ...synonyms.map((each) => ({ ...each, weight: weight * synonymWeight, group })),
    ];
  });
}
