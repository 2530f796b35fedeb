import type { AnalyzedDocument } from "./documents.js";
import { buildSegment, type Segment } from "./segment.js";
import { createStatistics, type Statistics } from "./statistics.js";

/** Documents of an index at one moment, numbered by slots; those of removed documents are empty. */
export interface CollectionView {
  readonly statistics: Statistics;
  /** A large segment of unchanged documents, then a small one of recent changes. */
  readonly segments: readonly { readonly segment: Segment; readonly firstSlot: number }[];
  /** 1 for slots whose document was removed or replaced. */
  readonly isRemoved: Uint8Array;
  readonly slotCount: number;
  document(slot: number): AnalyzedDocument | undefined;
}

/** A mutable collection of documents. */
export interface Collection {
  readonly size: number;
  has(id: string): boolean;
  /** Adds a document, replacing one with the same id. */
  put(document: AnalyzedDocument): void;
  /** Removes a document; returns whether it existed. */
  take(id: string): boolean;
  /** Removes all documents of a parent; returns their number. */
  takeParent(parent: string): number;
  documents(): readonly AnalyzedDocument[];
  document(id: string): AnalyzedDocument | undefined;
  /** Ids of the documents of a parent, in the order in which they were added. */
  idsOf(parent: string): readonly string[];
  /**
   * Creates a view for searching, mostly in time proportional to the changes since the last view.
   */
  view(): CollectionView;
}

/** The large segment is rebuilt after this number of changed documents, or this share of all. */
const maxChanged = 500;
const maxChangedShare = 0.1;

/** @param termCount - How many terms the vocabulary has now. */
export function createCollection(fieldCount: number, termCount: () => number): Collection {
  const statistics = createStatistics(fieldCount);
  /** Slot in the large segment; undefined for documents that came later. */
  const entries = new Map<string, { readonly document: AnalyzedDocument; slot?: number }>();
  const byParent = new Map<string, Set<string>>();
  const changed = new Map<string, AnalyzedDocument>();
  let large: Segment | undefined;
  let isRemoved = new Uint8Array();
  let removed = 0;
  let view: CollectionView | undefined;

  function take(id: string): boolean {
    const entry = entries.get(id);
    if (entry === undefined) return false;
    const { document, slot } = entry;
    view = undefined;
    entries.delete(id);
    statistics.remove(document);
    if (slot === undefined) changed.delete(id);
    else {
      isRemoved[slot] = 1;
      removed++;
    }
    if (document.parent !== undefined) {
      const siblings = byParent.get(document.parent);
      siblings?.delete(id);
      if (siblings?.size === 0) byParent.delete(document.parent);
    }
    return true;
  }

  function buildLarge(): Segment {
    const documents = [...entries.values()].map((entry, slot) => {
      entry.slot = slot;
      return entry.document;
    });
    changed.clear();
    removed = 0;
    isRemoved = new Uint8Array(documents.length);
    return buildSegment(documents, fieldCount, termCount(), statistics.parentNumber);
  }

  function buildView(): CollectionView {
    const changes = changed.size + removed;
    const maxStale = Math.max(maxChanged, maxChangedShare * entries.size);
    if (large === undefined || changes > maxStale) large = buildLarge();
    const size = large.documents.length;
    const segments = [{ segment: large, firstSlot: 0 }];
    if (changed.size > 0) {
      const segment = buildSegment(
        [...changed.values()],
        fieldCount,
        termCount(),
        statistics.parentNumber,
      );
      segments.push({ segment, firstSlot: size });
    }
    const slotCount = size + changed.size;
    const flags = new Uint8Array(slotCount);
    flags.set(isRemoved);
    return {
      statistics,
      segments,
      isRemoved: flags,
      slotCount,
      document(slot) {
        const { segment, firstSlot } = segments[slot < size ? 0 : 1] ?? {};
        return segment?.documents[slot - (firstSlot ?? 0)];
      },
    };
  }

  return {
    get size() {
      return entries.size;
    },
    has: (id) => entries.has(id),
    put(document) {
      take(document.id);
      view = undefined;
      entries.set(document.id, { document });
      changed.set(document.id, document);
      statistics.add(document);
      if (document.parent === undefined) return;
      const siblings = byParent.get(document.parent) ?? new Set();
      byParent.set(document.parent, siblings.add(document.id));
    },
    take,
    takeParent(parent) {
      const ids = [...(byParent.get(parent) ?? [])];
      for (const id of ids) take(id);
      return ids.length;
    },
    documents: () => [...entries.values()].map(({ document }) => document),
    document: (id) => entries.get(id)?.document,
    idsOf: (parent) => [...(byParent.get(parent) ?? [])],
    view() {
      view ??= buildView();
      return view;
    },
  };
}
