/** Raised when the tables change; a file of a newer version is refused. */
export const schemaVersion = 1;

/**
 * The tables. All with a rowid: without one, a file with rows of 1 KB becomes three times as large. Texts and numbers
 * only, so that Postgres can have the same.
 */
export const schema: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT,
    status TEXT NOT NULL,
    owner TEXT NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 1,
    losses INTEGER NOT NULL DEFAULT 0,
    is_answered INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    active_ms INTEGER NOT NULL DEFAULT 0,
    request TEXT NOT NULL,
    outcome TEXT
  )`,
  "CREATE INDEX IF NOT EXISTS runs_open ON runs (status) WHERE status <> 'ended'",
  "CREATE INDEX IF NOT EXISTS runs_created ON runs (created_at)",
  "CREATE INDEX IF NOT EXISTS runs_user ON runs (user_id) WHERE user_id IS NOT NULL",
  `CREATE TABLE IF NOT EXISTS entries (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    key TEXT NOT NULL,
    phase TEXT NOT NULL,
    kind TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run, key, phase)
  )`,
  `CREATE TABLE IF NOT EXISTS waits (
    number INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    id TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    expires_at INTEGER,
    body TEXT NOT NULL,
    answer TEXT,
    UNIQUE (run, id)
  )`,
  "CREATE INDEX IF NOT EXISTS waits_open ON waits (expires_at) WHERE answer IS NULL",
  "CREATE TABLE IF NOT EXISTS owners (id TEXT PRIMARY KEY, lease_until INTEGER NOT NULL)",
  `CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    user_id TEXT,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (collection, id)
  )`,
  "CREATE INDEX IF NOT EXISTS documents_at ON documents (collection, at)",
  "CREATE INDEX IF NOT EXISTS documents_user ON documents (user_id) WHERE user_id IS NOT NULL",
];
