import type { Pool, PoolClient } from "pg";
import type { SqlRow } from "../sql-reads.js";

/** Runs one statement. */
export type Query = (
  sql: string,
  values?: readonly unknown[],
  name?: string,
) => Promise<readonly SqlRow[]>;

/** Connections to a Postgres server, made as they are needed. */
export interface PostgresConnections {
  readonly query: Query;
  /**
   * Runs statements in one transaction, again where the server has rolled it back for another one.
   *
   * @throws What the server reports. Where the connection is lost during the commit, it is not known whether it happened.
   */
  transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const limits = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  /** For a server that does not answer at all. */
  query_timeout: 15_000,
  /** A process that was stopped within a transaction holds its locks no longer than that. */
  idle_in_transaction_session_timeout: 2_000,
  idleTimeoutMillis: 30_000,
};

/** @throws Error when `pg` is not installed. */
export async function connectPostgres(
  url: string,
  maxConnections: number,
): Promise<PostgresConnections> {
  const pg = await importPg();
  const pool: Pool = new pg.Pool({
    ...limits,
    connectionString: url,
    max: maxConnections,
    keepAlive: true,
    application_name: "constellation-journal",
    options: "-c jit=off", // compiling such a statement takes longer than running it
  });
  // A lost connection rejects the statement that uses it; without one, the next statement gets another connection.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  return {
    query: queryOn(pool),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        const client = await pool.connect();
        const query = queryOn(client);
        let isCommitting = false;
        let isBroken = false;
        try {
          await query("BEGIN");
          const result = await work(query);
          isCommitting = true;
          await query("COMMIT");
          return result;
        } catch (thrown) {
          await query("ROLLBACK").catch(() => {
            isBroken = true;
          });
          if (attempt >= maxAttempts || !isRolledBack(thrown, isCommitting)) throw thrown;
        } finally {
          client.release(isBroken);
        }
      }
    },
    close: () => pool.end(),
  };
}

const maxAttempts = 3;

/** Serialization failure, deadlock, idle for too long: the transaction has changed nothing. */
const rolledBack: ReadonlySet<unknown> = new Set(["40001", "40P01", "25P03"]);

function isRolledBack(thrown: unknown, isCommitting: boolean): boolean {
  const { code } = Object(thrown);
  if (rolledBack.has(code)) return true;
  const isFromServer = typeof code === "string" && /^[0-9A-Z]{5}$/.test(code);
  return !isCommitting && !isFromServer; // the connection was lost
}

function queryOn(client: Pool | PoolClient): Query {
  return async (sql, values = [], name) => {
    const bound = values.map(withoutNul);
    const text = { text: sql, values: bound };
    const { rows } = await client.query<SqlRow>(name === undefined ? text : { ...text, name });
    return rows;
  };
}

/** Postgres cannot store U+0000 in text, and would reject the writes of all runs in the transaction. */
function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul);
  return typeof value === "string" && value.includes("\0")
    ? value.replaceAll("\0", "\u{FFFD}")
    : value;
}

async function importPg(): Promise<Pick<typeof import("pg"), "Pool">> {
  try {
    return (await import("pg")).default;
  } catch (thrown) {
    throw new Error("it needs the package pg: npm install pg", { cause: thrown });
  }
}
