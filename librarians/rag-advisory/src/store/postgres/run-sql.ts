import { StoreError } from "@constellation/retrieval";

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

/**
 * Runs a statement.
 *
 * @returns Its rows. What they hold is said by the statement beside each call.
 * @throws {StoreError} "unavailable" with the state that Postgres gave, and the signal's reason.
 */
export async function runSql<Row>(
  client: SqlClient | CancellingSqlClient,
  text: string,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  signal?.throwIfAborted();
  try {
    const { rows } =
      signal !== undefined && "queryUntil" in client
        ? await client.queryUntil(signal, text, [...values])
        : await withAbort(client.query(text, [...values]), signal);
    // The statement names the columns and their types.
    return rows as readonly Row[];
  } catch (thrown) {
    signal?.throwIfAborted();
    if (thrown instanceof StoreError) throw thrown;
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    // What the server says may hold what was asked for.
    throw new StoreError("unavailable", `The Postgres store failed (${code}). ${adviceFor(code)}`, {
      cause: thrown,
    });
  }
}

function adviceFor(code: string): string {
  switch (code) {
    case "42P01":
    case "42703":
      return "Its table or a column is missing: make them with createSchema, or `constellation ingest --create-table`; for an embedder, with its dimensions.";
    case "0A000":
    case "58P01":
      return "Is the extension pgvector installed on the server?";
    case "57014":
      return "The statement took too long; raise statementTimeoutMs.";
    case "28P01":
    case "28000":
      return "The server refused user or password.";
    default:
      return "Is the server up, and may this user read and write the table?";
  }
}

/**
 * Waits for work, but no longer than the signal lets it. Work that is given up on continues alone.
 *
 * @throws What the work rejects with, or the signal's reason.
 */
export async function withAbort<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work;
  let giveUp: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (giveUp !== undefined) signal.removeEventListener("abort", giveUp);
  }
}
