/** The least that the store needs of Postgres. A `Pool` or `Client` of `pg` and a `PGlite` have it. */
export interface SqlClient {
  /** Runs one statement with its values, `$1` and so on. */
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** A client that can end a statement on the server too. */
export interface CancellingSqlClient extends SqlClient {
  /** As `query`; when the signal aborts it rejects with its reason at once, and the statement is ended. */
  queryUntil(
    signal: AbortSignal,
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[] }>;
}
