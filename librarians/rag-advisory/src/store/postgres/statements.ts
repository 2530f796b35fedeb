/** The statements of a Postgres store. Every value is a parameter; only the table's checked name stands in them. */
export interface StoreStatements {
  /** $1 words, $2 country, $3 city or null, $4 limit. Gives FoundRow. */
  readonly searchWords: string;
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
    searchWords: `
      WITH asked AS (SELECT tsvector_to_array(to_tsvector('english', $1)) AS words),
      query AS (
        SELECT words, array_to_string(
          ARRAY(SELECT quote_literal(word) FROM unnest(words) AS word), ' | ')::tsquery AS any_word
        FROM asked)
      SELECT id, text, metadata, score FROM (
        SELECT id, text, metadata, ts_rank_cd(search, any_word, 1) AS rank,
          (SELECT count(*) FROM unnest(words) AS word
            WHERE word = ANY (tsvector_to_array(search)))::float8 / cardinality(words) AS score
        FROM ${table}, query
        WHERE search @@ any_word AND country = $2
          AND ($3::text IS NULL OR city IS NULL OR city = $3)
      ) AS found
      ORDER BY score DESC, rank DESC, id LIMIT $4`,
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
      WHERE document = $1 AND NOT EXISTS (
        SELECT 1 FROM json_array_elements_text($2::json) AS kept WHERE kept = id)
      RETURNING id`,
    count: `
      SELECT count(*)::float8 AS chunks,
        (count(*) FILTER (WHERE embedder = $1::text))::float8 AS vectors
      FROM ${table}`,
  };
}
