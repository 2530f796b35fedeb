import { type AnalyzedDocument, termMask } from "./documents.js";

/**
 * Where each term is in a run of documents, in flat arrays: entry `offsets[term]` up to
 * `offsets[term + 1]` names a document, a field and a count. Entries of a term are in the order of
 * the documents. Never changes.
 */
export interface Segment {
  readonly documents: readonly AnalyzedDocument[];
  readonly offsets: Uint32Array;
  /** Place of the document in `documents`. */
  readonly places: Uint32Array;
  /** Field in the upper four bits, count in the others. */
  readonly counts: Uint16Array;
  /** Terms in a field, by document and field; extra terms included. */
  readonly lengths: Uint32Array;
  /** Number of its parent, by document. */
  readonly parents: Uint32Array;
}

/** Maximum number of fields of an index: four bits. */
export const maxFields = 16;
const maxCount = 0xfff;

/** Turns documents into a segment. Takes time in proportion to their terms. */
export function buildSegment(
  documents: readonly AnalyzedDocument[],
  fieldCount: number,
  termCount: number,
  parentOf: (document: AnalyzedDocument) => number,
): Segment {
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
  const places = new Uint32Array(total);
  const counts = new Uint16Array(total);
  const next = offsets.slice(0, termCount);
  eachEntry(documents, tally, touched, (term, place, field, count) => {
    const at = next[term] ?? 0;
    next[term] = at + 1;
    places[at] = place;
    counts[at] = (field << 12) | Math.min(count, maxCount);
  });
  return {
    documents,
    offsets,
    places,
    counts,
    lengths: countFieldLengths(documents, fieldCount),
    parents: Uint32Array.from(documents, parentOf),
  };
}

function eachEntry(
  documents: readonly AnalyzedDocument[],
  tally: Uint32Array,
  touched: number[],
  visit: (term: number, place: number, field: number, count: number) => void,
): void {
  documents.forEach(({ stream, ends }, place) => {
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
        visit(term, place, field, tally[term] ?? 0);
        tally[term] = 0;
      }
      touched.length = 0;
      from = end;
    }
  });
}

function countFieldLengths(
  documents: readonly AnalyzedDocument[],
  fieldCount: number,
): Uint32Array {
  const lengths = new Uint32Array(documents.length * fieldCount);
  documents.forEach(({ ends }, place) => {
    let from = 0;
    for (let field = 0; field < fieldCount; field++) {
      const end = ends[field] ?? from;
      lengths[place * fieldCount + field] = end - from;
      from = end;
    }
  });
  return lengths;
}
