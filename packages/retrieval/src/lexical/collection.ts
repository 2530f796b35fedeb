import {
  type AnalyzedDocument,
  type DocumentTable,
  documentAt,
  packDocuments,
} from "./documents.js";
import {
  createPostingsBuilder,
  maxSegmentDocuments,
  type Postings,
  placeOf,
  type Segment,
  segmentOf,
  toSegment,
} from "./segment.js";
import { createStatistics, type Statistics } from "./statistics.js";

/** Documents of an index at one moment, numbered by slots; those of removed documents are empty. */
export interface CollectionView {
  readonly statistics: Statistics;
  /** Segment `n` has the slots from `n * maxSegmentDocuments` on. */
  readonly segments: readonly (Segment | undefined)[];
  /** 1 for slots whose document was removed or replaced. */
  readonly isRemoved: Uint8Array;
  document(slot: number): AnalyzedDocument | undefined;
  /** Id of the document in a slot; empty when there is none. */
  id(slot: number): string;
}

/** A mutable collection of documents. */
export interface Collection {
  readonly size: number;
  has(id: string): boolean;
  /** Adds a document, replacing one with the same id. */
  put(document: AnalyzedDocument): void;
  /**
   * Adds documents, none of which it has, with the postings of their terms: at most `maxSegmentDocuments`.
   */
  putAll(documents: DocumentTable, postings: Postings): void;
  /** The postings of documents. */
  postingsOf(documents: DocumentTable): Postings;
  /** Removes a document; returns whether it existed. */
  take(id: string): boolean;
  /** Removes all documents of a parent; returns their number. */
  takeParent(parent: string): number;
  /** The documents with these ids; all without them. */
  documents(ids?: Iterable<string>): DocumentTable;
  /** Ids of the documents of a parent, in the order in which they were added. */
  idsOf(parent: string): readonly string[];
  /** The documents for searching, valid until the next change. Builds at most one segment. */
  view(): CollectionView;
}

/** A segment is full with this number of terms, too. */
const maxSegmentTerms = 200_000;
/** Slot of a document that is not in a segment yet. */
const pending = -1;

/**
 * Creates an empty collection.
 *
 * A segment is built whenever enough documents have been added, so that no later search has to build them all. The
 * documents of a segment of which more than half were removed are added anew.
 */
export function createCollection(fieldCount: number): Collection {
  const statistics = createStatistics(fieldCount);
  const postingsOf = createPostingsBuilder();
  /** Slots by id. */
  const slots = new Map<string, number>();
  const byParent = new Map<string, Set<string>>();
  const segments: (Segment | undefined)[] = [];
  /** Number of removed documents, by segment. */
  const removed: number[] = [];
  let isRemoved = new Uint8Array();
  const added = new Map<string, AnalyzedDocument>();
  let addedTerms = 0;
  let view: CollectionView | undefined;

  function find(id: string): AnalyzedDocument | undefined {
    const slot = slots.get(id);
    return slot === undefined || slot === pending ? added.get(id) : at(slot);
  }

  function at(slot: number): AnalyzedDocument | undefined {
    const segment = segments[segmentOf(slot)];
    return segment && documentAt(segment.table, placeOf(slot));
  }

  function take(id: string): boolean {
    const slot = slots.get(id);
    const document = find(id);
    if (slot === undefined || document === undefined) return false;
    view = undefined;
    slots.delete(id);
    statistics.remove(document);
    if (slot === pending) {
      added.delete(id);
      addedTerms -= document.stream.length;
    } else drop(slot);
    if (document.parent !== undefined) {
      const siblings = byParent.get(document.parent);
      siblings?.delete(id);
      if (siblings?.size === 0) byParent.delete(document.parent);
    }
    return true;
  }

  function drop(slot: number): void {
    const number = segmentOf(slot);
    const table = segments[number]?.table;
    const count = (removed[number] ?? 0) + 1;
    isRemoved[slot] = 1;
    removed[number] = count;
    if (table === undefined || 2 * count <= table.ids.length) return;
    segments[number] = undefined;
    for (let place = 0; place < table.ids.length; place++) {
      const document = documentAt(table, place);
      const isKept = isRemoved[number * maxSegmentDocuments + place] === 0;
      if (document !== undefined && isKept) add(document);
    }
  }

  function add(document: AnalyzedDocument): void {
    slots.set(document.id, pending);
    added.set(document.id, document);
    addedTerms += document.stream.length;
    if (added.size < maxSegmentDocuments && addedTerms < maxSegmentTerms) return;
    place(segmentOfAdded());
    added.clear();
    addedTerms = 0;
  }

  function segmentOfAdded(): Segment {
    const table = packDocuments([...added.values()], fieldCount);
    return toSegment(table, postingsOf(table), statistics.parentNumber);
  }

  function addToParent(id: string, parent: string | undefined): void {
    if (parent === undefined) return;
    const siblings = byParent.get(parent);
    if (siblings === undefined) byParent.set(parent, new Set([id]));
    else siblings.add(id);
  }

  function place(segment: Segment): void {
    const gap = segments.indexOf(undefined);
    const number = gap < 0 ? segments.length : gap;
    const first = number * maxSegmentDocuments;
    if (first + maxSegmentDocuments > isRemoved.length) {
      const larger = new Uint8Array(Math.max(2 * isRemoved.length, first + maxSegmentDocuments));
      larger.set(isRemoved);
      isRemoved = larger;
    }
    isRemoved.fill(0, first, first + maxSegmentDocuments);
    segments[number] = segment;
    removed[number] = 0;
    segment.table.ids.forEach((id, each) => {
      slots.set(id, first + each);
    });
  }

  function buildView(): CollectionView {
    const all = added.size === 0 ? [...segments] : [...segments, segmentOfAdded()];
    const flags = new Uint8Array(all.length * maxSegmentDocuments);
    flags.set(isRemoved.subarray(0, segments.length * maxSegmentDocuments));
    return {
      statistics,
      segments: all,
      isRemoved: flags,
      document(slot) {
        const segment = all[segmentOf(slot)];
        return segment && documentAt(segment.table, placeOf(slot));
      },
      id: (slot) => all[segmentOf(slot)]?.table.ids[placeOf(slot)] ?? "",
    };
  }

  return {
    get size() {
      return slots.size;
    },
    has: (id) => slots.has(id),
    put(document) {
      take(document.id);
      view = undefined;
      statistics.add(document);
      add(document);
      addToParent(document.id, document.parent);
    },
    putAll(table, postings) {
      view = undefined;
      statistics.addAll(table, postings);
      table.ids.forEach((id, each) => {
        addToParent(id, table.parents[each]);
      });
      place(toSegment(table, postings, statistics.parentNumber));
    },
    postingsOf,
    take,
    takeParent(parent) {
      const ids = [...(byParent.get(parent) ?? [])];
      for (const id of ids) take(id);
      return ids.length;
    },
    documents(ids = slots.keys()) {
      return packDocuments(
        [...ids].flatMap((id) => find(id) ?? []),
        fieldCount,
      );
    },
    idsOf: (parent) => [...(byParent.get(parent) ?? [])],
    view() {
      view ??= buildView();
      return view;
    },
  };
}
