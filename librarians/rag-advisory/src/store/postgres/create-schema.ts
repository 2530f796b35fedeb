import { storeCountries } from "../check-calls.js";
import { runSql, type SqlClient } from "./run-sql.js";

/** Options of {@link createSchema}. */
export interface SchemaOptions {
  /**
   * Name of the table: a lower case letter or `_`, then up to 40 of these and digits.
   *
   * @default "advisory_chunks"
   */
  readonly table?: string | undefined;
  /** Length of the embedder's vectors, 1 to 16,000; without it no column for vectors, and no pgvector needed. */
  readonly dimensions?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The table when none is named. */
const defaultTable = "advisory_chunks";

/** Words stay in the row: a query compares those of thousands, and each would be fetched and unpacked. */
const storage = "toast_tuple_target = 8160";

/** pgvector indexes vectors up to this length; longer ones are compared one by one. */
const maxIndexed = 2_000;

/**
 * Creates the table of a Postgres store and its indexes, where they are missing. Again does nothing;
 * with `dimensions` a table without vectors gets a column for them.
 *
 * @throws {RangeError} For a name or a length that cannot be. {StoreError} When the server refuses.
 */
export async function createSchema(client: SqlClient, options: SchemaOptions = {}): Promise<void> {
  const { dimensions, signal } = options;
  const table = tableName(options.table);
  const statements = [
    `CREATE TABLE IF NOT EXISTS ${table} (
      id text COLLATE "C" PRIMARY KEY,
      document text NOT NULL,
      country text NOT NULL,
      city text,
      date text COLLATE "C",
      is_row boolean NOT NULL,
      about text NOT NULL,
      text text NOT NULL,
      metadata json NOT NULL,
      embedder text,
      search tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('english', about), 'A') || to_tsvector('english', text)
      ) STORED
    ) WITH (${storage})`,
    // For a table of an earlier version: rows that are written from now on.
    `ALTER TABLE ${table} SET (${storage})`,
    `CREATE INDEX IF NOT EXISTS ${table}_search ON ${table} USING gin (search)`,
    `CREATE INDEX IF NOT EXISTS ${table}_places ON ${table} (country, city)`,
    `CREATE INDEX IF NOT EXISTS ${table}_document ON ${table} (document)`,
    `CREATE INDEX IF NOT EXISTS ${table}_rows
      ON ${table} (country, city, date DESC NULLS LAST, id) WHERE is_row`,
    ...(dimensions === undefined ? [] : vectorStatements(table, dimensions)),
  ];
  for (const statement of statements) await runSql(client, statement, [], signal);
}

/** @throws {RangeError} For a name that could be anything but a table's. */
export function tableName(table: string = defaultTable): string {
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(table)) {
    throw new RangeError(
      `table: expected a lower case letter or _, then up to 40 of these and digits, got ${JSON.stringify(table)}`,
    );
  }
  return table;
}

function vectorStatements(table: string, dimensions: number): readonly string[] {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 16_000) {
    throw new RangeError(`dimensions: expected an integer from 1 to 16000, got ${dimensions}`);
  }
  return [
    "CREATE EXTENSION IF NOT EXISTS vector",
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS embedding vector(${dimensions})`,
    // One index a country: a filter behind a common one would find too few.
    ...(dimensions > maxIndexed ? [] : storeCountries).map(
      (country) => `CREATE INDEX IF NOT EXISTS ${table}_near_${country.toLowerCase()}
        ON ${table} USING hnsw (embedding vector_cosine_ops) WHERE country = '${country}'`,
    ),
  ];
}
