import { createSqlReads, readRun, type SqlRow, whereAll } from "../sql-reads.js";
import { createTables, schemaVersion } from "../sql-schema.js";
import type {
  ClaimRequest,
  DeleteFilter,
  JournalStore,
  JournalWrite,
  StoredRun,
  WriteOutcome,
} from "../store.js";
import { connectPostgres, type PostgresConnections, type Query } from "./postgres-connections.js";
import { batchWrites, createWriteStatements } from "./write-statements.js";

/** Options of {@link createPostgresStore}. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. Messages show host and database alone. */
  readonly url: string;
  /**
   * Schema of its tables, which is created: a lower case letter or `_`, then up to 40 of these and digits.
   *
   * @default "constellation"
   */
  readonly schema?: string | undefined;
  /**
   * Maximum number of connections. Integer, 1 or more.
   *
   * @default 4
   */
  readonly maxConnections?: number | undefined;
}

/**
 * A store in Postgres 13 or newer, for several machines. It needs the package `pg`, and connections of its own: a pooler in
 * front of the server must keep a session per connection.
 *
 * A lost connection rejects the calls that use it; the next call gets another one. Where a write was rejected for
 * that reason, it may have happened all the same: written again, it is a `duplicate`.
 *
 * @throws TypeError or RangeError for a wrong option.
 */
export function createPostgresStore(options: PostgresStoreOptions): JournalStore {
  const { url, schema = "constellation", maxConnections = 4 } = options;
  const place = describePlace(url);
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) {
    throw new RangeError(
      `schema: expected a lower case letter or _, then up to 40 of these and digits, got ${JSON.stringify(schema)}.`,
    );
  }
  if (!Number.isInteger(maxConnections) || maxConnections < 1) {
    throw new RangeError(
      `maxConnections: expected an integer of 1 or more, got ${String(maxConnections)}.`,
    );
  }
  const at = `"${schema}".`;
  const statements = createWriteStatements(at);
  let opened: PostgresConnections | undefined;

  async function use<Result>(
    does: string,
    work: (connections: PostgresConnections) => Promise<Result>,
  ): Promise<Result> {
    try {
      if (opened === undefined) throw new Error("it is not open");
      return await work(opened);
    } catch (thrown) {
      throw storeError(does, place, thrown);
    }
  }

  async function applyAll(
    writes: readonly JournalWrite[],
    connections: PostgresConnections,
  ): Promise<readonly WriteOutcome[]> {
    const batches = batchWrites(writes);
    const outcomes = new Array<WriteOutcome>(writes.length).fill("applied");
    const apply = async (query: Query): Promise<void> => {
      for (const batch of batches) {
        const { sql, columns, otherwise } = statements[batch.type];
        const rows = batch.writes.map(({ write }) => columns(write));
        const lists = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
        const applied = new Map<number, unknown>();
        for (const { n, is_new } of await query(sql, lists, batch.type)) {
          applied.set(Number(n), is_new);
        }
        for (const [place, { index }] of batch.writes.entries()) {
          const isNew = applied.get(place + 1);
          outcomes[index] =
            isNew === undefined ? otherwise : isNew === true ? "applied" : "duplicate";
        }
      }
    };
    // One statement is a transaction of its own, which a process that is stopped cannot leave open.
    await (batches.length === 1 ? apply(connections.query) : connections.transaction(apply));
    return outcomes;
  }

  return {
    async open() {
      if (opened !== undefined) return undefined;
      let connections: PostgresConnections | undefined;
      try {
        connections = await connectPostgres(url, maxConnections);
        await prepareTables(connections, schema, at);
        opened = connections;
        return undefined;
      } catch (thrown) {
        await connections?.close();
        throw storeError("be opened", place, thrown);
      }
    },
    write: (writes) => use("be written", (connections) => applyAll(writes, connections)),
    ...createSqlReads(at, mark, (sql, values) => use("be read", ({ query }) => query(sql, values))),
    claim: (request) =>
      use("be written", ({ transaction }) => transaction((query) => claim(query, at, request))),
    delete: (filter) =>
      use("be written", ({ transaction }) => transaction((query) => remove(query, at, filter))),
    async close() {
      const connections = opened;
      opened = undefined;
      await connections?.close();
    },
  };
}

/** @returns Host and database, without user and password. */
function describePlace(url: unknown): string {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw new TypeError("url: expected postgres://user@host/database."); // it may hold a password
  }
  return `postgres://${parsed.host}${parsed.pathname}`;
}

function storeError(does: string, place: string, thrown: unknown): Error {
  const { code, message } = Object(thrown);
  // Node.js gives no message where several addresses of a host refuse.
  const text = typeof message === "string" && message !== "" ? message : String(code ?? thrown);
  const reason = text.replace(/\.$/, "");
  return new Error(`The journal ${place} cannot ${does}: ${reason}.`, { cause: thrown });
}

/** Creates the tables where they are missing; several processes may do so at once. */
async function prepareTables(
  { transaction }: PostgresConnections,
  schema: string,
  at: string,
): Promise<void> {
  await transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock(hashtext('constellation journal'))");
    const sql = "SELECT to_regclass($1) IS NOT NULL AS is_there";
    const [table] = await query(sql, [`${at}version`]);
    if (table?.is_there !== true) {
      await query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
      await query(`CREATE TABLE ${at}version (version integer NOT NULL)`);
      await query(`INSERT INTO ${at}version VALUES (${schemaVersion})`);
      const number = "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY";
      for (const statement of createTables(at, number)) await query(statement);
      return;
    }
    const [row] = await query(`SELECT version FROM ${at}version`);
    const version = Number(row?.version);
    if (version > schemaVersion) {
      throw new Error(
        `the schema ${schema} was written by a newer version (${version}; known: ${schemaVersion})`,
      );
    }
  });
}

/** Owners without a run that were not seen for that long are forgotten, in milliseconds. */
const forgetOwnersMs = 86_400_000;

async function claim(
  query: Query,
  at: string,
  { owner, now, leaseUntil, runId, limit }: ClaimRequest,
): Promise<readonly StoredRun[]> {
  await query(
    `INSERT INTO ${at}owners VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
    [owner, leaseUntil],
  );
  await query(
    `DELETE FROM ${at}owners WHERE lease_until < $1
     AND id NOT IN (SELECT owner FROM ${at}runs WHERE status = 'running')`,
    [now - forgetOwnersMs],
  );
  const free = `((status = 'running' AND COALESCE(lease_until, 0) < $1)
    OR (status = 'waiting' AND is_answered))`;
  // Checks whether a run is free after locking it, by a statement that sees the commits of its last owner.
  const locked = await query(
    `SELECT runs.number FROM ${at}runs LEFT JOIN ${at}owners ON owners.id = runs.owner
     WHERE ${free} AND ($2::text IS NULL OR runs.id = $2)
     ORDER BY runs.number LIMIT ${limit} FOR UPDATE OF runs ${runId === undefined ? "SKIP LOCKED" : ""}`,
    [now, runId ?? null],
  );
  if (locked.length === 0) return [];
  const rows = await query(
    `UPDATE ${at}runs SET owner = $2, epoch = epoch + 1, updated_at = $1, status = 'running',
       losses = losses + CASE WHEN status = 'running' AND owner <> '' THEN 1 ELSE 0 END,
       is_answered = false
     WHERE number IN (
       SELECT runs.number FROM ${at}runs LEFT JOIN ${at}owners ON owners.id = runs.owner
       WHERE runs.number = ANY ($3::bigint[]) AND ${free})
     RETURNING *`,
    [now, owner, locked.map(({ number }) => number)],
  );
  return rows.map(readRun);
}

async function remove(
  query: Query,
  at: string,
  { runId, user, before, collection, documentId, limit }: DeleteFilter,
): Promise<number> {
  let deleted = 0;
  if (collection === undefined && documentId === undefined) {
    const ended = { "updated_at <": before, "status =": before === undefined ? before : "ended" };
    const { where, values } = whereAll({ "id =": runId, "user_id =": user, ...ended }, mark);
    const found = await query(
      `SELECT number FROM ${at}runs ${where} LIMIT ${limit} FOR UPDATE`,
      values,
    );
    const numbers = [found.map(({ number }) => number)];
    for (const table of ["entries", "waits"]) {
      await query(`DELETE FROM ${at}${table} WHERE run = ANY ($1::bigint[])`, numbers);
    }
    await query(`DELETE FROM ${at}runs WHERE number = ANY ($1::bigint[])`, numbers);
    deleted = found.length;
  }
  if (runId !== undefined) return deleted;
  const matching = {
    "collection =": collection,
    "id =": documentId,
    "user_id =": user,
    "at <": before,
  };
  const { where, values } = whereAll(matching, mark);
  const removed: readonly SqlRow[] = await query(
    `DELETE FROM ${at}documents WHERE number IN
       (SELECT number FROM ${at}documents ${where} LIMIT ${limit}) RETURNING number`,
    values,
  );
  return deleted + removed.length;
}

const mark = (number: number) => `$${number}`;
