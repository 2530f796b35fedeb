import { type AnalyzedDocument, termMask } from "./documents.js";

/**
 * Where each term is in some documents, in flat arrays: entry `offsets[n]` up to `offsets[n + 1]` of the term
 * `terms[n]` names a document, a field and a count. Entries of a term are in the order of the documents.
 * Never changes.
 */
export interface Postings {
  /** Numbers of the terms, ascending. */
  readonly terms: Uint32Array;
  readonly offsets: Uint32Array;
  /** Place of the document. */
  readonly places: Uint16Array;
  /** Field in the upper four bits, count in the others. */
  readonly counts: Uint16Array;
}

/** Documents with the postings of their terms. Never changes. */
export interface Segment extends Postings {
  readonly documents: readonly AnalyzedDocument[];
  /** Terms in a field, by document and field; extra terms included. */
  readonly lengths: Uint32Array;
  /** Number of its parent, by document. */
  readonly parents: Uint32Array;
}

/** Maximum number of fields of an index: four bits. */
export const maxFields = 16;
/** Maximum number of documents of a segment, so that building one blocks the event loop only briefly. */
export const maxSegmentDocuments = 1_024;

/** Number of the segment of a slot. */
export function segmentOf(slot: number): number {
  return Math.floor(slot / maxSegmentDocuments);
}

/** Place of a slot in its segment. */
export function placeOf(slot: number): number {
  return slot % maxSegmentDocuments;
}

const maxCount = 0xfff;

/** Builds the postings of documents, one set after another. It keeps scratch space. */
export function createPostingsBuilder(): (documents: readonly AnalyzedDocument[]) => Postings {
  /** By term: its count in a field, then where its next entry goes. */
  let tally = new Uint32Array(1_024);

  /** Takes time in proportion to the terms of the documents. */
  return (documents) => {
    const length = documents.reduce((sum, { stream }) => sum + stream.length, 0);
    const found = new Uint32Array(length);
    const foundPlaces = new Uint16Array(length);
    const foundCounts = new Uint16Array(length);
    let total = 0;
    documents.forEach(({ stream, ends }, place) => {
      let from = 0;
      for (let field = 0; field < ends.length; field++) {
        const end = ends[field] ?? 0;
        const first = total;
        for (let at = from; at < end; at++) {
          const term = (stream[at] ?? 0) & termMask;
          if (term >= tally.length) tally = enlarge(tally, term + 1);
          const before = tally[term] ?? 0;
          if (before === 0) found[total++] = term;
          tally[term] = before + 1;
        }
        for (let at = first; at < total; at++) {
          const term = found[at] ?? 0;
          foundPlaces[at] = place;
          foundCounts[at] = (field << 12) | Math.min(tally[term] ?? 0, maxCount);
          tally[term] = 0;
        }
        from = end;
      }
    });
    const terms = collectTerms(found, total);
    const offsets = new Uint32Array(terms.length + 1);
    let offset = 0;
    terms.forEach((term, at) => {
      offsets[at] = offset;
      const entries = tally[term] ?? 0;
      tally[term] = offset;
      offset += entries;
    });
    offsets[terms.length] = offset;
    const places = new Uint16Array(total);
    const counts = new Uint16Array(total);
    for (let at = 0; at < total; at++) {
      const term = found[at] ?? 0;
      const to = tally[term] ?? 0;
      tally[term] = to + 1;
      places[to] = foundPlaces[at] ?? 0;
      counts[to] = foundCounts[at] ?? 0;
    }
    for (const term of terms) tally[term] = 0;
    return { terms, offsets, places, counts };
  };

  /** The distinct terms, ascending; the number of their entries is in the tally then. */
  function collectTerms(found: Uint32Array, total: number): Uint32Array {
    const distinct: number[] = [];
    for (let at = 0; at < total; at++) {
      const term = found[at] ?? 0;
      const before = tally[term] ?? 0;
      if (before === 0) distinct.push(term);
      tally[term] = before + 1;
    }
    return Uint32Array.from(distinct).sort();
  }
}

/** Place of a term in the terms of a segment; -1 when it has none. */
export function findTerm({ terms }: Segment, term: number): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? 0) < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? low : -1;
}

/** A copy with room for at least `length` numbers. */
export function enlarge(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/** Joins documents and their postings. */
export function toSegment(
  documents: readonly AnalyzedDocument[],
  postings: Postings,
  fieldCount: number,
  parentOf: (document: AnalyzedDocument) => number,
): Segment {
  return {
    documents,
    ...postings,
    lengths: countFieldLengths(documents, fieldCount),
    parents: Uint32Array.from(documents, parentOf),
  };
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
