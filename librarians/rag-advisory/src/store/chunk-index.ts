import {
  createLexicalIndex,
  createVectorIndex,
  type IndexSnapshot,
  type LexicalIndex,
  type VectorIndex,
} from "@constellation/retrieval";
import { storeCountries } from "./check-calls.js";
import { candidates, rankTogether } from "./rank-together.js";
import type { Chunk, RowQuery, StoreCountry, StoreQuery } from "./vector-store.js";

/** What is known of a chunk without its text. `place` says where the text is. */
export interface IndexEntry<Place> {
  readonly id: string;
  readonly document: string;
  readonly country: StoreCountry;
  /** As `cityKey` writes it. */
  readonly city: string | undefined;
  readonly date: string | undefined;
  readonly isRow: boolean;
  readonly place: Place;
}

/** An entry that has something of a query, and how close it is, 0 to 1. */
export interface FoundEntry<Place> {
  readonly entry: IndexEntry<Place>;
  readonly score: number;
}

/** Finds chunks by words, by vectors where there are any, and by what they are about. Holds no texts. */
export interface ChunkIndex<Place> {
  readonly size: number;
  /** How many have a vector. */
  readonly vectors: number;
  has(id: string): boolean;
  hasVector(id: string): boolean;
  /** Adds a chunk, in place of an older one with its id. */
  put(chunk: Chunk, place: Place, vector?: Float32Array): void;
  /** Takes a chunk out; what was known of it. */
  remove(id: string): IndexEntry<Place> | undefined;
  idsOf(document: string): readonly string[];
  /** Best first. `vector` is the query's, where there is an embedder. */
  search(query: StoreQuery, vector?: Float32Array): readonly FoundEntry<Place>[];
  /** Latest first. */
  rows(query: RowQuery): readonly IndexEntry<Place>[];
  entryOf(id: string): IndexEntry<Place> | undefined;
  /** All of it: for a file. */
  state(): ChunkIndexState<Place>;
}

/** Options of {@link createChunkIndex}. */
export interface ChunkIndexOptions {
  /** Length of vectors; absent when there are none. */
  readonly dimensions?: number | undefined;
  /** What the ranking by vectors counts beside the one by words. */
  readonly embeddingWeight: number;
}

/** What an index begins with. */
export interface ChunkIndexState<Place> {
  readonly entries: Iterable<IndexEntry<Place>>;
  readonly snapshots: Readonly<Record<StoreCountry, IndexSnapshot>>;
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

/** Creates an index. A country has words and vectors of its own, so that none waits for the others. */
export function createChunkIndex<Place>(
  { dimensions, embeddingWeight }: ChunkIndexOptions,
  state?: ChunkIndexState<Place>,
): ChunkIndex<Place> {
  const entries = new Map<string, IndexEntry<Place>>();
  const byDocument = new Map<string, Set<string>>();
  const names = new Map<string, string>();
  const shelves: Record<StoreCountry, Shelf<Place>> = {
    IN: createShelf(dimensions, state?.snapshots.IN),
    US: createShelf(dimensions, state?.snapshots.US),
    UK: createShelf(dimensions, state?.snapshots.UK),
  };
  for (const entry of state?.entries ?? []) {
    note(entry);
    const vector = state?.vectors.get(entry.id);
    if (vector !== undefined) shelves[entry.country].vectors?.set(entry.id, vector);
  }

  /** The same text once in memory, however many chunks have it. */
  function once(text: string): string {
    const known = names.get(text);
    if (known !== undefined) return known;
    names.set(text, text);
    return text;
  }

  function note(entry: IndexEntry<Place>): void {
    const document = once(entry.document);
    entries.set(entry.id, { ...entry, document });
    const siblings = byDocument.get(document) ?? new Set();
    byDocument.set(document, siblings.add(entry.id));
    shelves[entry.country].rows = undefined;
  }

  function take(id: string): IndexEntry<Place> | undefined {
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    entries.delete(id);
    const siblings = byDocument.get(entry.document);
    siblings?.delete(id);
    if (siblings?.size === 0) byDocument.delete(entry.document);
    const shelf = shelves[entry.country];
    shelf.rows = undefined;
    shelf.words.remove(id);
    shelf.vectors?.remove(id);
    return entry;
  }

  /** Rows of a country, latest first; sorted when first asked for after a change. */
  function listRows(country: StoreCountry): readonly IndexEntry<Place>[] {
    const shelf = shelves[country];
    shelf.rows ??= [...entries.values()]
      .filter((entry) => entry.isRow && entry.country === country)
      .sort(latestFirst);
    return shelf.rows;
  }

  return {
    get size() {
      return entries.size;
    },
    get vectors() {
      return storeCountries.reduce((sum, each) => sum + (shelves[each].vectors?.size ?? 0), 0);
    },
    has: (id) => entries.has(id),
    hasVector: (id) => storeCountries.some((each) => shelves[each].vectors?.has(id)),
    put(chunk, place, vector) {
      take(chunk.id);
      const { country, document, city, date, title, source, row } = chunk.metadata;
      note({
        id: chunk.id,
        document,
        country,
        city: city === undefined ? undefined : once(cityKey(city)),
        date: date === undefined ? undefined : once(date),
        isRow: row !== undefined,
        place,
      });
      const shelf = shelves[country];
      shelf.words.add([
        {
          id: chunk.id,
          // Rows of one table say nothing about each other.
          ...(row === undefined ? { parent: document } : {}),
          fields: {
            about: [title, city, source].filter((each) => each !== undefined),
            text: chunk.text,
          },
        },
      ]);
      if (vector !== undefined) shelf.vectors?.set(chunk.id, vector);
    },
    remove: take,
    idsOf: (document) => [...(byDocument.get(document) ?? [])],
    entryOf: (id) => entries.get(id),
    state: () => ({
      entries: entries.values(),
      snapshots: {
        IN: shelves.IN.words.snapshot(),
        US: shelves.US.words.snapshot(),
        UK: shelves.UK.words.snapshot(),
      },
      vectors: new Map(
        [...entries.values()].flatMap(({ id, country }) => {
          const vector = shelves[country].vectors?.get(id);
          return vector === undefined ? [] : [[id, vector] as const];
        }),
      ),
    }),
    search({ text, country, city, limit, signal }, vector) {
      signal?.throwIfAborted();
      const { words, vectors } = shelves[country];
      const wanted = city === undefined ? undefined : cityKey(city);
      const isWanted = (id: string): boolean => {
        const about = entries.get(id)?.city;
        return about === undefined || about === wanted;
      };
      const candidateLimit = Math.max(limit, candidates);
      const { hits } = words.search(text, {
        limit: candidateLimit,
        ...(wanted === undefined ? {} : { filter: isWanted }),
      });
      const near =
        vector === undefined
          ? []
          : (vectors?.nearest(
              vector,
              candidateLimit,
              wanted === undefined ? undefined : isWanted,
            ) ?? []);
      return rankTogether(
        hits.map(({ id, coverage }) => ({ id, score: coverage })),
        near.map(({ id, cosine }) => ({ id, score: cosine })),
        embeddingWeight,
        limit,
      ).flatMap(({ id, score }) => {
        const entry = entries.get(id);
        return entry === undefined ? [] : [{ entry, score }];
      });
    },
    rows({ country, city, limit, signal }) {
      signal?.throwIfAborted();
      const rows = listRows(country);
      if (city === undefined) return rows.slice(0, limit);
      const wanted = cityKey(city);
      const found: IndexEntry<Place>[] = [];
      for (const entry of rows) {
        if (entry.city === wanted) found.push(entry);
        if (found.length === limit) break;
      }
      return found;
    },
  };
}

interface Shelf<Place> {
  readonly words: LexicalIndex;
  readonly vectors: VectorIndex | undefined;
  rows: readonly IndexEntry<Place>[] | undefined;
}

function createShelf<Place>(
  dimensions: number | undefined,
  snapshot: IndexSnapshot | undefined,
): Shelf<Place> {
  return {
    words: createLexicalIndex(
      { fields: { about: { weight: 1.5 }, text: { weight: 1 } } },
      snapshot,
    ),
    vectors: dimensions === undefined ? undefined : createVectorIndex(dimensions),
    rows: undefined,
  };
}

function latestFirst(a: IndexEntry<unknown>, b: IndexEntry<unknown>): number {
  const [left, right] = [a.date ?? "", b.date ?? ""];
  if (left !== right) return left > right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** A city as it is compared: letter case, width and spaces at the ends do not count. */
export function cityKey(city: string): string {
  return city.normalize("NFKC").trim().toLowerCase();
}
