import { createRequire } from "node:module";
import type { OutcomeStore } from "./outcome.js";
import { createOutcomeFile } from "./outcome-file.js";
import { createOutcomePostgres, type OutcomeSqlClient } from "./outcome-postgres.js";
import { createOutcomeSqlite, type SqliteDatabase } from "./outcome-sqlite.js";

/**
 * Opens the store of outcomes that a text names, when it is first used: `postgres://...` a table in Postgres, a path that ends
 * in `.sqlite` or `.db` a database of SQLite, any other path a file. A connection or a database stays open as long as
 * the process, and does not keep it alive.
 *
 * Postgres needs the package `pg`; SQLite needs Node.js 22.13 or later, or the package `better-sqlite3`. Where they are
 * missing, `record` and `read` reject.
 */
export function openOutcomes(location: string): OutcomeStore {
  let opened: Promise<OutcomeStore> | undefined;
  const store = async () => {
    opened ??= open(location);
    try {
      return await opened;
    } catch (thrown) {
      opened = undefined;
      throw thrown;
    }
  };
  return {
    record: async (outcome) => (await store()).record(outcome),
    read: async (signal) => (await store()).read(signal),
  };
}

async function open(location: string): Promise<OutcomeStore> {
  if (/^postgres(?:ql)?:\/\//i.test(location))
    return createOutcomePostgres(await openPool(location));
  if (/\.(?:sqlite3?|db)$/i.test(location)) return createOutcomeSqlite(databaseAt(location));
  return createOutcomeFile(location);
}

async function openPool(connectionString: string): Promise<OutcomeSqlClient> {
  let pg: Pick<typeof import("pg"), "Pool">;
  try {
    pg = (await import("pg")).default;
  } catch (cause) {
    throw new Error("Outcomes in Postgres need the package pg: npm install pg.", { cause });
  }
  const pool = new pg.Pool({
    connectionString,
    max: 2,
    allowExitOnIdle: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    application_name: "constellation",
  });
  pool.on("error", () => {}); // a connection that breaks while idle fails no query
  return pool;
}

function databaseAt(path: string): SqliteDatabase {
  const require = createRequire(import.meta.url);
  const load = (name: string): unknown => {
    try {
      return require(name);
    } catch {
      return undefined;
    }
  };
  const own = load("node:sqlite") as { readonly DatabaseSync: DatabaseClass } | undefined; // its class, as documented
  const Database = own?.DatabaseSync ?? (load("better-sqlite3") as DatabaseClass | undefined);
  if (Database === undefined) {
    throw new Error(
      "Outcomes in SQLite need Node.js 22.13 or later, or the package better-sqlite3: npm install better-sqlite3.",
    );
  }
  return new Database(path);
}

type DatabaseClass = new (path: string) => SqliteDatabase;
