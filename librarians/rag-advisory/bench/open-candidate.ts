import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  createPostgresStore,
  createSchema,
  openFileStore,
  openStore,
  type VectorStore,
} from "../src/index.js";

/** The stores that are compared: `postgres` needs a server, named by `BENCH_POSTGRES_URL`. */
export type Candidate = "own" | "sqlite" | "pglite" | "postgres";

/** Opens a store of one kind in a folder. */
export async function openCandidate(kind: Candidate, folder: string): Promise<VectorStore> {
  if (kind === "own") return openFileStore(folder);
  if (kind === "sqlite") return (await import("./sqlite-store.js")).openSqliteStore(folder);
  if (kind === "postgres") {
    const url = process.env.BENCH_POSTGRES_URL;
    if (url === undefined) throw new Error("BENCH_POSTGRES_URL: expected the URL of a server");
    return openStore(url, { createSchema: true, table: "bench_chunks" });
  }
  const { PGlite } = await import("@electric-sql/pglite");
  await mkdir(folder, { recursive: true });
  const client = await PGlite.create(join(folder, "pglite"));
  await createSchema(client);
  const store = createPostgresStore(client);
  return {
    ...store,
    async close() {
      await store.close();
      await client.close();
    },
  };
}
