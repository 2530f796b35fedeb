import type { Postings } from "./postings.js";
import type { AnalyzedQuery } from "./query.js";
import { idfOf } from "./query.js";

/** Weights by number of the field. */
export interface ScoringWeights {
  readonly weights: readonly number[];
  readonly bs: readonly number[];
  readonly k1: number;
  readonly parentWeight: number;
}

/** A scorer over one state of an index. It keeps scratch space, so one query at a time. */
export interface Scorer {
  /** Calls back for every document with at least one term of the query. Order is that of the postings. */
  score(query: AnalyzedQuery, visit: (slot: number, own: number, parent: number) => void): void;
  /** What a count in a field of a document is worth before saturation. */
  worth(slot: number, field: number, count: number): number;
}

/**
 * Prepares BM25F: counts of a term in all fields, each divided by the length norm of its field, are
 * added with the weights of the fields, and only then saturate.
 *
 * Source: S. Robertson, H. Zaragoza, M. Taylor, "Simple BM25 Extension to Multiple Weighted Fields", 2004.
 */
export function createScorer(postings: Postings, options: ScoringWeights): Scorer {
  const { slots, counts, offsets, parents, parentCount, lengths, averages, documents } = postings;
  const { weights, bs, k1, parentWeight } = options;
  const fieldCount = weights.length;
  const norms = new Float64Array(lengths.length);
  const parentLengths = new Float64Array(parentCount);
  for (let slot = 0; slot < documents.length; slot++) {
    const parent = parents[slot] ?? 0;
    for (let field = 0; field < fieldCount; field++) {
      const at = slot * fieldCount + field;
      const length = lengths[at] ?? 0;
      const b = bs[field] ?? 0;
      norms[at] =
        (weights[field] ?? 0) / (1 - b + (b * length) / Math.max(1e-9, averages[field] ?? 0));
      parentLengths[parent] = (parentLengths[parent] ?? 0) + length;
    }
  }
  const meanParentLength =
    parentLengths.reduce((sum, each) => sum + each, 0) / Math.max(1, parentCount);
  const parentNorms = parentLengths.map(
    (length) => 1 / (0.25 + (0.75 * length) / Math.max(1e-9, meanParentLength)),
  );

  const own = new Float64Array(documents.length);
  const isTouched = new Uint8Array(documents.length);
  const ofParent = new Float64Array(parentCount);
  const parentWorth = new Float64Array(parentCount);

  return {
    worth: (slot, field, count) => count * (norms[slot * fieldCount + field] ?? 0),
    score(query, visit) {
      const touched: number[] = [];
      const touchedParents: number[] = [];
      for (const { number, idf, weight } of query.terms) {
        if (number === undefined) continue;
        const end = offsets[number + 1] ?? 0;
        const gain = idf * weight * (k1 + 1);
        const seenParents: number[] = [];
        let at = offsets[number] ?? 0;
        while (at < end) {
          const slot = slots[at] ?? 0;
          let worth = 0;
          let plain = 0;
          for (; at < end && slots[at] === slot; at++) {
            const entry = counts[at] ?? 0;
            const field = entry >>> 12;
            const count = entry & 0xfff;
            worth += count * (norms[slot * fieldCount + field] ?? 0);
            plain += count * (weights[field] ?? 0);
          }
          if (isTouched[slot] === 0) {
            isTouched[slot] = 1;
            touched.push(slot);
          }
          own[slot] = (own[slot] ?? 0) + (gain * worth) / (k1 + worth);
          if (parentWeight > 0) {
            const parent = parents[slot] ?? 0;
            const before = parentWorth[parent] ?? 0;
            if (before === 0) seenParents.push(parent);
            parentWorth[parent] = before + plain;
          }
        }
        const parentGain = idfOf(parentCount, seenParents.length) * weight * (k1 + 1);
        for (const parent of seenParents) {
          const worth = (parentWorth[parent] ?? 0) * (parentNorms[parent] ?? 0);
          parentWorth[parent] = 0;
          const before = ofParent[parent] ?? 0;
          if (before === 0) touchedParents.push(parent);
          ofParent[parent] = before + (parentGain * worth) / (k1 + worth);
        }
      }
      for (const slot of touched) {
        visit(slot, own[slot] ?? 0, ofParent[parents[slot] ?? 0] ?? 0);
        own[slot] = 0;
        isTouched[slot] = 0;
      }
      for (const parent of touchedParents) ofParent[parent] = 0;
    },
  };
}
