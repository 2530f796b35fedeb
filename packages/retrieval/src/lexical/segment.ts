import { type DocumentTable, enlarge } from "./documents.js";

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
  readonly table: DocumentTable;
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
export function createPostingsBuilder(): (documents: DocumentTable) => Postings {
  /** By term: its count in a field, then where its next entry goes. */
  let tally = new Uint32Array(1_024);

  /** Takes time in proportion to the terms of the documents. */
  return ({ ids, stream, starts, ends }) => {
    const fieldCount = ends.length / ids.length;
    const found = new Uint32Array(stream.length);
    const foundPlaces = new Uint16Array(stream.length);
    const foundCounts = new Uint16Array(stream.length);
    let total = 0;
    for (let place = 0; place < ids.length; place++) {
      const start = starts[place] ?? 0;
      let from = start;
      for (let field = 0; field < fieldCount; field++) {
        const end = start + (ends[place * fieldCount + field] ?? 0);
        const first = total;
        for (let at = from; at < end; at++) {
          const term = stream[at] ?? 0;
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
    }
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

/** Joins documents and their postings. */
export function toSegment(
  table: DocumentTable,
  postings: Postings,
  parentNumber: (id: string, parent: string | undefined) => number,
): Segment {
  const parents = Uint32Array.from(table.ids, (id, place) =>
    parentNumber(id, table.parents[place]),
  );
  return { table, ...postings, lengths: fieldLengths(table), parents };
}

/** Terms in each field, by document and field. */
export function fieldLengths({ ids, ends }: DocumentTable): Uint32Array {
  const fieldCount = ends.length / ids.length;
  const lengths = ends.slice();
  for (let at = 0; at < lengths.length; at++) {
    if (at % fieldCount > 0) lengths[at] = (ends[at] ?? 0) - (ends[at - 1] ?? 0);
  }
  return lengths;
}
