import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkOf } from "../../test/chunks.js";
import { itBehavesLikeAVectorStore } from "../../test/vector-store-suite.js";
import { openStore } from "./open-store.js";
import { connectPostgres } from "./postgres/connect-postgres.js";
import { createSchema } from "./postgres/create-schema.js";
import { createPostgresStore } from "./postgres/postgres-store.js";

describe("openStore", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "open-store-"));
  });
  afterAll(async () => {
    await rm(root, { recursive: true, force: true });
  });

  it("opens a folder", async () => {
    const store = await openStore(join(root, "chunks"));
    await store.add([chunkOf("a", "alpha")]);
    await store.close();

    const again = await openStore(join(root, "chunks"));
    expect(await again.health()).toMatchObject({ chunks: 1 });
    await again.close();
  });

  it("refuses what is neither a folder nor Postgres, without telling a password", async () => {
    const failure = openStore("mysql://user:hunter2@host/db");

    await expect(failure).rejects.toThrow(RangeError);
    await expect(failure).rejects.toThrow(/postgres:.*got mysql:/);
    await expect(failure).rejects.not.toThrow("hunter2");
    await expect(openStore("postgres://h/d", { statementTimeoutMs: 0 })).rejects.toThrow(
      "statementTimeoutMs",
    );
    await expect(openStore("postgres://h/d", { table: "a b" })).rejects.toThrow("table");
  });

  it("says that a server cannot be reached, without telling the password", async () => {
    const failure = openStore("postgres://user:hunter2@127.0.0.1:9/db");

    await expect(failure).rejects.toMatchObject({ reason: "unavailable" });
    await expect(failure).rejects.toThrow("ECONNREFUSED");
    await expect(failure).rejects.not.toThrow("hunter2");
  });

  it("stops connecting to a server that says nothing when the signal aborts", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const controller = new AbortController();
    server.once("connection", (socket) => {
      // The client goes away in its own time; until then the server stays as silent as it is.
      socket.on("error", () => {});
      controller.abort("enough");
      setImmediate(() => socket.destroy());
    });
    try {
      await expect(
        openStore(`postgres://u@127.0.0.1:${port}/db`, { signal: controller.signal }),
      ).rejects.toBe("enough");
    } finally {
      server.close();
    }
  });
});

const { POSTGRES_URL: url } = process.env;
const why = url === undefined ? " (skipped: POSTGRES_URL names no server)" : "";
const hasVectors = url !== undefined && (await isVectorThere(url));

describe.skipIf(url === undefined)(`openStore on a Postgres server${why}`, () => {
  const tables: string[] = [];
  const newTable = (): string => {
    const table = `constellation_test_${process.pid}_${tables.length}`;
    tables.push(table);
    return table;
  };
  afterAll(async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const table of tables) await client.query(`DROP TABLE IF EXISTS ${table}`);
    await client.end();
  });

  itBehavesLikeAVectorStore({
    create: (options) =>
      openStore(url ?? "", { ...options, table: newTable(), createSchema: true }),
    noVectors: hasVectors ? undefined : "this server has no pgvector",
  });

  it("takes a pool of pg as it is, and leaves it open", async () => {
    const pool = new Pool({ connectionString: url });
    const table = newTable();
    try {
      await createSchema(pool, { table });
      const store = createPostgresStore(pool, { table });
      await store.add([chunkOf("a", "alpha")]);
      await store.close();

      expect((await pool.query(`SELECT id FROM ${table}`)).rows).toEqual([{ id: "a" }]);
    } finally {
      await pool.end();
    }
  });

  it("ends a statement on the server when the signal aborts", async () => {
    const connections = await connectPostgres(url ?? "", { statementTimeoutMs: 30_000 });
    const controller = new AbortController();
    const mark = `/* ${newTable()} */`;
    const busy = async (): Promise<number> => {
      const { rows } = await connections.query(
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE $1 AND pid <> pg_backend_pid()",
        [`${mark}%`],
      );
      return rows.length;
    };
    try {
      const asleep = connections.queryUntil(controller.signal, `${mark} SELECT pg_sleep(20)`);
      asleep.catch(() => {});
      await until(async () => (await busy()) === 1);

      controller.abort("enough");

      await expect(asleep).rejects.toBe("enough");
      await until(async () => (await busy()) === 0);
    } finally {
      await connections.end();
    }
  });

  it("ends a statement that takes longer than it may", async () => {
    const connections = await connectPostgres(url ?? "", { statementTimeoutMs: 50 });
    try {
      await expect(connections.query("SELECT pg_sleep(20)")).rejects.toMatchObject({
        code: "57014",
      });
    } finally {
      await connections.end();
    }
  });
});

async function isVectorThere(server: string): Promise<boolean> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'",
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
