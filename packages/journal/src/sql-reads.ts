import type { JournalStore, StoredDocument, StoredEntry, StoredRun, StoredWait } from "./store.js";

// Reads that the SQL stores share: the columns of their tables have the same names.

/** A row: numbers and texts by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs one statement that changes nothing. */
type Read = (sql: string, values: readonly (string | number)[]) => Promise<readonly SqlRow[]>;

type Reads = Pick<
  JournalStore,
  "readRun" | "readEntries" | "readDocument" | "listRuns" | "listWaits" | "listDocuments"
>;

/**
 * The reads of a store.
 *
 * @param at - Prefix of the name of a table: empty, or its schema and a dot.
 * @param mark - Placeholder of a value, by its number from 1.
 */
export function createSqlReads(at: string, mark: (number: number) => string, read: Read): Reads {
  const find = (conditions: Conditions, limit?: number) => whereAll(conditions, mark, limit);
  return {
    async readRun(runId) {
      const { where, values } = find({ "id =": runId });
      const [row] = await read(`SELECT * FROM ${at}runs ${where}`, values);
      return row === undefined ? undefined : readRun(row);
    },
    async readEntries(runId, skip = 0) {
      const { where, values } = find({ "runs.id =": runId });
      const rows = await read(
        `SELECT entries.* FROM ${at}entries JOIN ${at}runs ON runs.number = entries.run
         ${where} ORDER BY entries.number LIMIT ${maxEntries} OFFSET ${mark(2)}`,
        [...values, skip],
      );
      return rows.map(readEntry);
    },
    async readDocument(collection, id) {
      const { where, values } = find({ "collection =": collection, "id =": id });
      const [row] = await read(`SELECT * FROM ${at}documents ${where}`, values);
      return row === undefined ? undefined : readDocument(row);
    },
    async listRuns({ user, status, before, limit }) {
      const conditions = { "user_id =": user, "status =": status, "created_at <": before };
      const { where, end, values } = find(conditions, limit);
      const order = "ORDER BY created_at DESC, number DESC";
      const rows = await read(`SELECT * FROM ${at}runs ${where} ${order} ${end}`, values);
      return rows.map(readRun);
    },
    async listWaits({ runId, isOpen, expiresBy, limit }) {
      const conditions = {
        "runs.status <>": "ended",
        "runs.id =": runId,
        "expires_at <=": expiresBy,
      };
      const { where, end, values } = find(conditions, limit);
      const open = isOpen === true ? "AND answer IS NULL" : "";
      const rows = await read(
        `SELECT waits.*, runs.id AS run_id, runs.user_id FROM ${at}waits
         JOIN ${at}runs ON runs.number = waits.run ${where} ${open}
         ORDER BY opened_at, waits.number ${end}`,
        values,
      );
      return rows.map(readWait);
    },
    async listDocuments({ collection, user, before, limit }) {
      const conditions = { "collection =": collection, "user_id =": user, "at <": before };
      const { where, end, values } = find(conditions, limit);
      const sql = `SELECT * FROM ${at}documents ${where} ORDER BY at DESC, number DESC ${end}`;
      return (await read(sql, values)).map(readDocument);
    },
  };
}

/** SQLite has no OFFSET without a LIMIT: more than a run can have. */
const maxEntries = 2_147_483_647;

/** Conditions without their value; a condition whose value is undefined is left out. */
type Conditions = Readonly<Record<string, string | number | undefined>>;

/**
 * The clauses of a statement, with their values: `where` joins all conditions, `end` is the limit.
 *
 * @param mark - As of {@link createSqlReads}.
 */
export function whereAll(conditions: Conditions, mark: (number: number) => string, limit?: number) {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  for (const [beginning, value] of Object.entries(conditions)) {
    if (value === undefined) continue;
    values.push(value);
    parts.push(`${beginning} ${mark(values.length)}`);
  }
  if (limit !== undefined) values.push(limit);
  return {
    where: parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`,
    end: limit === undefined ? "" : `LIMIT ${mark(values.length)}`,
    values,
  };
}

export function readRun(row: SqlRow): StoredRun {
  return {
    id: String(row.id),
    user: optionalText(row.user_id),
    status: String(row.status) as StoredRun["status"], // written by the stores alone
    owner: String(row.owner),
    epoch: Number(row.epoch),
    losses: Number(row.losses),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    activeMs: Number(row.active_ms),
    request: String(row.request),
    outcome: optionalText(row.outcome),
  };
}

function readEntry(row: SqlRow): StoredEntry {
  return {
    key: String(row.key),
    phase: String(row.phase) as StoredEntry["phase"], // written by the stores alone
    kind: String(row.kind),
    epoch: Number(row.epoch),
    at: Number(row.at),
    body: String(row.body),
  };
}

function readWait(row: SqlRow): StoredWait {
  return {
    runId: String(row.run_id),
    id: String(row.id),
    user: optionalText(row.user_id),
    openedAt: Number(row.opened_at),
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    body: String(row.body),
    answer: optionalText(row.answer),
  };
}

function readDocument(row: SqlRow): StoredDocument {
  return {
    collection: String(row.collection),
    id: String(row.id),
    user: optionalText(row.user_id),
    at: Number(row.at),
    body: String(row.body),
  };
}

function optionalText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
