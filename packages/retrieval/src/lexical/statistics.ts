import { type AnalyzedDocument, type DocumentTable, enlarge } from "./documents.js";
import type { Language } from "./language.js";
import { fieldLengths, type Postings } from "./segment.js";

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
  addAll(documents: DocumentTable, postings: Postings): void;
  remove(document: AnalyzedDocument): void;
  /** Documents with a term. */
  frequency(term: number): number;
  /** Number of a document's parent, below `parentNumbers`. */
  parentNumber(id: string, parent: string | undefined): number;
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
      const term = stream[at] ?? 0;
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

  function countField(field: number, length: number, by: 1 | -1): void {
    if (length === 0) return;
    sums[field] = (sums[field] ?? 0) + by * length;
    filled[field] = (filled[field] ?? 0) + by;
  }

  function countLengths({ ends }: AnalyzedDocument, by: 1 | -1): void {
    ends.forEach((end, field) => {
      countField(field, end - (field === 0 ? 0 : (ends[field - 1] ?? 0)), by);
    });
  }

  function countLanguage(language: Language, by: 1 | -1): void {
    languageSizes.set(language, (languageSizes.get(language) ?? 0) + by);
  }

  function parentNumber(id: string, parent: string | undefined): number {
    const map = parent === undefined ? ownNumbers : numbers;
    const key = parent ?? id;
    const known = map.get(key);
    if (known !== undefined) return known;
    const number = numbers.size + ownNumbers.size;
    map.set(key, number);
    return number;
  }

  function countDocument(parent: number, terms: number, by: 1 | -1): void {
    const before = parentSizes[parent] ?? 0;
    if (before === 0) parentCount++;
    else if (before + by === 0) parentCount--;
    parentSizes[parent] = before + by;
    parentLengths[parent] = (parentLengths[parent] ?? 0) + by * terms;
    size += by;
    totalLength += by * terms;
  }

  function count(document: AnalyzedDocument, by: 1 | -1): void {
    const { id, parent, language = "en", stream } = document;
    countTerms(document, by);
    countLengths(document, by);
    countLanguage(language, by);
    countDocument(parentNumber(id, parent), stream.length, by);
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
    add: (document) => count(document, 1),
    addAll(table, postings) {
      countPostings(postings);
      const { ids, parents, languages, starts } = table;
      fieldLengths(table).forEach((length, at) => {
        countField(at % fieldCount, length, 1);
      });
      ids.forEach((id, place) => {
        countLanguage(languages[place] ?? "en", 1);
        const terms = (starts[place + 1] ?? 0) - (starts[place] ?? 0);
        countDocument(parentNumber(id, parents[place]), terms, 1);
      });
    },
    remove: (document) => count(document, -1),
    frequency: (term) => frequencies[term] ?? 0,
    parentNumber,
    parentLength: (parent) => parentLengths[parent] ?? 0,
    averageLength: (field) => (sums[field] ?? 0) / Math.max(1, filled[field] ?? 0),
  };
}
