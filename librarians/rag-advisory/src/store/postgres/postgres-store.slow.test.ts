import { createHash } from "node:crypto";
import type { Embedder } from "@constellation/retrieval";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite/vector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkOf } from "../../../test/chunks.js";
import { createMeaningEmbedder } from "../../../test/meaning-embedder.js";
import { itBehavesLikeAVectorStore } from "../../../test/vector-store-suite.js";
import type { Chunk } from "../vector-store.js";
import { createSchema } from "./create-schema.js";
import { createPostgresStore } from "./postgres-store.js";
import type { SqlClient } from "./run-sql.js";

// Postgres 17 with pgvector, in this process.
let client: PGlite;
let made = 0;
const newTable = (): string => `chunks_${made++}`;
beforeAll(async () => {
  client = await PGlite.create({ extensions: { vector } });
});
afterAll(async () => {
  await client.close();
});

/** Gives each text a vector of its own that means nothing. */
function createNumberEmbedder(): Embedder {
  // None below 0: what points away from a question is not found at all.
  const vectorOf = (text: string) =>
    Float32Array.from(createHash("sha256").update(text).digest().subarray(0, 16));
  return { id: "numbers", dimensions: 16, embed: async (texts) => texts.map(vectorOf) };
}

/** Ids of chunks by their nearness to a text, every one compared. */
async function nearest(embedder: Embedder, text: string, chunks: readonly Chunk[]) {
  const [asked = [], ...vectors] = await embedder.embed([
    text,
    ...chunks.map((chunk) => chunk.text),
  ]);
  const sum = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).reduce((total, number, at) => total + number * (b[at] ?? 0), 0);
  return chunks
    .map(({ id }, at) => {
      const vector = vectors[at] ?? [];
      return { id, near: sum(asked, vector) / Math.sqrt(sum(vector, vector)) };
    })
    .sort((a, b) => b.near - a.near)
    .map(({ id }) => id);
}

describe("createPostgresStore", () => {
  itBehavesLikeAVectorStore({
    async create({ embedder }) {
      const table = newTable();
      await createSchema(client, { table, dimensions: embedder?.dimensions });
      return createPostgresStore(client, { table, embedder });
    },
  });

  it("finds the same after a second createSchema, and after one that adds vectors", async () => {
    const table = newTable();
    await createSchema(client, { table });
    const words = createPostgresStore(client, { table });
    await words.add([chunkOf("a", "a flat")]);
    await createSchema(client, { table });
    await createSchema(client, { table, dimensions: 4 });

    const both = createPostgresStore(client, { table, embedder: createMeaningEmbedder() });
    expect(await both.health()).toEqual({ chunks: 1, vectors: 0 });
    expect(await both.add([chunkOf("a", "a flat")])).toEqual({ added: 0, unchanged: 1 });

    expect(await both.health()).toEqual({ chunks: 1, vectors: 1 });
    expect(await both.search({ text: "home", country: "IN", limit: 1 })).toHaveLength(1);
    const other = createPostgresStore(client, { table, embedder: createMeaningEmbedder("other") });
    expect(await other.search({ text: "home", country: "IN", limit: 1 })).toEqual([]);
  });

  it("gives values to Postgres as parameters, never as a part of the statement", async () => {
    const table = newTable();
    await createSchema(client, { table, dimensions: 4 });
    const seen: string[] = [];
    const watched: SqlClient = {
      query(text, values) {
        seen.push(text);
        return client.query(text, values);
      },
    };
    const store = createPostgresStore(watched, { table, embedder: createMeaningEmbedder() });
    const secret = "zanzibar";
    await store.add([
      chunkOf(secret, secret, {
        document: secret,
        city: secret,
        date: secret,
        row: { [secret]: 1 },
      }),
    ]);
    await store.search({ text: secret, country: "IN", city: secret, limit: 7 });
    await store.rows({ country: "IN", city: secret, limit: 7 });
    await store.removeDocument(secret, { keep: new Set([secret]) });
    await store.health();

    expect(seen).toHaveLength(10);
    expect(seen.filter((text) => text.includes(secret))).toEqual([]);
  });

  describe("with 1,200 vectors", () => {
    const embedder = createNumberEmbedder();
    const chunks = Array.from({ length: 1_200 }, (_, at) =>
      chunkOf(`c${at}`, `n${at}`, { city: at % 60 === 0 ? "Vizag" : "Pune" }),
    );
    const texts = ["n5000", "n6000", "n7000"];
    let table = "";
    // Vectors alone decide: no word of a question is in a text.
    const open = (more: { readonly maxComparedVectors?: number } = {}) =>
      createPostgresStore(client, { table, embedder, embeddingWeight: 1, ...more });
    beforeAll(async () => {
      table = newTable();
      await createSchema(client, { table, dimensions: embedder.dimensions });
      const store = open();
      for (let at = 0; at < chunks.length; at += 400) await store.add(chunks.slice(at, at + 400));
      await client.query(`ANALYZE ${table}`);
    });

    it.each(["Vizag", undefined])("finds in %s what comparing all of them finds", async (city) => {
      for (const text of texts) {
        const found = await open().search({ text, country: "IN", city, limit: 50 });

        const permitted = chunks.filter(
          ({ metadata }) => (city ?? metadata.city) === metadata.city,
        );
        const exact = await nearest(embedder, text, permitted);
        expect(found.map(({ chunk }) => chunk.id)).toEqual(exact.slice(0, 50));
      }
    });

    it("finds nearly all of that by the index, where there are more than are compared", async () => {
      for (const text of texts) {
        const store = open({ maxComparedVectors: 0 });
        const found = await store.search({ text, country: "IN", limit: 50 });

        const exact = new Set((await nearest(embedder, text, chunks)).slice(0, 50));
        const right = found.filter(({ chunk }) => exact.has(chunk.id));
        expect(found).toHaveLength(50);
        expect(right.length).toBeGreaterThanOrEqual(45);
      }
    });
  });

  it("says what to do when the table is not there, and nothing the server said", async () => {
    const store = createPostgresStore(client, { table: "nowhere" });

    const failure = store.health();

    await expect(failure).rejects.toMatchObject({ name: "StoreError", reason: "unavailable" });
    await expect(failure).rejects.toThrow("createSchema");
  });

  it("stops waiting when the signal aborts, whatever the server does", async () => {
    const silent: SqlClient = { query: () => new Promise(() => {}) };
    const store = createPostgresStore(silent);
    const controller = new AbortController();
    const rows = store.rows({ country: "IN", limit: 1, signal: controller.signal });

    controller.abort("enough");

    await expect(rows).rejects.toBe("enough");
  });

  it.each(['x"; DROP TABLE y', "X", "", "1a", "a".repeat(42)])("refuses the table %j", (table) => {
    expect(() => createPostgresStore(client, { table })).toThrow(RangeError);
  });

  it.each([0, 1.5, 16_001])("refuses vectors of length %d", async (dimensions) => {
    await expect(createSchema(client, { table: newTable(), dimensions })).rejects.toThrow(
      RangeError,
    );
  });
});
