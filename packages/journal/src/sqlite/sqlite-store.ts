import { closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { createFolder } from "@constellation/authoring";
import { createSqlReads, readRun, whereAll } from "../sql-reads.js";
import { createTables, schemaVersion } from "../sql-schema.js";
import type {
  ClaimRequest,
  DeleteFilter,
  JournalStore,
  JournalWrite,
  StoredRun,
  WriteOutcome,
} from "../store.js";
import { openSqlite, type SqliteDatabase, type SqlValue } from "./sqlite-driver.js";

/** Options of {@link createSqliteStore}. */
export interface SqliteStoreOptions {
  /** Path of the file. Its folder is created; only the user of the process can read it. */
  readonly file: string;
  /**
   * `fast`: a crash of the process loses nothing, a loss of power may lose the last writes.
   * `power-safe`: neither does, and each write waits for the disk.
   *
   * @default "fast"
   */
  readonly mode?: "fast" | "power-safe" | undefined;
}

/**
 * A store in one file, which several processes of a machine may share.
 *
 * It uses `node:sqlite`, or `better-sqlite3`, where SQLite there is 3.51.3 or newer, else `libsql`.
 *
 * @throws TypeError or RangeError for a wrong option.
 */
export function createSqliteStore({ file, mode = "fast" }: SqliteStoreOptions): JournalStore {
  if (typeof file !== "string" || file === "") {
    throw new TypeError(`file: expected a path, got ${JSON.stringify(file)}.`);
  }
  if (mode !== "fast" && mode !== "power-safe") {
    throw new RangeError(`mode: expected "fast" or "power-safe", got ${JSON.stringify(mode)}.`);
  }
  let opened: SqliteDatabase | undefined;

  /** Nothing is awaited in `work`: what waits inside a transaction blocks every other process. */
  function use<Result>(does: string, work: (database: SqliteDatabase) => Result): Promise<Result> {
    try {
      if (opened === undefined) throw new Error("it is not open");
      return Promise.resolve(work(opened));
    } catch (thrown) {
      return Promise.reject(storeError(does, file, thrown));
    }
  }

  return {
    async open() {
      if (opened !== undefined) return undefined;
      try {
        createFolder(dirname(file), 0o700);
        closeSync(openSync(file, "a", 0o600));
        opened = await openChecked(file, mode);
        return undefined;
      } catch (thrown) {
        if (!isDamaged(thrown)) throw storeError("be opened", file, thrown);
      }
      const aside = setAside(file);
      closeSync(openSync(file, "a", 0o600));
      opened = await openChecked(file, mode);
      return `The journal ${file} is damaged. It was moved to ${aside}, and an empty one takes its place: runs and approvals in it are lost.`;
    },
    write: (writes) =>
      use("be written", (database) =>
        inTransaction(database, () => writes.map((write) => apply(database, write))),
      ),
    ...createSqlReads("", mark, (sql, values) =>
      use("be read", (database) => database.all(sql, ...values)),
    ),
    claim: (request) =>
      use("be written", (database) => inTransaction(database, () => claim(database, request))),
    delete: (filter) =>
      use("be written", (database) => inTransaction(database, () => remove(database, filter))),
    async close() {
      const database = opened;
      opened = undefined;
      try {
        database?.exec("PRAGMA wal_checkpoint(TRUNCATE)"); // one driver leaves the log behind
      } catch {
        // Another process uses the file, and will checkpoint it.
      }
      database?.close();
    },
  };
}

/**
 * Maximum size of a file that is checked when it is opened. In a larger file, damage is found when the damaged part
 * is read.
 */
const maxCheckedBytes = 67_108_864;

async function openChecked(file: string, mode: "fast" | "power-safe"): Promise<SqliteDatabase> {
  const database = await openSqlite(file);
  try {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec(`PRAGMA synchronous = ${mode === "fast" ? "NORMAL" : "FULL"}`);
    database.exec("PRAGMA journal_size_limit = 67108864");
    if (statSync(file).size <= maxCheckedBytes) {
      const [check] = database.all("PRAGMA quick_check(1)");
      if (check?.quick_check !== "ok") throw new DamagedError(String(check?.quick_check));
    }
    const version = Number(database.all("PRAGMA user_version")[0]?.user_version);
    if (version > schemaVersion) {
      throw new Error(`it was written by a newer version (${version}; known: ${schemaVersion})`);
    }
    inTransaction(database, () => {
      for (const table of createTables("", "INTEGER PRIMARY KEY")) database.exec(table);
      database.exec(`PRAGMA user_version = ${schemaVersion}`);
    });
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

class DamagedError extends Error {}

function isDamaged(thrown: unknown): boolean {
  if (thrown instanceof DamagedError) return true;
  const { code, errcode } = (thrown ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === "SQLITE_CORRUPT" || code === "SQLITE_NOTADB") return true;
  return typeof errcode === "number" && (errcode % 256 === 11 || errcode % 256 === 26);
}

/** @returns Where the file is now. */
function setAside(file: string): string {
  const aside = `${file}.damaged-${Date.now()}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return aside;
}

/** Codes of Node.js for a path that cannot be created or opened. */
const pathErrors = new Set(["EACCES", "EEXIST", "EISDIR", "ENOENT", "EPERM", "EROFS"]);

function storeError(does: string, file: string, thrown: unknown): Error {
  const { message, code } = Object(thrown) as NodeJS.ErrnoException;
  const isOfPath = code !== undefined && pathErrors.has(code);
  const next = isOfPath ? " Name a file in a folder that this process can write." : "";
  return new Error(`The journal ${file} cannot ${does}: ${message ?? String(thrown)}.${next}`, {
    cause: thrown,
  });
}

/** Takes the lock for writing at once: a transaction that has read before it writes would fail when another has written. */
function inTransaction<Result>(database: SqliteDatabase, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (thrown) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // A full disk has rolled it back already.
    }
    throw thrown;
  }
}

function apply(database: SqliteDatabase, write: JournalWrite): WriteOutcome {
  switch (write.type) {
    case "create-run": {
      const { runId, user, owner, at, request } = write;
      const changes = database.run(
        `INSERT OR IGNORE INTO runs (id, user_id, status, owner, created_at, updated_at, request)
         VALUES (?, ?, 'running', ?, ?, ?, ?)`,
        ...[runId, user ?? null, owner, at, at, request],
      );
      return changes === 0 ? "duplicate" : "applied";
    }
    case "append": {
      const { runId, epoch, key, phase, kind, at, body } = write;
      const changes = database.run(
        `INSERT OR IGNORE INTO entries (run, key, phase, kind, epoch, at, body)
         SELECT number, ?, ?, ?, ?, ?, ? FROM runs WHERE id = ? AND epoch = ?`,
        ...[key, phase, kind, epoch, at, body, runId, epoch],
      );
      return changes === 0 ? whyNot(database, runId, epoch) : "applied";
    }
    case "open-wait": {
      const { runId, id, epoch, at, expiresAt, body } = write;
      const changes = database.run(
        `INSERT OR IGNORE INTO waits (run, id, opened_at, expires_at, body)
         SELECT number, ?, ?, ?, ? FROM runs WHERE id = ? AND epoch = ?`,
        ...[id, at, expiresAt ?? null, body, runId, epoch],
      );
      return changes === 0 ? whyNot(database, runId, epoch) : "applied";
    }
    case "answer-wait":
      return answerWait(database, write);
    case "release-run": {
      const { runId, epoch, status, at, activeMs, outcome } = write;
      const changes = database.run(
        `UPDATE runs SET status = ?, owner = '', updated_at = ?, active_ms = ?,
         losses = CASE WHEN ? = 'waiting' THEN 0 ELSE losses END, outcome = COALESCE(?, outcome)
         WHERE id = ? AND epoch = ?`,
        ...[status, at, activeMs, status, outcome ?? null, runId, epoch],
      );
      return changes === 0 ? "refused" : "applied";
    }
    case "renew-owner":
      renewOwner(database, write.owner, write.leaseUntil);
      return "applied";
    case "create-document": {
      const { collection, id, user, at, body } = write;
      const changes = database.run(
        "INSERT OR IGNORE INTO documents (collection, id, user_id, at, body) VALUES (?, ?, ?, ?, ?)",
        ...[collection, id, user ?? null, at, body],
      );
      return changes === 0 ? "duplicate" : "applied";
    }
    case "put-document": {
      const { collection, id, user, at, body } = write;
      database.run("DELETE FROM documents WHERE collection = ? AND id = ?", collection, id);
      database.run(
        "INSERT INTO documents (collection, id, user_id, at, body) VALUES (?, ?, ?, ?, ?)",
        ...[collection, id, user ?? null, at, body],
      );
      return "applied";
    }
  }
}

function whyNot(database: SqliteDatabase, runId: string, epoch: number): WriteOutcome {
  const sql = "SELECT 1 FROM runs WHERE id = ? AND epoch = ?";
  return database.all(sql, runId, epoch).length === 0 ? "refused" : "duplicate";
}

function answerWait(
  database: SqliteDatabase,
  { runId, id, body }: Extract<JournalWrite, { type: "answer-wait" }>,
): WriteOutcome {
  const [wait] = database.all(
    `SELECT waits.number, runs.number AS run, answer IS NULL AS is_open FROM waits
     JOIN runs ON runs.number = waits.run WHERE runs.id = ? AND waits.id = ? AND status <> 'ended'`,
    ...[runId, id],
  );
  if (wait === undefined) return "refused";
  if (Number(wait.is_open) === 0) return "duplicate";
  database.run("UPDATE waits SET answer = ? WHERE number = ?", body, Number(wait.number));
  database.run("UPDATE runs SET is_answered = 1 WHERE number = ?", Number(wait.run));
  return "applied";
}

function renewOwner(database: SqliteDatabase, owner: string, leaseUntil: number): void {
  database.run(
    `INSERT INTO owners (id, lease_until) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
    ...[owner, leaseUntil],
  );
}

function claim(
  database: SqliteDatabase,
  { owner, now, leaseUntil, runId, limit }: ClaimRequest,
): readonly StoredRun[] {
  renewOwner(database, owner, leaseUntil);
  // Owners without a run that were not seen for a day are forgotten.
  database.run(
    "DELETE FROM owners WHERE lease_until < ? AND id NOT IN (SELECT owner FROM runs WHERE status = 'running')",
    now - 86_400_000,
  );
  const values: SqlValue[] = [owner, now, now, runId ?? null, runId ?? null, limit];
  // `all`, although the statement changes rows, because one driver leaves it open after `run`.
  return database
    .all(
      `UPDATE runs SET owner = ?, epoch = epoch + 1, updated_at = ?, status = 'running',
         losses = losses + (status = 'running' AND owner <> ''), is_answered = 0
       WHERE number IN (
         SELECT runs.number FROM runs LEFT JOIN owners ON owners.id = runs.owner
         WHERE ((status = 'running' AND COALESCE(lease_until, 0) < ?)
           OR (status = 'waiting' AND is_answered = 1)) AND (? IS NULL OR runs.id = ?)
         ORDER BY runs.number LIMIT ?)
       RETURNING *`,
      ...values,
    )
    .map(readRun);
}

function remove(
  database: SqliteDatabase,
  { runId, user, before, collection, documentId, limit }: DeleteFilter,
): number {
  let deleted = 0;
  if (collection === undefined && documentId === undefined) {
    const ended = { "updated_at <": before, "status =": before === undefined ? before : "ended" };
    const found = whereAll({ "id =": runId, "user_id =": user, ...ended }, mark, limit);
    const sql = `SELECT number FROM runs ${found.where} ${found.end}`;
    for (const { number } of database.all(sql, ...found.values)) {
      for (const table of ["entries", "waits"]) {
        database.run(`DELETE FROM ${table} WHERE run = ?`, Number(number));
      }
      deleted += database.run("DELETE FROM runs WHERE number = ?", Number(number));
    }
  }
  if (runId !== undefined) return deleted;
  const matching = { "collection =": collection, "id =": documentId, "user_id =": user };
  const { where, end, values } = whereAll({ ...matching, "at <": before }, mark, limit);
  const sql = `DELETE FROM documents WHERE number IN (SELECT number FROM documents ${where} ${end})`;
  return deleted + database.run(sql, ...values);
}

/** Values are bound in the order of their placeholders. */
const mark = () => "?";
