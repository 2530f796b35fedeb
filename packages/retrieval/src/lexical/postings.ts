import { type AnalyzedDocument, termMask } from "./documents.js";

/**
 * Where each term stands, in flat arrays: entry `offsets[term]` up to `offsets[term + 1]` names a
 * document, a field and a count. Entries of a term are in the order of the documents.
 */
export interface Postings {
  readonly documents: readonly AnalyzedDocument[];
  readonly offsets: Uint32Array;
  readonly slots: Uint32Array;
  /** Field in the upper four bits, count in the others. */
  readonly counts: Uint16Array;
  /** Documents with the term, by term. */
  readonly frequencies: Uint32Array;
  /** Parents with the term, by term. */
  readonly parentFrequencies: Uint32Array;
  /** Number of the parent, by document. */
  readonly parents: Uint32Array;
  readonly parentCount: number;
  /** Terms in a field, by document and field; extra terms included. */
  readonly lengths: Float64Array;
  /** Mean length of each field over the documents that have it. */
  readonly averages: readonly number[];
}

/** Most fields of an index: four bits. */
export const maxFields = 16;
const maxCount = 0xfff;

/** Turns documents into postings. Takes time in proportion to their terms. */
export function buildPostings(
  documents: readonly AnalyzedDocument[],
  fieldCount: number,
  termCount: number,
): Postings {
  const tally = new Uint32Array(termCount);
  const offsets = new Uint32Array(termCount + 1);
  const touched: number[] = [];
  // Twice over the documents: to count the entries of each term, and to write them in place.
  eachEntry(documents, tally, touched, (term) => {
    offsets[term + 1] = (offsets[term + 1] ?? 0) + 1;
  });
  for (let term = 0; term < termCount; term++) {
    offsets[term + 1] = (offsets[term + 1] ?? 0) + (offsets[term] ?? 0);
  }
  const total = offsets[termCount] ?? 0;
  const slots = new Uint32Array(total);
  const counts = new Uint16Array(total);
  const next = offsets.slice(0, termCount);
  eachEntry(documents, tally, touched, (term, slot, field, count) => {
    const at = next[term] ?? 0;
    next[term] = at + 1;
    slots[at] = slot;
    counts[at] = (field << 12) | Math.min(count, maxCount);
  });
  const { parents, parentCount } = numberParents(documents);
  return {
    documents,
    offsets,
    slots,
    counts,
    frequencies: countDistinct(offsets, (at) => slots[at] ?? 0, documents.length),
    parentFrequencies: countDistinct(offsets, (at) => parents[slots[at] ?? 0] ?? 0, parentCount),
    parents,
    parentCount,
    ...lengthsOf(documents, fieldCount),
  };
}

function eachEntry(
  documents: readonly AnalyzedDocument[],
  tally: Uint32Array,
  touched: number[],
  visit: (term: number, slot: number, field: number, count: number) => void,
): void {
  documents.forEach(({ stream, ends }, slot) => {
    let from = 0;
    for (let field = 0; field < ends.length; field++) {
      const end = ends[field] ?? 0;
      for (let at = from; at < end; at++) {
        const term = (stream[at] ?? 0) & termMask;
        const before = tally[term] ?? 0;
        if (before === 0) touched.push(term);
        tally[term] = before + 1;
      }
      for (const term of touched) {
        visit(term, slot, field, tally[term] ?? 0);
        tally[term] = 0;
      }
      touched.length = 0;
      from = end;
    }
  });
}

function numberParents(documents: readonly AnalyzedDocument[]): {
  readonly parents: Uint32Array;
  readonly parentCount: number;
} {
  const numbers = new Map<string, number>();
  const parents = new Uint32Array(documents.length);
  documents.forEach(({ id, parent }, slot) => {
    // A document without a parent is its own.
    const key = parent === undefined ? `document:${id}` : `parent:${parent}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    parents[slot] = number;
  });
  return { parents, parentCount: numbers.size };
}

function countDistinct(
  offsets: Uint32Array,
  keyAt: (at: number) => number,
  keyCount: number,
): Uint32Array {
  const lastTerm = new Int32Array(keyCount).fill(-1);
  const distinct = new Uint32Array(offsets.length - 1);
  for (let term = 0; term < distinct.length; term++) {
    const end = offsets[term + 1] ?? 0;
    let count = 0;
    for (let at = offsets[term] ?? 0; at < end; at++) {
      const key = keyAt(at);
      if (lastTerm[key] === term) continue;
      lastTerm[key] = term;
      count++;
    }
    distinct[term] = count;
  }
  return distinct;
}

function lengthsOf(
  documents: readonly AnalyzedDocument[],
  fieldCount: number,
): { readonly lengths: Float64Array; readonly averages: readonly number[] } {
  const lengths = new Float64Array(documents.length * fieldCount);
  const sums = new Array<number>(fieldCount).fill(0);
  const filled = new Array<number>(fieldCount).fill(0);
  documents.forEach(({ ends }, slot) => {
    let from = 0;
    for (let field = 0; field < fieldCount; field++) {
      const end = ends[field] ?? from;
      const length = end - from;
      lengths[slot * fieldCount + field] = length;
      if (length > 0) {
        sums[field] = (sums[field] ?? 0) + length;
        filled[field] = (filled[field] ?? 0) + 1;
      }
      from = end;
    }
  });
  return { lengths, averages: sums.map((sum, field) => sum / Math.max(1, filled[field] ?? 0)) };
}
