/** Raised when the tables change; those of a newer version are refused. */
export const schemaVersion = 1;

/**
 * The tables. In SQLite all have a rowid: without one, a file with rows of 1 KB becomes three times as large.
 *
 * @param at - Prefix of the name of a table: empty, or its schema and a dot.
 * @param number - Type of the column that counts rows, by which they are in order.
 */
export function createTables(at: string, number: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${at}runs (
      number ${number},
      id text NOT NULL UNIQUE,
      user_id text,
      status text NOT NULL DEFAULT 'running',
      owner text NOT NULL,
      epoch integer NOT NULL DEFAULT 1,
      losses integer NOT NULL DEFAULT 0,
      is_answered boolean NOT NULL DEFAULT false,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL,
      active_ms bigint NOT NULL DEFAULT 0,
      request text NOT NULL,
      outcome text
    )`,
    `CREATE INDEX IF NOT EXISTS runs_open ON ${at}runs (status) WHERE status <> 'ended'`,
    `CREATE INDEX IF NOT EXISTS runs_created ON ${at}runs (created_at)`,
    `CREATE INDEX IF NOT EXISTS runs_user ON ${at}runs (user_id) WHERE user_id IS NOT NULL`,
    `CREATE TABLE IF NOT EXISTS ${at}entries (
      number ${number},
      run bigint NOT NULL,
      key text NOT NULL,
      phase text NOT NULL,
      kind text NOT NULL,
      epoch integer NOT NULL,
      at bigint NOT NULL,
      body text NOT NULL,
      UNIQUE (run, key, phase)
    )`,
    `CREATE TABLE IF NOT EXISTS ${at}waits (
      number ${number},
      run bigint NOT NULL,
      id text NOT NULL,
      opened_at bigint NOT NULL,
      expires_at bigint,
      body text NOT NULL,
      answer text,
      UNIQUE (run, id)
    )`,
    `CREATE INDEX IF NOT EXISTS waits_open ON ${at}waits (expires_at) WHERE answer IS NULL`,
    `CREATE TABLE IF NOT EXISTS ${at}owners (id text PRIMARY KEY, lease_until bigint NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS ${at}documents (
      number ${number},
      collection text NOT NULL,
      id text NOT NULL,
      user_id text,
      at bigint NOT NULL,
      body text NOT NULL,
      UNIQUE (collection, id)
    )`,
    `CREATE INDEX IF NOT EXISTS documents_at ON ${at}documents (collection, at)`,
    `CREATE INDEX IF NOT EXISTS documents_user ON ${at}documents (user_id) WHERE user_id IS NOT NULL`,
  ];
}
