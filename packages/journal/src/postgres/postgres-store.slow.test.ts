import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../../test/postgres-server.js";
import { testThreads } from "../../test/thread-suite.js";
import type { JournalStore, JournalWrite } from "../store.js";
import { testJournalStore } from "../store-suite.js";
import { connectPostgres } from "./postgres-connections.js";
import { createPostgresStore } from "./postgres-store.js";

const bin = findPostgres();
if (bin === undefined) {
  console.warn("SKIPPED: the journal in Postgres; install postgresql to have it tested.");
}

describe.skipIf(bin === undefined)("Postgres", () => {
  let server: PostgresServer | undefined;
  let count = 0;
  beforeAll(() => {
    server = startPostgres(bin ?? "");
  }, 240_000);
  afterAll(() => server?.stop());

  const url = () => server?.url ?? "";
  const create = (): JournalStore =>
    createPostgresStore({ url: url(), schema: `journal_${count}`, maxConnections: 2 });
  async function openNew(): Promise<JournalStore> {
    count++;
    const store = create();
    await store.open();
    return store;
  }
  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: url() });
    client.on("error", () => {});
    await client.connect();
    return client;
  }
  const newRun = (runId: string): JournalWrite => ({
    ...{ type: "create-run", runId, user: undefined, owner: "one", at: 1, request: "{}" },
  });
  const append = (runId: string, key: string, epoch = 1): JournalWrite => ({
    ...{ type: "append", runId, key, phase: "outcome", kind: "hop", epoch, at: 1, body: "{}" },
  });

  testJournalStore("Postgres", {
    create() {
      count++;
      return create();
    },
    share: create,
  });

  testThreads("Postgres", {
    create() {
      count++;
      return create();
    },
  });

  it("keeps the order of each run where writes of many are put together", async () => {
    const store = await openNew();
    const ids = Array.from({ length: 20 }, (_, index) => `run-${index}`);
    const release = (runId: string): JournalWrite => ({
      ...{ type: "release-run", runId, epoch: 1, status: "ended", at: 2, activeMs: 1 },
      outcome: undefined,
    });
    const outcomes = await store.write(
      ids.flatMap((id) => [append(id, "early"), newRun(id), append(id, "a"), append(id, "b")]),
    );
    const more = await store.write(
      ids.flatMap((id) => [append(id, "c"), release(id), append(id, "d"), newRun(id)]),
    );

    expect(outcomes).toEqual(ids.flatMap(() => ["refused", "applied", "applied", "applied"]));
    expect(more).toEqual(ids.flatMap(() => ["applied", "applied", "applied", "duplicate"]));
    for (const id of ids) {
      const entries = await store.readEntries(id);
      expect(entries.map(({ key }) => key)).toEqual(["a", "b", "c", "d"]);
    }
    await store.close();
  });

  it("lets one of many owners have a run that all claim at once, again and again", async () => {
    const stores = [await openNew(), create(), create()];
    for (const store of stores.slice(1)) await store.open();
    const runs = Array.from({ length: 10 }, (_, index) => `run-${index}`);
    await stores[0]?.write(runs.map(newRun));
    for (let round = 0; round < 10; round++) {
      const claims = await Promise.all(
        stores.map((store, index) =>
          store.claim({
            ...{ owner: `${round} ${index}`, now: round * 100 + 50, leaseUntil: round * 100 + 60 },
            limit: 100,
          }),
        ),
      );
      expect(
        claims
          .flat()
          .map(({ id, epoch }) => `${id} ${epoch}`)
          .sort(),
      ).toEqual(runs.map((id) => `${id} ${round + 2}`));
    }
    for (const store of stores) await store.close();
  });

  it("waits with a claim for an append that has begun, and refuses the next one", async () => {
    const store = await openNew();
    await store.write([newRun("a")]);
    const late = await connect();
    await late.query("BEGIN");
    const at = `journal_${count}`;
    await late.query(`SELECT 1 FROM ${at}.runs WHERE id = 'a' AND epoch = 1 FOR SHARE`);

    const claimed = store.claim({ owner: "two", now: 9, leaseUntil: 99, runId: "a", limit: 1 });
    await expect
      .poll(async () => {
        const { rows } = await late.query("SELECT 1 FROM pg_locks WHERE NOT granted");
        return rows.length;
      })
      .toBeGreaterThan(0);
    await late.query("COMMIT");

    expect(await claimed).toMatchObject([{ id: "a", epoch: 2 }]);
    expect(await store.write([append("a", "late")])).toEqual(["refused"]);
    await late.end();
    await store.close();
  });

  it("frees what a process that was stopped in a transaction has locked, and begins again there", async () => {
    const store = await openNew();
    await store.write([newRun("a")]);
    const stopped = await connectPostgres(url(), 1);
    let attempts = 0;
    let wake = (): void => undefined;
    const sleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const update = `UPDATE journal_${count}.runs SET active_ms = active_ms + 1 WHERE id = 'a'`;
    let isLocked = false;
    const work = stopped.transaction(async (query) => {
      attempts++;
      await query(update);
      isLocked = true;
      await sleep;
      await query("SELECT 1");
    });
    await expect.poll(() => isLocked).toBe(true);

    const claim = { owner: "two", now: 9, leaseUntil: 99, runId: "a", limit: 1 };
    expect(await store.claim(claim)).toMatchObject([{ id: "a", activeMs: 0 }]);
    wake();
    await work;
    expect(attempts).toBe(2);
    expect(await store.readRun("a")).toMatchObject({ activeMs: 1 });
    await stopped.close();
    await store.close();
  });

  it("reports a lost connection, and continues once the server is there again", async () => {
    const store = await openNew();
    await store.write([newRun("a"), append("a", "k8s")]);
    server?.restart();

    const recovered = async () => {
      try {
        return await store.write([append("a", "docs"), newRun("b")]);
      } catch (thrown) {
        expect(String(thrown)).toContain("The journal postgres://localhost/postgres cannot be ");
        return undefined;
      }
    };
    await expect.poll(recovered).toBeDefined();
    expect(await store.write([append("a", "docs")])).toEqual(["duplicate"]);
    expect((await store.readEntries("a")).map(({ key }) => key)).toEqual(["k8s", "docs"]);
    await store.close();
  });

  it("keeps texts that Postgres has no place for, without failing the writes of other runs", async () => {
    const store = await openNew();
    const document: JournalWrite = {
      ...{
        type: "put-document",
        collection: "threads",
        id: "t\0",
        user: "a\0da",
        at: 1,
        body: "1",
      },
    };

    expect(await store.write([document, newRun("a")])).toEqual(["applied", "applied"]);
    expect(await store.readDocument("threads", "t\0")).toMatchObject({ body: "1" });
    expect(await store.delete({ user: "a\0da", limit: 10 })).toBe(1);
    await store.close();
  });

  it("refuses tables that a newer version has written", async () => {
    const store = await openNew();
    await store.close();
    const client = await connect();
    await client.query(`UPDATE journal_${count}.version SET version = 99`);
    await client.end();

    await expect(store.open()).rejects.toThrow(
      `The journal postgres://localhost/postgres cannot be opened: the schema journal_${count} was written by a newer version (99; known: 1).`,
    );
  });
});

describe("createPostgresStore", () => {
  it("says what is wrong with an option, without the password", () => {
    const url = "postgres://ada@localhost/mesh";
    expect(() => createPostgresStore({ url: "ada:s3cret@localhost" })).toThrow(
      new TypeError("url: expected postgres://user@host/database."),
    );
    expect(() => createPostgresStore({ url, schema: 'x"; DROP' })).toThrow(
      /^schema: expected a lower case letter/,
    );
    expect(() => createPostgresStore({ url, maxConnections: 0 })).toThrow(
      new RangeError("maxConnections: expected an integer of 1 or more, got 0."),
    );
  });

  it("says that the server cannot be reached, without the password", async () => {
    const store = createPostgresStore({ url: "postgres://ada:s3cret@127.0.0.1:1/mesh" });

    await expect(store.open()).rejects.toThrow(
      /^The journal postgres:\/\/127\.0\.0\.1:1\/mesh cannot be opened: .*ECONNREFUSED/,
    );
    await expect(store.readRun("a")).rejects.toThrow(
      "The journal postgres://127.0.0.1:1/mesh cannot be read: it is not open.",
    );
  });
});
