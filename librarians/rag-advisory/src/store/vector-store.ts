/** A country that is served, as the advisory schema spells it. */
export type StoreCountry = "IN" | "US" | "UK";

/** What kind of source a text is from, as the advisory schema spells it. */
export type StoreSourceType = "GOVERNMENT" | "MARKET_DATA" | "REGULATORY" | "THIRD_PARTY";

/** A piece of a document, or one data row of a table. */
export interface Chunk {
  /** Names this content in this place of its document: another text or other metadata, another id. 1 to 200 characters. */
  readonly id: string;
  /** What is searched and quoted. Never empty. */
  readonly text: string;
  readonly metadata: ChunkMetadata;
}

/** Where a chunk is from and what it is about. */
export interface ChunkMetadata {
  readonly country: StoreCountry;
  /** The document it was cut from, such as the path of a file: what `removeDocument` takes. */
  readonly document: string;
  /** Name of the source, to cite. */
  readonly source: string;
  readonly sourceType?: StoreSourceType | undefined;
  /** The city it is about; absent when it is about the whole country. */
  readonly city?: string | undefined;
  /** State or region of the city: tells it from one of the same name. */
  readonly region?: string | undefined;
  /** ISO 8601 date, `2026-10-01`. */
  readonly date?: string | undefined;
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  /** The data row by column, as it was given, when the chunk is one. */
  readonly row?: ChunkRow | undefined;
}

/** A data row by column. */
export type ChunkRow = Readonly<Record<string, string | number>>;

/** A chunk that has something of a query. */
export interface FoundChunk {
  readonly chunk: Chunk;
  /**
   * How close it is, 0 to 1, comparable across queries of one store: the share of the query's words
   * that it has, rare words counting more where the store knows how rare they are; with an embedder
   * the cosine, where that is higher.
   */
  readonly score: number;
}

/** What to search for. */
export interface StoreQuery {
  /** The question. Of it the first 8,000 characters are read. */
  readonly text: string;
  /** Only chunks of this country are found. */
  readonly country: StoreCountry;
  /** Leaves out chunks about another city; those that name none stay. Letter case does not count. */
  readonly city?: string | undefined;
  /** Most chunks. Integer, 1 to 1,000. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Which data rows to give. */
export interface RowQuery {
  readonly country: StoreCountry;
  /** Only rows of this city. Letter case does not count. */
  readonly city?: string | undefined;
  /** Most rows. Integer, 1 to 100,000. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** What `add` did. */
export interface AddReport {
  /** Chunks that were not there before. */
  readonly added: number;
  /** Chunks whose id was there already. */
  readonly unchanged: number;
}

/** Whether a store can be used. */
export interface StoreHealth {
  /** Chunks in it. */
  readonly chunks: number;
  /** Chunks with a vector of the embedder in use; 0 without an embedder. */
  readonly vectors: number;
  /** What went wrong and was survived, such as an embedder that failed; absent when nothing did. */
  readonly problem?: string | undefined;
}

/**
 * Keeps chunks and finds the ones that fit a question.
 *
 * Every function rejects with the signal's reason once it has aborted, and with a `StoreError` when
 * the store cannot be read or written.
 */
export interface VectorStore {
  /** The chunks that have something of the query, best first; none when nothing has. */
  search(query: StoreQuery): Promise<readonly FoundChunk[]>;
  /** Data rows, latest first, those without a date last; equal dates in the order of their ids. */
  rows(query: RowQuery): Promise<readonly Chunk[]>;
  /** Keeps chunks. One whose id is there already is left as it is. What it reports is kept for good. */
  add(chunks: readonly Chunk[], options?: StoreOptions): Promise<AddReport>;
  /** Takes out the chunks of a document, but not those to keep. How many there were. */
  removeDocument(document: string, options?: RemoveOptions): Promise<number>;
  /** Looks whether the store answers. Rejects when it does not. */
  health(options?: StoreOptions): Promise<StoreHealth>;
  /** Releases files and connections. Nothing else may be called afterwards. */
  close(): Promise<void>;
}

/** Options of a call. */
export interface StoreOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Options of `removeDocument`. */
export interface RemoveOptions extends StoreOptions {
  /** Ids of chunks that stay. */
  readonly keep?: ReadonlySet<string> | undefined;
}
