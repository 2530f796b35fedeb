import { openFileStore } from "./file/file-store.js";
import { connectPostgres } from "./postgres/connect-postgres.js";
import { createSchema } from "./postgres/create-schema.js";
import { createPostgresStore, type PostgresStoreOptions } from "./postgres/postgres-store.js";
import type { VectorStore } from "./vector-store.js";

/** Options of {@link openStore}. */
export interface OpenStoreOptions extends PostgresStoreOptions {
  /**
   * Of Postgres: create the table where it is missing.
   *
   * @default false
   */
  readonly createSchema?: boolean | undefined;
  /**
   * Of Postgres: milliseconds after which the server ends a statement. Integer, 1 or more.
   *
   * @default 30_000
   */
  readonly statementTimeoutMs?: number | undefined;
  /** Ends the opening with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the store that a text names: `postgres://...` a table in Postgres, all else a folder, which is
 * made when there is none.
 *
 * @throws {RangeError} For another scheme, or a wrong option. {StoreError} When the store cannot be
 *   opened. The signal's reason.
 */
export async function openStore(
  pathOrUrl: string,
  options: OpenStoreOptions = {},
): Promise<VectorStore> {
  const [scheme] = /^[a-z][a-z\d+.-]+(?=:\/\/)/i.exec(pathOrUrl) ?? [];
  if (scheme === undefined) return openFileStore(pathOrUrl, options);
  if (!/^postgres(?:ql)?$/i.test(scheme)) {
    throw new RangeError(`store: expected a folder or postgres://..., got ${scheme}://...`);
  }
  const { statementTimeoutMs = 30_000, signal, embedder, table } = options;
  if (!Number.isInteger(statementTimeoutMs) || statementTimeoutMs < 1) {
    throw new RangeError(
      `statementTimeoutMs: expected an integer of 1 or more, got ${statementTimeoutMs}`,
    );
  }
  signal?.throwIfAborted();
  const connections = await connectPostgres(pathOrUrl, { statementTimeoutMs });
  try {
    if (options.createSchema === true) {
      await createSchema(connections, { table, dimensions: embedder?.dimensions, signal });
    }
    const store = createPostgresStore(connections, options);
    await store.health({ signal });
    let ended: Promise<void> | undefined;
    return {
      ...store,
      async close() {
        await store.close();
        ended ??= connections.end();
        await ended;
      },
    };
  } catch (thrown) {
    await connections.end();
    throw thrown;
  }
}
