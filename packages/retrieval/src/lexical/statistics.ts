import { type AnalyzedDocument, termMask } from "./documents.js";
import type { Language } from "./language.js";
import { enlarge, type Postings } from "./segment.js";

/**
 * Counts over all documents of an index, updated as documents are added and removed. All are
 * integers, so the order makes no difference.
 */
export interface Statistics {
  /** Documents. */
  readonly size: number;
  /** Parents with at least one document; a document without a parent is its own. */
  readonly parentCount: number;
  /** Terms of all parents together. */
  readonly totalLength: number;
  /** Languages of the documents, that of most documents first. */
  languages(): readonly Language[];
  add(document: AnalyzedDocument): void;
  /** Adds documents with the postings of their terms. */
  addAll(documents: readonly AnalyzedDocument[], postings: Postings): void;
  remove(document: AnalyzedDocument): void;
  /** Documents with a term. */
  frequency(term: number): number;
  /** Number of a document's parent, below `parentNumbers`. */
  parentNumber(document: AnalyzedDocument): number;
  readonly parentNumbers: number;
  /** Terms of a parent. */
  parentLength(parent: number): number;
  /** Mean length of a field over the documents that have it. */
  averageLength(field: number): number;
}

/** Creates the statistics of an empty index. */
export function createStatistics(fieldCount: number): Statistics {
  let frequencies = new Uint32Array(1_024);
  /** By term: the last document it was counted for, so that each counts once. */
  let seen = new Uint32Array(1_024);
  let stamp = 0;
  let size = 0;
  let totalLength = 0;
  let parentCount = 0;
  const sums = new Array<number>(fieldCount).fill(0);
  const filled = new Array<number>(fieldCount).fill(0);
  /** Numbers of parents, and of documents without one. */
  const numbers = new Map<string, number>();
  const ownNumbers = new Map<string, number>();
  const languageSizes = new Map<Language, number>();
  const parentSizes: number[] = [];
  const parentLengths: number[] = [];

  function countTerms({ stream }: AnalyzedDocument, by: 1 | -1): void {
    stamp++;
    for (let at = 0; at < stream.length; at++) {
      const term = (stream[at] ?? 0) & termMask;
      if (term >= frequencies.length) grow(term);
      if (seen[term] === stamp) continue;
      seen[term] = stamp;
      frequencies[term] = (frequencies[term] ?? 0) + by;
    }
  }

  function grow(term: number): void {
    frequencies = enlarge(frequencies, term + 1);
    seen = enlarge(seen, term + 1);
  }

  function countPostings({ terms, offsets, places }: Postings): void {
    const last = terms[terms.length - 1] ?? 0;
    if (last >= frequencies.length) grow(last);
    for (let index = 0; index < terms.length; index++) {
      let documents = 0;
      let before = -1;
      const end = offsets[index + 1] ?? 0;
      for (let at = offsets[index] ?? end; at < end; at++) {
        const place = places[at] ?? 0;
        if (place !== before) documents++;
        before = place;
      }
      const term = terms[index] ?? 0;
      frequencies[term] = (frequencies[term] ?? 0) + documents;
    }
  }

  function countLengths({ language = "en", stream, ends }: AnalyzedDocument, by: 1 | -1): void {
    let from = 0;
    for (let field = 0; field < fieldCount; field++) {
      const end = ends[field] ?? from;
      if (end > from) {
        sums[field] = (sums[field] ?? 0) + by * (end - from);
        filled[field] = (filled[field] ?? 0) + by;
      }
      from = end;
    }
    size += by;
    languageSizes.set(language, (languageSizes.get(language) ?? 0) + by);
    totalLength += by * stream.length;
  }

  function parentOf({ id, parent }: AnalyzedDocument): number {
    const map = parent === undefined ? ownNumbers : numbers;
    const key = parent ?? id;
    const known = map.get(key);
    if (known !== undefined) return known;
    const number = numbers.size + ownNumbers.size;
    map.set(key, number);
    return number;
  }

  function addToParent(document: AnalyzedDocument): void {
    const parent = parentOf(document);
    const before = parentSizes[parent] ?? 0;
    if (before === 0) parentCount++;
    parentSizes[parent] = before + 1;
    parentLengths[parent] = (parentLengths[parent] ?? 0) + document.stream.length;
  }

  return {
    get size() {
      return size;
    },
    get parentCount() {
      return parentCount;
    },
    get totalLength() {
      return totalLength;
    },
    get parentNumbers() {
      return numbers.size + ownNumbers.size;
    },
    languages: () =>
      [...languageSizes]
        .filter(([, documents]) => documents > 0)
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .map(([language]) => language),
    add(document) {
      countTerms(document, 1);
      countLengths(document, 1);
      addToParent(document);
    },
    addAll(documents, postings) {
      countPostings(postings);
      for (const document of documents) {
        countLengths(document, 1);
        addToParent(document);
      }
    },
    remove(document) {
      countTerms(document, -1);
      countLengths(document, -1);
      const parent = parentOf(document);
      const left = (parentSizes[parent] ?? 0) - 1;
      if (left === 0) parentCount--;
      parentSizes[parent] = left;
      parentLengths[parent] = (parentLengths[parent] ?? 0) - document.stream.length;
    },
    frequency: (term) => frequencies[term] ?? 0,
    parentNumber: parentOf,
    parentLength: (parent) => parentLengths[parent] ?? 0,
    averageLength: (field) => (sums[field] ?? 0) / Math.max(1, filled[field] ?? 0),
  };
}
