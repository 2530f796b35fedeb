import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../../../../../packages/journal/test/postgres-server.js";
import { chunkOf } from "../../../test/chunks.js";
import { itBehavesLikeAVectorStore } from "../../../test/vector-store-suite.js";
import { openStore } from "../open-store.js";

const bin = findPostgres();
if (bin === undefined) {
  console.warn("SKIPPED: the store on a Postgres server; install postgresql to have it tested.");
}

// A server is another program than the one in this process: connections, statistics, plans.
describe.skipIf(bin === undefined)("a store on a Postgres server", () => {
  let server: PostgresServer | undefined;
  let made = 0;
  beforeAll(() => {
    server = startPostgres(bin ?? "");
  }, 240_000);
  afterAll(() => server?.stop());

  const open = (table = `chunks_${made++}`) =>
    openStore(server?.url ?? "", { createSchema: true, table });

  itBehavesLikeAVectorStore({ create: () => open(), noVectors: "Debian's server has no pgvector" });

  it("looks words up in the index, rare and common ones, for a country and a city", async () => {
    const pool = new Pool({ connectionString: server?.url });
    const table = "indexed";
    const store = await open(table);
    try {
      const cities = ["Vizag", "Pune", "Leeds"];
      const chunks = Array.from({ length: 6_000 }, (_, at) =>
        chunkOf(`c${at}`, `${"the plot is on the common road ".repeat(20)} word${at}`, {
          city: cities[at % 3],
        }),
      );
      for (let at = 0; at < chunks.length; at += 500) await store.add(chunks.slice(at, at + 500));

      const rare = await store.search({ text: "word4321", country: "IN", limit: 5 });
      expect(rare.map(({ chunk }) => chunk.id)).toEqual(["c4321"]);
      const mixed = await store.search({ text: "common road word4321", country: "IN", limit: 5 });
      expect(mixed[0]?.chunk.id).toBe("c4321");
      expect(mixed).toHaveLength(5);
      const inCity = await store.search({
        text: "common road",
        country: "IN",
        city: "Pune",
        limit: 9,
      });
      expect(new Set(inCity.map(({ chunk }) => chunk.metadata.city))).toEqual(new Set(["Pune"]));

      // The server counts what its indexes were used for a moment later.
      await expect
        .poll(
          async () => {
            const { rows } = await pool.query(
              "SELECT idx_scan::int AS scans FROM pg_stat_user_indexes WHERE indexrelname = $1",
              [`${table}_search`],
            );
            return rows[0]?.scans ?? 0;
          },
          { timeout: 30_000 },
        )
        .toBeGreaterThan(0);
    } finally {
      await store.close();
      await pool.end();
    }
  });
});
