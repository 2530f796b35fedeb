import { StoreError } from "@constellation/retrieval";
import type { Pool, PoolClient } from "pg";
import { type CancellingSqlClient, withAbort } from "./run-sql.js";

/** Connections to a Postgres server. */
export interface PostgresConnections extends CancellingSqlClient {
  /** Gives the connections back. */
  end(): Promise<void>;
}

/** Options of {@link connectPostgres}. */
export interface ConnectOptions {
  /** Milliseconds after which the server ends a statement, 1 or more. */
  readonly statementTimeoutMs: number;
}

/**
 * Makes connections as they are needed, five at most, with the optional package `pg`.
 *
 * @throws {StoreError} "unavailable" when `pg` is not installed. A server that cannot be reached is
 *   found out by the first statement.
 */
export async function connectPostgres(
  url: string,
  { statementTimeoutMs }: ConnectOptions,
): Promise<PostgresConnections> {
  const { Client, Pool } = await importPg();
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: "constellation",
    // To compile a query costs more than these take.
    options: "-c jit=off",
  };
  const pool: Pool = new Pool({ ...settings, max: 5, statement_timeout: statementTimeoutMs });
  // A connection that breaks while idle fails no query; the pool makes a new one.
  pool.on("error", () => {});

  /** Ends what a connection is doing. Where even this fails, the statement's own limit ends it. */
  async function cancel(busy: number): Promise<void> {
    const other = new Client(settings);
    other.on("error", () => {});
    try {
      await other.connect();
      await other.query("SELECT pg_cancel_backend($1)", [busy]);
    } catch {
      // The caller has its rejection already.
    } finally {
      await other.end().catch(() => undefined);
    }
  }

  return {
    query: (text, values) => pool.query(text, values),
    async queryUntil(signal, text, values) {
      const connecting = pool.connect();
      let connection: PoolClient;
      try {
        connection = await withAbort(connecting, signal);
      } catch (thrown) {
        connecting.then(
          (late) => late.release(),
          () => undefined,
        );
        throw thrown;
      }
      const work = connection.query(text, values);
      try {
        return await withAbort(work, signal);
      } finally {
        void giveBack(connection, work, signal, cancel);
      }
    },
    end: () => pool.end(),
  };
}

/** Gives a connection back once it is idle: not before its statement has ended. */
async function giveBack(
  connection: PoolClient,
  work: Promise<unknown>,
  signal: AbortSignal,
  cancel: (busy: number) => Promise<void>,
): Promise<void> {
  // `pg` has it; its types do not.
  const { processID } = connection as PoolClient & { readonly processID?: number };
  let isOver = false;
  const settle = () => {
    isOver = true;
  };
  const over = work.then(settle, settle);
  // A statement that has ended has settled its promise by now.
  await Promise.resolve();
  if (signal.aborted && !isOver && processID !== undefined) await cancel(processID);
  await over;
  connection.release();
}

async function importPg(): Promise<Pick<typeof import("pg"), "Client" | "Pool">> {
  try {
    return (await import("pg")).default;
  } catch (thrown) {
    throw new StoreError("unavailable", "A Postgres store needs the package pg: npm install pg.", {
      cause: thrown,
    });
  }
}
