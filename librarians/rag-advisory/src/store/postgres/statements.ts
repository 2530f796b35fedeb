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

/** How often a lexeme, a country or a city is found, by the server's last statistics of the table. */
export interface ValueStatistics {
  readonly column: "search" | "country" | "city" | null;
  readonly value: string | null;
  /** Share of the chunks that have it, 0 to 1. */
  readonly share: number | null;
  /** Chunks at the time of the statistics; less than 1 where there are none. */
  readonly chunks: number;
}

/** The statements on one table. */
export type StoreStatements = ReturnType<typeof statementsOn>;

/** The statements on one table. Every value is a parameter; only the table's checked name is part of them. */
export function statementsOn(table: string) {
  const add = (columns: string, types: string, whenKnown: string): string => `
    INSERT INTO ${table} (id, document, country, city, date, is_row, about, text, metadata${columns})
    SELECT * FROM json_to_recordset($1::json) AS new(
      id text, document text, country text, city text, date text, is_row boolean, about text,
      text text, metadata json${types})
    ON CONFLICT (id) ${whenKnown}
    RETURNING (xmax = 0) AS "isNew"`;
  return {
    // $1 words. Gives { lexeme } for each of them, as the server reads words.
    lexemes: `
      SELECT unnest(tsvector_to_array(to_tsvector('english', $1))) AS lexeme`,
    // Gives ValueStatistics of the most common lexemes, countries and cities; one row without a value where there
    // are none.
    statistics: `
      WITH stats AS (
        SELECT * FROM pg_stats WHERE schemaname = current_schema() AND tablename = '${table}'),
      known AS (
        SELECT attname, value, share FROM stats,
          unnest(most_common_elems::text::text[], most_common_elem_freqs) AS listed(value, share)
        WHERE attname = 'search'
        UNION ALL
        SELECT attname, value, share FROM stats,
          unnest(most_common_vals::text::text[], most_common_freqs) AS listed(value, share)
        WHERE attname IN ('country', 'city'))
      SELECT attname AS "column", value, share::float8, reltuples::float8 AS chunks
      FROM pg_class LEFT JOIN known ON true WHERE oid = '${table}'::regclass`,
    // $1 tsquery of candidates, $2 country, $3 city or null, $4 limit, $5 JSON array of { lexeme, weight }, $6
    // maximum number of candidates. Gives FoundRow.
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
        ORDER BY score DESC, ts_rank(search, $1::tsquery, 1) DESC, id LIMIT $4)
      SELECT id, text, metadata, score FROM best JOIN ${table} USING (id)
      ORDER BY score DESC, id`,
    // Brings the statistics that `lexemes` gives up to date. Nothing happens where the user may not.
    analyze: `ANALYZE ${table} (search, country, city)`,
    // Merges what was added into the index of words, which else is read beside it by every search. Fails where the
    // user may not.
    mergeWords: `SELECT gin_clean_pending_list('${table}_search'::regclass)`,
    // $1 vector, $2 country, $3 embedder, $4 limit. Gives FoundRow, by the index of the country: nearly all of the
    // nearest.
    // The index looks at 40 of its nearest by itself: at more of them it misses fewer. The subquery needs the setting,
    // so that it is made first.
    searchVectors: `
      WITH width AS MATERIALIZED (SELECT set_config('hnsw.ef_search', '400', true) AS ef)
      SELECT near.* FROM width, LATERAL (
        SELECT id, text, metadata, 1 - (embedding <=> $1::vector) AS score
        FROM ${table}
        WHERE country = $2 AND embedder = $3 AND width.ef IS NOT NULL
        ORDER BY embedding <=> $1::vector LIMIT $4) AS near
      ORDER BY score DESC, id`,
    // $1 vector, $2 country, $3 embedder, $4 limit, $5 city or null. Gives FoundRow, every chunk compared.
    // An index of near vectors finds its few dozen first and filters afterwards: of a city next to none
    // would be left. The sum keeps the planner from it.
    compareVectors: `
      SELECT id, text, metadata, 1 - (embedding <=> $1::vector) AS score
      FROM ${table}
      WHERE country = $2 AND ($5::text IS NULL OR city = $5 OR city IS NULL) AND embedder = $3
      ORDER BY (embedding <=> $1::vector) + 0, id LIMIT $4`,
    // $1 country, $2 city or null, $3 limit. Gives ChunkRow.
    rows: `
      SELECT id, text, metadata FROM ${table}
      WHERE is_row AND country = $1 AND ($2::text IS NULL OR city = $2)
      ORDER BY date DESC NULLS LAST, id LIMIT $3`,
    // $1 JSON array of ids, $2 embedder or null. Gives { id } of those that are there, with its vectors.
    known: `
      SELECT id FROM ${table}
      WHERE id IN (SELECT json_array_elements_text($1::json))
        AND ($2::text IS NULL OR embedder = $2)`,
    // $1 JSON array of NewRow. Gives { isNew } of those written.
    add: add("", "", "DO NOTHING"),
    // As `add`, with vectors.
    addWithVectors: add(
      ", embedder, embedding",
      ", embedder text, embedding vector",
      `DO UPDATE SET embedder = excluded.embedder, embedding = excluded.embedding
        WHERE ${table}.embedder IS DISTINCT FROM excluded.embedder`,
    ),
    // $1 document, $2 JSON array of ids to keep. Gives { id } of those taken out.
    remove: `
      DELETE FROM ${table}
      WHERE document = $1 AND id NOT IN (SELECT json_array_elements_text($2::json))
      RETURNING id`,
    // $1 embedder or null. Gives { chunks, vectors }.
    count: `
      SELECT count(*)::float8 AS chunks,
        (count(*) FILTER (WHERE embedder = $1::text))::float8 AS vectors
      FROM ${table}`,
  };
}
