import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JournalStore, JournalWrite, StoredEntry, WriteOutcome } from "./store.js";

/** Functions that the suite needs for a store. */
export interface StoreSuiteOptions {
  /** Creates an empty store, not yet open. Called before each test. */
  create(): JournalStore | Promise<JournalStore>;
  /** Creates another one on the same data, as another process would; not given: a store cannot be shared. */
  share?(): JournalStore | Promise<JournalStore>;
  /** Removes what `create` made, once its stores are closed. */
  remove?(): void | Promise<void>;
}

/**
 * Runs the contract of a journal's store as tests: call it within a test file.
 *
 * @param name - Completes "a journal store in".
 */
export function testJournalStore(name: string, options: StoreSuiteOptions): void {
  describe(`a journal store in ${name}`, () => {
    let store: JournalStore;
    const opened: JournalStore[] = [];
    const open = async (create: StoreSuiteOptions["create"]): Promise<JournalStore> => {
      const created = await create();
      await created.open();
      opened.push(created);
      return created;
    };
    beforeEach(async () => {
      store = await open(options.create);
    });
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close();
      await options.remove?.();
    });

    const one = async (write: JournalWrite): Promise<WriteOutcome | undefined> =>
      (await store.write([write]))[0];
    const create = (runId: string, more: { user?: string; owner?: string; at?: number } = {}) => {
      const { user, owner = "one", at = 1_000 } = more;
      return one({ type: "create-run", runId, user, owner, at, request: '{"query":"why?"}' });
    };
    const entry = (key: string, epoch: number, more: Partial<StoredEntry> = {}): StoredEntry => ({
      ...{ key, epoch, phase: "outcome", kind: "hop", at: 2_000, body: `{"answer":"${key}"}` },
      ...more,
    });
    const append = (runId: string, given: StoredEntry) => one({ type: "append", runId, ...given });
    const renew = (owner: string, leaseUntil: number) =>
      one({ type: "renew-owner", owner, leaseUntil });
    const openWait = (runId: string, id: string, at = 2_000, expiresAt?: number) =>
      one({ type: "open-wait", runId, id, epoch: 1, at, expiresAt, body: '{"what":"restart"}' });
    const answer = (runId: string, id: string, body = '{"approved":true}') =>
      one({ type: "answer-wait", runId, id, at: 3_000, body });
    const release = (runId: string, status: "running" | "waiting" | "ended", epoch = 1) =>
      one({
        ...{ type: "release-run", runId, epoch, status, at: 4_000, activeMs: 250 },
        outcome: '{"answer":"because"}',
      });
    const claim = (owner: string, now: number, more: { runId?: string; limit?: number } = {}) =>
      store.claim({ owner, now, leaseUntil: now + 500, limit: 10, ...more });

    it("keeps a run as it was created, and creates none twice", async () => {
      expect(await create("a", { user: "ada" })).toBe("applied");
      expect(await create("a", { user: "eve", owner: "two" })).toBe("duplicate");

      expect(await store.readRun("a")).toEqual({
        ...{ id: "a", user: "ada", status: "running", owner: "one", epoch: 1, losses: 0 },
        ...{ createdAt: 1_000, updatedAt: 1_000, activeMs: 0, request: '{"query":"why?"}' },
        outcome: undefined,
      });
      expect(await store.readRun("b")).toBeUndefined();
    });

    it("gives entries in the order appended, each key and phase once", async () => {
      await create("a");
      const first = entry("k8s", 1, { phase: "intent" });
      const second = entry("docs", 1, { body: JSON.stringify("é 🚀 \u0000 ' \" \\") });
      const third = entry("k8s", 1);
      expect(await append("a", first)).toBe("applied");
      expect(await append("a", second)).toBe("applied");
      expect(await append("a", third)).toBe("applied");
      expect(await append("a", { ...third, body: '{"answer":"other"}' })).toBe("duplicate");

      expect(await store.readEntries("a")).toEqual([first, second, third]);
      expect(await store.readEntries("a", 2)).toEqual([third]);
      expect(await store.readEntries("a", 9)).toEqual([]);
      expect(await store.readEntries("b")).toEqual([]);
    });

    it("refuses what an earlier owner of a run appends", async () => {
      await create("a");
      await renew("one", 5_000);
      const [claimed] = await claim("two", 6_000);
      expect(claimed).toMatchObject({ id: "a", owner: "two", epoch: 2, losses: 1 });

      expect(await append("a", entry("late", 1))).toBe("refused");
      expect(await openWait("a", "late")).toBe("refused");
      expect(await release("a", "ended", 1)).toBe("refused");
      expect(await append("a", entry("own", 2))).toBe("applied");
      expect(await store.readEntries("a")).toEqual([entry("own", 2)]);
      expect(await store.readRun("a")).toMatchObject({ status: "running", outcome: undefined });
    });

    it("refuses what belongs to a run that it does not have", async () => {
      expect(await append("none", entry("k8s", 1))).toBe("refused");
      expect(await openWait("none", "w")).toBe("refused");
      expect(await answer("none", "w")).toBe("refused");
      expect(await release("none", "ended")).toBe("refused");
    });

    it("applies the writes of one call in order, with one outcome each", async () => {
      const create = { type: "create-run", runId: "a", user: undefined, owner: "one" } as const;
      const outcomes = await store.write([
        { ...create, at: 1, request: "{}" },
        { type: "append", runId: "a", ...entry("first", 1) },
        { type: "append", runId: "a", ...entry("first", 1) },
        { type: "append", runId: "a", ...entry("wrong", 7) },
        { type: "append", runId: "a", ...entry("second", 1) },
      ]);

      expect(outcomes).toEqual(["applied", "applied", "duplicate", "refused", "applied"]);
      expect((await store.readEntries("a")).map(({ key }) => key)).toEqual(["first", "second"]);
      expect(await store.write([])).toEqual([]);
    });

    it("gives a run to one of those that claim it, and only once its owner's lease is over", async () => {
      await create("a");
      await renew("one", 5_000);

      expect(await claim("two", 4_999)).toEqual([]);
      const claims = await Promise.all(
        ["two", "three", "four"].map((owner) => claim(owner, 6_000)),
      );

      expect(claims.flat()).toHaveLength(1);
      const [winner] = claims.flat();
      expect(await claim("five", 6_500)).toEqual([]);
      expect(await store.readRun("a")).toMatchObject({ owner: winner?.owner, epoch: 2 });
    });

    it("counts the owners that have lost a run, until it waits", async () => {
      await create("a");
      await claim("two", 1_000);
      const [third] = await claim("three", 2_000);
      expect(third).toMatchObject({ epoch: 3, losses: 2 });

      await one({
        ...{ type: "open-wait", runId: "a", id: "w", epoch: 3, at: 1, expiresAt: undefined },
        body: "{}",
      });
      await release("a", "waiting", 3);
      await answer("a", "w");
      expect(await claim("four", 3_000)).toMatchObject([{ epoch: 4, losses: 0 }]);
    });

    it("lets go of a run at once, without a loss", async () => {
      await create("a");
      await renew("one", 9_000);
      await release("a", "running");

      expect(await claim("two", 2_000)).toMatchObject([
        { id: "a", owner: "two", epoch: 2, losses: 0, activeMs: 250 },
      ]);
    });

    it("claims at most as many as asked for, or the one asked for", async () => {
      for (const id of ["a", "b", "c"]) await create(id);

      expect(await claim("two", 2_000, { runId: "c" })).toMatchObject([{ id: "c" }]);
      expect(await claim("three", 2_000, { limit: 1 })).toHaveLength(1);
      expect(await claim("four", 2_000, { runId: "c" })).toEqual([]);
      expect(await claim("four", 2_000)).toHaveLength(1);
    });

    it("leaves a run that waits alone until it is answered, and takes the first answer", async () => {
      await create("a", { user: "ada" });
      expect(await openWait("a", "w", 2_000, 8_000)).toBe("applied");
      expect(await openWait("a", "w")).toBe("duplicate");
      expect(await release("a", "waiting")).toBe("applied");
      const wait = { runId: "a", id: "w", user: "ada", openedAt: 2_000, expiresAt: 8_000 };

      expect(await claim("two", 99_000)).toEqual([]);
      expect(await store.listWaits({ isOpen: true, limit: 10 })).toEqual([
        { ...wait, body: '{"what":"restart"}', answer: undefined },
      ]);
      expect(await answer("a", "w", '{"approved":false}')).toBe("applied");
      expect(await answer("a", "w")).toBe("duplicate");
      expect(await answer("a", "other")).toBe("refused");

      expect(await store.listWaits({ isOpen: true, limit: 10 })).toEqual([]);
      expect(await store.listWaits({ runId: "a", limit: 10 })).toMatchObject([
        { id: "w", answer: '{"approved":false}' },
      ]);
      expect(await claim("two", 99_000)).toMatchObject([
        { id: "a", epoch: 2, outcome: '{"answer":"because"}', activeMs: 250 },
      ]);
    });

    it("keeps an answer that comes while the run still works, and continues it when it waits", async () => {
      await create("a");
      await renew("one", 9_000);
      await openWait("a", "w");
      await answer("a", "w");

      expect(await claim("two", 5_000)).toEqual([]);
      await release("a", "waiting");
      expect(await claim("two", 5_000)).toMatchObject([{ id: "a", epoch: 2 }]);
    });

    it("does not continue twice for one answer", async () => {
      await create("a");
      await openWait("a", "w");
      await answer("a", "w");
      await release("a", "waiting");
      await claim("two", 5_000);
      await release("a", "waiting", 2);

      expect(await claim("three", 6_000)).toEqual([]);
    });

    it("lists the waits that have expired, and none of runs that have ended", async () => {
      for (const id of ["a", "b", "c"]) await create(id);
      await openWait("a", "w", 2_002, 8_000);
      await openWait("b", "w", 2_001, 7_000);
      await openWait("b", "v", 2_000);
      await openWait("c", "w", 2_000, 7_000);
      await release("c", "ended");

      const ids = async (filter: { expiresBy?: number; runId?: string; limit?: number }) =>
        (await store.listWaits({ isOpen: true, limit: 10, ...filter })).map(
          ({ runId, id }) => `${runId} ${id}`,
        );
      expect(await ids({})).toEqual(["b v", "b w", "a w"]);
      expect(await ids({ expiresBy: 7_500 })).toEqual(["b w"]);
      expect(await ids({ runId: "b", limit: 1 })).toEqual(["b v"]);
      expect(await answer("c", "w")).toBe("refused");
    });

    it("keeps how a run has ended, and gives it to no one else", async () => {
      await create("a");
      expect(await release("a", "ended")).toBe("applied");

      expect(await claim("two", 99_000)).toEqual([]);
      expect(await store.readRun("a")).toMatchObject({
        status: "ended",
        outcome: '{"answer":"because"}',
        activeMs: 250,
        updatedAt: 4_000,
      });
    });

    it("lists runs, newest first, of one user or one status", async () => {
      await create("a", { user: "ada", at: 1 });
      await create("b", { user: "bob", at: 2 });
      await create("c", { user: "ada", at: 3 });
      await release("c", "ended");

      const ids = async (filter: object) =>
        (await store.listRuns({ limit: 10, ...filter })).map(({ id }) => id);
      expect(await ids({})).toEqual(["c", "b", "a"]);
      expect(await ids({ user: "ada" })).toEqual(["c", "a"]);
      expect(await ids({ status: "running" })).toEqual(["b", "a"]);
      expect(await ids({ before: 3, limit: 1 })).toEqual(["b"]);
    });

    it("keeps documents, newest first, and replaces one with the same id", async () => {
      const put = (id: string, at: number, body: string, collection = "runs", user?: string) =>
        one({ type: "put-document", collection, id, user, at, body });
      await put("a", 1, '"first"', "runs", "ada");
      await put("b", 2, '"second"');
      await put("a", 3, '"third"', "runs", "ada");
      await put("a", 4, '"other"', "outcomes");

      expect(await store.readDocument("runs", "a")).toEqual({
        ...{ collection: "runs", id: "a", user: "ada", at: 3, body: '"third"' },
      });
      expect(await store.readDocument("runs", "c")).toBeUndefined();
      const list = async (filter: object) =>
        (await store.listDocuments({ collection: "runs", limit: 10, ...filter })).map(
          ({ id }) => id,
        );
      expect(await list({})).toEqual(["a", "b"]);
      expect(await list({ user: "ada" })).toEqual(["a"]);
      expect(await list({ before: 3 })).toEqual(["b"]);
      expect(await list({ limit: 1 })).toEqual(["a"]);
    });

    it("creates a document once", async () => {
      const create = (user: string) =>
        one({ type: "create-document", collection: "threads", id: "a", user, at: 1, body: "{}" });

      expect(await create("ada")).toBe("applied");
      expect(await create("bob")).toBe("duplicate");
      expect(await store.readDocument("threads", "a")).toMatchObject({ user: "ada" });
    });

    it("deletes everything of a user, in batches", async () => {
      for (const id of ["a", "b", "c"]) await create(id, { user: "ada" });
      await create("d", { user: "bob" });
      await append("a", entry("k8s", 1));
      await openWait("a", "w");
      await one({
        ...{ type: "put-document", collection: "threads", id: "t", user: "ada", at: 1, body: "1" },
      });

      expect(await store.delete({ user: "ada", limit: 2 })).toBe(3);
      expect(await store.delete({ user: "ada", limit: 2 })).toBe(1);
      expect(await store.delete({ user: "ada", limit: 2 })).toBe(0);
      expect(await store.readEntries("a")).toEqual([]);
      expect(await store.listWaits({ limit: 10 })).toEqual([]);
      expect(await store.readDocument("threads", "t")).toBeUndefined();
      expect((await store.listRuns({ limit: 10 })).map(({ id }) => id)).toEqual(["d"]);
    });

    it("deletes what is old, but no run that has not ended", async () => {
      await create("a");
      await release("a", "ended");
      await create("b");
      const document = { type: "put-document", collection: "runs", user: undefined } as const;
      await one({ ...document, id: "old", at: 1, body: "1" });
      await one({ ...document, id: "new", at: 9_000, body: "1" });

      expect(await store.delete({ before: 4_000, limit: 10 })).toBe(1);
      expect(await store.delete({ before: 5_000, limit: 10 })).toBe(1);
      expect(await store.readRun("a")).toBeUndefined();
      expect(await store.readRun("b")).toMatchObject({ status: "running" });
      expect(await store.readDocument("runs", "new")).toBeDefined();
      expect(await store.delete({ collection: "runs", documentId: "new", limit: 1 })).toBe(1);
      expect(await store.delete({ runId: "b", limit: 1 })).toBe(1);
      expect(await store.listRuns({ limit: 10 })).toEqual([]);
    });

    it.skipIf(options.share === undefined)("is the same for all that share its data", async () => {
      const { share = options.create } = options;
      const other = await open(share);
      await create("a");
      await append("a", entry("k8s", 1));

      expect(await other.readEntries("a")).toEqual([entry("k8s", 1)]);
      const claims = await Promise.all([
        store.claim({ owner: "two", now: 5_000, leaseUntil: 9_000, limit: 10 }),
        other.claim({ owner: "three", now: 5_000, leaseUntil: 9_000, limit: 10 }),
      ]);
      expect(claims.flat()).toMatchObject([{ id: "a", epoch: 2 }]);
      expect(await append("a", entry("late", 1))).toBe("refused");
    });

    it.skipIf(options.share === undefined)("keeps everything when it is closed", async () => {
      const { share = options.create } = options;
      await create("a");
      await append("a", entry("k8s", 1));
      await openWait("a", "w");
      await release("a", "waiting");
      for (const each of opened.splice(0)) await each.close();

      store = await open(share);
      expect(await store.readEntries("a")).toEqual([entry("k8s", 1)]);
      expect(await answer("a", "w")).toBe("applied");
      expect(await claim("two", 5_000)).toMatchObject([{ id: "a", epoch: 2 }]);
    });
  });
}
