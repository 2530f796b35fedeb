/** The statements of a Postgres store. Every value is a parameter; only the table's checked name stands in them. */
export interface StoreStatements {
  /** $1 words. Gives WordStatistics of each lexeme of them. */
  readonly lexemes: string;
  /**
   * $1 tsquery of candidates, $2 country, $3 city or null, $4 limit, $5 JSON array of { lexeme, weight },
   * $6 maximum number of candidates. Gives FoundRow.
   */
  readonly searchWords: string;
  /** Brings the statistics that `lexemes` gives up to date. Nothing happens where the user may not. */
  readonly analyze: string;
  /** $1 vector, $2 country, $3 city or null, $4 limit, $5 embedder. Gives FoundRow. */
  readonly searchVectors: string;
  /** $1 country, $2 city or null, $3 limit. Gives ChunkRow. */
  readonly rows: string;
  /** $1 JSON array of ids, $2 embedder or null. Gives { id } of those that are there, with its vectors. */
  readonly known: string;
  /** $1 JSON array of NewRow. Gives { isNew } of those written. */
  readonly add: string;
  /** As `add`, with vectors. */
  readonly addWithVectors: string;
  /** $1 document, $2 JSON array of ids to keep. Gives { id } of those taken out. */
  readonly remove: string;
  /** $1 embedder or null. Gives { chunks, vectors }. */
  readonly count: string;
}

/** A chunk as it is read. */
export interface ChunkRowOfTable {
  readonly id: string;
  readonly text: string;
  readonly metadata: unknown;
}

/** A chunk that was found. */
export interface FoundRow extends ChunkRowOfTable {
  readonly score: number;
}

/** How often a lexeme is found, as the server's last statistics of the table say. */
export interface WordStatistics {
  readonly lexeme: string;
  /** Share of the chunks that have it, 0 to 1; null where it is rare or there are no statistics. */
  readonly share: number | null;
  /** Chunks at the time of the statistics; less than 1 where there are none. */
  readonly chunks: number;
}

/** The statements on one table. */
export function statementsOn(table: string): StoreStatements {
  const add = (columns: string, types: string, whenKnown: string): string => `
    INSERT INTO ${table} (id, document, country, city, date, is_row, about, text, metadata${columns})
    SELECT * FROM json_to_recordset($1::json) AS new(
      id text, document text, country text, city text, date text, is_row boolean, about text,
      text text, metadata json${types})
    ON CONFLICT (id) ${whenKnown}
    RETURNING (xmax = 0) AS "isNew"`;
  return {
    lexemes: `
      WITH asked AS (SELECT unnest(tsvector_to_array(to_tsvector('english', $1))) AS lexeme),
      known AS (
        SELECT word, share FROM pg_stats,
          unnest(most_common_elems::text::text[], most_common_elem_freqs) AS stats(word, share)
        WHERE schemaname = current_schema() AND tablename = '${table}' AND attname = 'search')
      SELECT lexeme, share::float8,
        (SELECT reltuples::float8 FROM pg_class WHERE oid = '${table}'::regclass) AS chunks
      FROM asked LEFT JOIN known ON word = lexeme`,
    searchWords: `
      WITH asked AS MATERIALIZED (
        SELECT quote_literal(lexeme)::tsquery AS lexeme, weight
        FROM json_to_recordset($5::json) AS asked(lexeme text, weight float8)),
      candidate AS MATERIALIZED (
        SELECT id, search FROM ${table}
        WHERE search @@ $1::tsquery AND country = $2
          AND ($3::text IS NULL OR city IS NULL OR city = $3)
        LIMIT $6),
      scored AS MATERIALIZED (
        SELECT id, search,
          (SELECT coalesce(sum(weight), 0) FROM asked WHERE search @@ lexeme) AS score
        FROM candidate),
      best AS (
        SELECT id, score FROM scored
        WHERE score >= coalesce(
          (SELECT score FROM scored ORDER BY score DESC OFFSET $4 - 1 LIMIT 1), 0)
        ORDER BY score DESC, ts_rank_cd(search, $1::tsquery, 1) DESC, id LIMIT $4)
      SELECT id, text, metadata, score FROM best JOIN ${table} USING (id)
      ORDER BY score DESC, id`,
    analyze: `ANALYZE ${table} (search)`,
    searchVectors: `
      SELECT id, text, metadata, 1 - (embedding <=> $1::vector) AS score
      FROM ${table}
      WHERE country = $2 AND ($3::text IS NULL OR city IS NULL OR city = $3) AND embedder = $5
      ORDER BY embedding <=> $1::vector LIMIT $4`,
    rows: `
      SELECT id, text, metadata FROM ${table}
      WHERE is_row AND country = $1 AND ($2::text IS NULL OR city = $2)
      ORDER BY date DESC NULLS LAST, id LIMIT $3`,
    known: `
      SELECT id FROM ${table}
      WHERE id IN (SELECT json_array_elements_text($1::json))
        AND ($2::text IS NULL OR embedder = $2)`,
    add: add("", "", "DO NOTHING"),
    addWithVectors: add(
      ", embedder, embedding",
      ", embedder text, embedding vector",
      `DO UPDATE SET embedder = excluded.embedder, embedding = excluded.embedding
        WHERE ${table}.embedder IS DISTINCT FROM excluded.embedder`,
    ),
    remove: `
      DELETE FROM ${table}
      WHERE document = $1 AND id NOT IN (SELECT json_array_elements_text($2::json))
      RETURNING id`,
    count: `
      SELECT count(*)::float8 AS chunks,
        (count(*) FILTER (WHERE embedder = $1::text))::float8 AS vectors
      FROM ${table}`,
  };
}
