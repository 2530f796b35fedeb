import { createRouter, type MeshLibrarian, type Thread } from "@constellation/core";
import { afterEach, describe, expect, it } from "vitest";
import { createJournal, type JournalOptions, type JournalStore, replayRun } from "../src/index.js";

/** How the suite gets a store. */
interface ThreadSuiteOptions {
  /** Creates an empty store, not yet open. */
  create(): JournalStore;
  /** Removes what `create` made, once its stores are closed. */
  remove?(): void;
}

interface Asked {
  readonly query: string;
  readonly thread: Thread | undefined;
}

const ann = { id: "ann", teams: ["shop"] };
const bob = { id: "bob" };

/** Runs what threads promise as tests. @param name - Completes "a thread in". */
export function testThreads(name: string, { create, remove }: ThreadSuiteOptions): void {
  describe(`a thread in ${name}`, () => {
    const closing: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
      remove?.();
    });

    function createMesh(options: Partial<JournalOptions> = {}) {
      const journal = createJournal({ store: create(), ...options });
      const router = createRouter({ journal, entry: "desk" });
      const asked: Asked[] = [];
      const answer: MeshLibrarian = async (query, { thread }) => {
        asked.push({ query, thread });
        return { answer: `Answer to ${query}`, confidence: 1 };
      };
      router.register({
        ...{ id: "desk", description: "forwards" },
        librarian: async () => ({ delegate: { to: "docs" } }),
      });
      router.register({ id: "docs", description: "answers", librarian: answer });
      closing.push(() => router.close());
      return { journal, router, asked };
    }

    it("gives each librarian what was asked and answered before in it, and nothing of other threads", async () => {
      const { router, asked } = createMesh();
      await router.ask("One?", { thread: "t", user: ann });
      await router.ask("Elsewhere?", { thread: "other", user: ann });
      await router.ask("Two?", { thread: "t", user: ann });
      await router.ask("In none?", { user: ann });

      expect(asked.slice(0, 3).map(({ thread }) => thread?.turns)).toMatchObject([
        [],
        [],
        [{ query: "One?", answer: "Answer to One?", librarians: ["docs"] }],
      ]);
      expect(asked[3]?.thread).toBeUndefined();
    });

    it("belongs to the user who began it: for another one it does not exist", async () => {
      const { router, journal, asked } = createMesh();
      await router.ask("One?", { thread: "t", user: ann });

      const refused = await router.ask("Mine too?", { thread: "t", user: bob });
      const unknown = await router.ask("Mine too?", { thread: "t" });

      expect(refused.error?.code).toBe("NOT_FOUND");
      expect(unknown.error?.code).toBe("NOT_FOUND");
      expect(asked).toHaveLength(1);
      expect(await journal.threads.list(bob)).toEqual([]);
      for (const attempt of [
        () => journal.threads.read("t", bob),
        () => journal.threads.rename("t", "Bob's", bob),
        () => journal.threads.delete("t", bob),
        () => journal.threads.read("t", undefined),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
      expect((await journal.threads.read("t", ann)).turns).toHaveLength(1);
    });

    it("has one owner when two users begin it at once", async () => {
      const { router, journal } = createMesh();

      const responses = await Promise.all(
        [ann, bob].map((user) => router.ask("One?", { thread: "t", user })),
      );

      expect(responses.map(({ error }) => error?.code).sort()).toEqual(["NOT_FOUND", undefined]);
      expect((await journal.threads.read("t", "operator")).turns).toHaveLength(1);
    });

    it("is listed, renamed, read and deleted, with its runs", async () => {
      const { router, journal } = createMesh();
      await router.ask("What is\n wrong in shop?", { thread: "t", user: ann });
      await router.ask("And payments?", { thread: "t", user: ann });
      await router.ask("Another?", { thread: "u", user: ann });

      expect(await journal.threads.rename("t", " Shop  outage ", ann)).toMatchObject({
        title: "Shop outage",
      });
      const listed = await journal.threads.list(ann);
      expect(listed.map(({ id, title }) => [id, title]).sort()).toEqual([
        ["t", "Shop outage"],
        ["u", "Another?"],
      ]);
      const { turns } = await journal.threads.read("t", ann);
      expect(turns.map(({ query, answer }) => [query, answer])).toEqual([
        ["What is\n wrong in shop?", "Answer to What is\n wrong in shop?"],
        ["And payments?", "Answer to And payments?"],
      ]);
      await journal.threads.delete("t", ann);
      await expect(journal.threads.read("t", ann)).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await journal.runs()).toHaveLength(1);
      expect(await journal.store.listDocuments({ collection: "threads/t", limit: 9 })).toEqual([]);
    });

    it("asks every librarian the whole question, and keeps what the user wrote", async () => {
      const completeFollowUp = (
        query: string,
        turns: readonly { readonly question: string }[],
      ) => ({
        whole: query.startsWith("and ") ? `${turns.at(-1)?.question} ${query}` : query,
      });
      const { router, journal, asked } = createMesh({ threads: { completeFollowUp } });
      await router.ask("One?", { thread: "t" });
      await router.ask("and two?", { thread: "t" });
      const run = router.start("and three?", { thread: "t" });
      await run.response;

      expect(asked.map(({ query }) => query)).toEqual([
        "One?",
        "One? and two?",
        "One? and two? and three?",
      ]);
      expect(run.explain()).toMatchObject({
        query: "and three?",
        hops: [{ query: "One? and two? and three?" }, { query: "One? and two? and three?" }],
      });
      expect((await journal.threads.read("t", undefined)).turns[1]).toMatchObject({
        query: "and two?",
        asked: "One? and two?",
      });
    });

    it("gives what fits into its budget of turns and characters, the newest first", async () => {
      const { router, asked } = createMesh({ threads: { maxTurns: 3, maxCharacters: 37 } });
      for (const query of ["1111?", "2222?", "3333?", "4444?", "5555?"]) {
        await router.ask(query, { thread: "t" });
      }

      const { turns = [] } = asked.at(-1)?.thread ?? {};
      expect(turns.map(({ query, answer }) => [query, answer])).toEqual([
        ["3333?", "Answer to 33"],
        ["4444?", "Answer to 4444?"],
      ]);
    });

    it("keeps no secrets", async () => {
      const { router, journal } = createMesh();
      await router.ask("Why does password=hunter2secret fail?", { thread: "t" });

      expect(JSON.stringify(await journal.threads.read("t", undefined))).not.toContain("hunter2");
    });

    it("is not shared by a cache with another thread once something was said in it", async () => {
      const { router, asked } = createMesh();
      const kept = new Map<string, never>();
      const store = {
        get: async (key: string) => kept.get(key),
        set: async (key: string, value: never) => void kept.set(key, value),
      };
      router.register({
        ...{ id: "cached", description: "answers", cache: { ttlMs: 60_000, store } },
        librarian: async (query, { thread }) => {
          asked.push({ query, thread });
          return { answer: String(thread?.turns.length), confidence: 1 };
        },
      });
      const ask = async (thread: string) =>
        (await router.ask("Same?", { to: "cached", thread })).answer;

      expect([
        await ask("a"),
        await ask("b"),
        await ask("a"),
        await ask("b"),
        await ask("a"),
      ]).toEqual(["0", "0", "1", "1", "2"]);
    });

    it("is the same for a run that continues, and is replayed and forked without another turn", async () => {
      const store = create();
      const completeFollowUp = (query: string) => ({ whole: query.replace(/^it/, "checkout") });
      const journal = createJournal({ store, threads: { completeFollowUp } });
      const router = createRouter({ journal });
      const asked: Asked[] = [];
      router.register({
        ...{ id: "ops", description: "asks before it acts" },
        librarian: async (query, { thread, approve }) => {
          asked.push({ query, thread });
          if (query.startsWith("checkout")) await approve({ what: "Restart checkout" });
          return { answer: `Done: ${query}`, confidence: 1 };
        },
      });
      closing.push(() => router.close());
      await router.ask("Who?", { thread: "t" });
      const { metadata } = await router.ask("it restarts?", { thread: "t" });
      const [wait] = metadata?.waiting ?? [];
      await router.ask("Between?", { thread: "t" });
      const resumed = await router.resume(wait?.runId ?? "", { id: wait?.id ?? "", approve: true });

      expect((await resumed.response).answer).toBe("Done: checkout restarts?");
      expect(asked.at(-1)).toMatchObject({
        query: "checkout restarts?",
        thread: { turns: [{ query: "Who?" }] },
      });
      const { turns } = await journal.threads.read("t", undefined);
      expect(turns.map(({ query, answer }) => [query, answer])).toEqual([
        ["Who?", "Done: Who?"],
        ["it restarts?", "Done: checkout restarts?"],
        ["Between?", "Done: Between?"],
      ]);
      const fork = await journal.fork(turns[2]?.runId ?? "", "ops", { query: "Forked?" });
      expect((await fork.response).answer).toBe("Done: Forked?");
      expect((await journal.threads.read("t", undefined)).turns).toHaveLength(3);
      const replayed = replayRun(createReplayRouter(), await journal.save(turns[1]?.runId ?? ""));
      expect((await replayed.response).answer).toBe("Done: checkout restarts?");
    });
  });
}

function createReplayRouter() {
  const router = createRouter();
  router.register({ id: "ops", description: "ops", librarian: async () => ({ answer: "never" }) });
  return router;
}
