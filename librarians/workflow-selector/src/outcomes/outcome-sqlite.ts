import { redactJson } from "@constellation/authoring";
import { throwIfAborted } from "@constellation/core";
import { checkOutcome, checkTable, maxOutcomes, readOutcome } from "./check-outcome.js";
import type { OutcomeStore } from "./outcome.js";
import type { OutcomeTableOptions } from "./outcome-postgres.js";

/** A database of SQLite: a `DatabaseSync` of `node:sqlite` (Node.js 22.13 or later) is one, and one of `better-sqlite3`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    all(...values: string[]): unknown[];
    run(...values: string[]): unknown;
  };
}

/**
 * Keeps outcomes in a table of SQLite, without their secrets. The latest 50,000 are read. The database stays open: it is yours.
 *
 * @throws RangeError for the name of the table, and what the database throws when the table cannot be created.
 */
export function createOutcomeSqlite(
  database: SqliteDatabase,
  options: OutcomeTableOptions = {},
): OutcomeStore {
  const table = checkTable(options.table ?? "workflow_outcomes");
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS ${table} (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      workflow_id TEXT NOT NULL,
      event TEXT NOT NULL,
      at TEXT NOT NULL,
      outcome TEXT NOT NULL
    )`);
  const insert = database.prepare(
    `INSERT INTO ${table} (workflow_id, event, at, outcome) VALUES (?, ?, ?, ?)`,
  );
  const select = database.prepare(
    `SELECT outcome FROM ${table} ORDER BY id DESC LIMIT ${maxOutcomes}`,
  );
  return {
    async record(outcome) {
      const checked = checkOutcome(outcome);
      insert.run(checked.workflow_id, checked.event, checked.at, redactJson(checked));
    },
    async read(signal) {
      if (signal !== undefined) throwIfAborted(signal);
      const rows = select.all();
      return rows.toReversed().flatMap((row) => readOutcome(Object(row).outcome));
    },
  };
}
