import { StoreError } from "@constellation/retrieval";
import { checkChunks, checkRowQuery, checkStoreQuery, storeLimits } from "../check-calls.js";
import { cityKey } from "../chunk-index.js";
import type { EmbeddedStoreOptions } from "../memory-store.js";
import { createQueryVectors, embedTexts } from "../query-vectors.js";
import { candidates, rankTogether } from "../rank-together.js";
import type { Chunk, ChunkMetadata, StoreQuery, VectorStore } from "../vector-store.js";
import { tableName } from "./create-schema.js";
import { type CancellingSqlClient, runSql, type SqlClient } from "./run-sql.js";
import { createWordShares, searchWords } from "./search-words.js";
import { type ChunkRowOfTable, type FoundRow, statementsOn } from "./statements.js";

/** Options of {@link createPostgresStore}. */
export interface PostgresStoreOptions extends EmbeddedStoreOptions {
  /**
   * The table, as it was given to `createSchema`.
   *
   * @default "advisory_chunks"
   */
  readonly table?: string | undefined;
  /**
   * Maximum number of chunks of a country whose vectors are all compared for a query, which finds exactly the nearest ones; of
   * more, the index finds nearly all of them. 0 or more.
   *
   * @default 50_000
   */
  readonly maxComparedVectors?: number | undefined;
}

/** Words of a query that are looked for. */
const maxWords = 64;
/** Chunks after which a store first brings its statistics of words up to date; then after twice as many, and so on. */
const firstAnalyze = 1_000;

/**
 * Creates a store over a table in Postgres that `createSchema` has made. Search is by Postgres'
 * full text search, with an embedder by pgvector too. `close` leaves the client open: it is yours.
 */
export function createPostgresStore(
  client: SqlClient | CancellingSqlClient,
  options: PostgresStoreOptions = {},
): VectorStore {
  const { embedder, embeddingWeight = 0.2, maxComparedVectors = 50_000 } = options;
  const statements = statementsOn(tableName(options.table));
  const queries = createQueryVectors(embedder);
  let isClosed = false;
  /** Chunks added since the statistics of words were brought up to date, and how many are too many. */
  let unanalyzed = 0;
  let analyzeAfter = firstAnalyze;
  let hasUnmerged = false;

  async function run<Row>(
    text: string,
    values: readonly unknown[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Row[]> {
    signal?.throwIfAborted();
    if (isClosed) throw new StoreError("closed", "The store is closed; open it again.");
    return runSql<Row>(client, text, values, signal);
  }

  const wordShares = createWordShares(run, statements);

  /** The chunks that are not there, or have no vector of this embedder, each once, in the order of their ids. */
  async function missing(
    chunks: readonly Chunk[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Chunk[]> {
    const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    const ids = JSON.stringify([...byId.keys()]);
    const known = await run<{ id: string }>(statements.known, [ids, embedder?.id ?? null], signal);
    for (const { id } of known) byId.delete(id);
    // Two that add the same chunks wait for each other in one order, and never in a circle.
    return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async function searchVectors(
    vector: Iterable<number>,
    { country, signal }: StoreQuery,
    { about, limit }: { readonly about: string | null; readonly limit: number },
  ): Promise<readonly FoundRow[]> {
    const values = [vectorText(vector), country, embedder?.id, limit];
    const isExact =
      about !== null ||
      (await wordShares.estimateChunks({ country, signal })) <= maxComparedVectors;
    return isExact
      ? run<FoundRow>(statements.compareVectors, [...values, about], signal)
      : run<FoundRow>(statements.searchVectors, values, signal);
  }

  /** After an ingest: what was added is in the index before the next search, or the close. */
  async function mergeWords(signal: AbortSignal | undefined): Promise<void> {
    if (!hasUnmerged) return;
    hasUnmerged = false;
    try {
      await run(statements.mergeWords, [], signal);
    } catch {
      signal?.throwIfAborted(); // of a table of another user: the server does it by and by
    }
  }

  /** A server that cleans up by itself does this too, but only minutes after an ingest; PGlite never does. */
  async function refreshStatistics(added: number, signal: AbortSignal | undefined): Promise<void> {
    unanalyzed += added;
    if (unanalyzed < analyzeAfter) return;
    analyzeAfter = Math.max(analyzeAfter, unanalyzed) * 2;
    unanalyzed = 0;
    await run(statements.analyze, [], signal);
    wordShares.forget();
  }

  return {
    async search(query) {
      checkStoreQuery(query);
      const { text, country, city, limit, signal } = query;
      signal?.throwIfAborted();
      const about = city === undefined ? null : cityKey(city);
      const candidateLimit = Math.max(limit, candidates);
      const vector = isClosed ? undefined : await queries.embedQuery(text, signal);
      await mergeWords(signal);
      const words = await searchWords(run, statements, wordShares, joinWords(text), {
        country,
        city: about ?? undefined,
        limit: candidateLimit,
        signal,
      });
      const near =
        vector === undefined
          ? []
          : await searchVectors(vector, query, { about, limit: candidateLimit });
      const found = new Map([...words, ...near].map((row) => [row.id, row]));
      return rankTogether(words, near, embeddingWeight, limit).flatMap(({ id, score }) => {
        const row = found.get(id);
        return row === undefined ? [] : [{ chunk: toChunk(row), score }];
      });
    },
    async rows(query) {
      checkRowQuery(query);
      const { country, city, limit, signal } = query;
      const about = city === undefined ? null : cityKey(city);
      const rows = await run<ChunkRowOfTable>(statements.rows, [country, about, limit], signal);
      return rows.map(toChunk);
    },
    async add(chunks, { signal } = {}) {
      checkChunks(chunks);
      const wanted = await missing(chunks, signal);
      if (wanted.length === 0) return { added: 0, unchanged: chunks.length };
      const vectors =
        embedder === undefined
          ? undefined
          : await embedTexts(
              embedder,
              wanted.map(({ text }) => text),
              signal,
            );
      const rows = wanted.map((chunk, at) => ({
        ...toColumns(chunk),
        ...(vectors === undefined
          ? {}
          : { embedder: embedder?.id, embedding: vectorText(vectors[at] ?? []) }),
      }));
      const written = await run<{ isNew: boolean }>(
        vectors === undefined ? statements.add : statements.addWithVectors,
        [JSON.stringify(rows)],
        signal,
      );
      const added = written.filter(({ isNew }) => isNew).length;
      hasUnmerged ||= added > 0;
      await refreshStatistics(added, signal);
      return { added, unchanged: chunks.length - added };
    },
    async removeDocument(document, { keep, signal } = {}) {
      const values = [document, JSON.stringify([...(keep ?? [])])];
      return (await run(statements.remove, values, signal)).length;
    },
    async health({ signal } = {}) {
      const [count] = await run<{ chunks: number; vectors: number }>(
        statements.count,
        [embedder?.id ?? null],
        signal,
      );
      const { problem } = queries;
      return {
        chunks: count?.chunks ?? 0,
        vectors: count?.vectors ?? 0,
        ...(problem === undefined ? {} : { problem }),
      };
    },
    async close() {
      if (!isClosed) await mergeWords(undefined);
      isClosed = true;
    },
  };
}

function toColumns({ id, text, metadata }: Chunk): Readonly<Record<string, unknown>> {
  const { document, country, city, date, title, source, row } = metadata;
  return {
    id,
    document,
    country,
    city: city === undefined ? null : cityKey(city),
    date: date ?? null,
    is_row: row !== undefined,
    about: [title, city, source].filter((each) => each !== undefined).join("\n"),
    text,
    metadata,
  };
}

function toChunk({ id, text, metadata }: ChunkRowOfTable): Chunk {
  // Only `add` writes the column, and only metadata that was checked.
  return { id, text, metadata: metadata as ChunkMetadata };
}

function vectorText(vector: Iterable<number>): string {
  return `[${[...vector].join(",")}]`;
}

/** The words of a query, each once, parted by spaces: nothing that Postgres could take for more. */
function joinWords(text: string): string {
  const words = text.slice(0, storeLimits.queryLength).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.map((word) => word.toLowerCase()))].slice(0, maxWords).join(" ");
}
