import type { SqlRow } from "../sql-reads.js";

/** A value bound to a statement. No other type: one of the drivers crashes the process on a boolean. */
export type SqlValue = string | number | null;

interface SqlStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

interface SqlConnection {
  exec(sql: string): unknown;
  prepare(sql: string): SqlStatement;
  close(): unknown;
}

/** One open file, the same for each driver. Synchronous: no other write comes between two of its calls. */
export interface SqliteDatabase {
  /** `node:sqlite`, `better-sqlite3` or `libsql`, with the version of SQLite in it. */
  readonly driver: string;
  exec(sql: string): void;
  /** @returns Number of rows that it changed. */
  run(sql: string, ...values: SqlValue[]): number;
  all(sql: string, ...values: SqlValue[]): readonly SqlRow[];
  close(): void;
}

/** Versions before it can damage a file in WAL mode that several connections write. */
const minVersion = [3, 51, 3] as const;

/** Maximum wait of a write for one of another process, in milliseconds. */
const busyTimeoutMs = 5_000;

/** In order of preference. `libsql` is a dependency, and is used where nothing newer is installed. */
const drivers = [
  { module: "node:sqlite", name: "DatabaseSync" },
  { module: "better-sqlite3", name: "default" },
  { module: "libsql", name: "default" },
] as const;

/**
 * Opens a file with the first driver that is installed and whose SQLite is new enough; else with the last
 * that is installed.
 *
 * @throws Error when none is installed, or the file cannot be opened.
 */
export async function openSqlite(file: string): Promise<SqliteDatabase> {
  let older: SqliteDatabase | undefined;
  for (const { module, name } of drivers) {
    const Database = await loadClass(module, name);
    if (Database === undefined) continue;
    const connection = Reflect.construct(Database, [file]) as SqlConnection; // each driver has these methods
    const version = readVersion(connection);
    older?.close();
    older = wrap(connection, `${module} (SQLite ${version.join(".")})`);
    if (compareVersions(version, minVersion) >= 0) return older;
  }
  if (older !== undefined) return older;
  const names = drivers.map(({ module }) => module).join(", ");
  throw new Error(`none of ${names} is installed: install better-sqlite3, or use a newer Node.js`);
}

type DatabaseClass = new (file: string) => unknown;

/** @returns `undefined` where the module is not installed. */
async function loadClass(module: string, name: string): Promise<DatabaseClass | undefined> {
  try {
    const exported: unknown = module.startsWith("node:")
      ? readBuiltin(module)
      : await import(module);
    const loaded: unknown = Reflect.get(Object(exported), name);
    return typeof loaded === "function" ? (loaded as DatabaseClass) : undefined; // of the drivers above
  } catch {
    return undefined;
  }
}

/**
 * Loads a module of Node.js, without the warning of Node.js 22 that its SQLite is experimental: users of a command can do
 * nothing about it, and the version is checked here. Synchronous, so that no other warning is lost.
 */
function readBuiltin(module: string): unknown {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule(module);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function readVersion(connection: SqlConnection): readonly number[] {
  const row = connection.prepare("SELECT sqlite_version() AS version").get() as SqlRow;
  return String(row.version).split(".").map(Number);
}

function compareVersions(one: readonly number[], other: readonly number[]): number {
  for (const [index, part] of other.entries()) {
    const difference = (one[index] ?? 0) - part;
    if (difference !== 0) return difference;
  }
  return 0;
}

function wrap(connection: SqlConnection, driver: string): SqliteDatabase {
  const statements = new Map<string, SqlStatement>();
  const prepare = (sql: string): SqlStatement => {
    const known = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  let isOpen = true;
  return {
    driver,
    exec: (sql) => void connection.exec(sql),
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    all: (sql, ...values) => prepare(sql).all(...values) as SqlRow[],
    close() {
      if (!isOpen) return; // the second `close` of one driver throws
      isOpen = false;
      statements.clear();
      connection.close();
    },
  };
}
