import type {
  LibrarianDefinition,
  MeshEvent,
  MeshLibrarian,
  Response,
  Router,
} from "@constellation/core";
import { createRouter } from "@constellation/core";
import { afterEach, describe, expect, it } from "vitest";
import { createJournal } from "./create-journal.js";
import { itReplays } from "./it-replays.js";
import type { Journal } from "./journal.js";
import { createMemoryStore } from "./memory-store.js";
import { replayRun, type SavedRun } from "./replay.js";

type Librarians = Readonly<Record<string, MeshLibrarian>>;

const opened: Router[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

function meshOf(librarians: Librarians): { router: Router; journal: Journal } {
  const journal = createJournal({ store: createMemoryStore() });
  const router = createRouter({ journal, entry: Object.keys(librarians)[0], name: "mesh" });
  for (const [id, librarian] of Object.entries(librarians)) {
    router.register({ id, description: "is tested", librarian } satisfies LibrarianDefinition);
  }
  opened.push(router);
  return { router, journal };
}

/** The same mesh; none of its librarians may be called. */
function offline(ids: readonly string[]): Router {
  const router = createRouter({ entry: ids[0], name: "mesh" });
  for (const id of ids) {
    const librarian = () => Promise.reject(new Error(`${id} was called`));
    router.register({ id, description: "is not called", librarian });
  }
  opened.push(router);
  return router;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const incident: Librarians = {
  triage: async () => ({
    delegate: [{ to: "slow" }, { to: "asker", context: { reason: "knows more" } }, { to: "none" }],
  }),
  slow: async () => {
    await pause(15);
    return { answer: "slow but sure", confidence: 0.9, sources: [{ name: "a.md" }] };
  },
  asker: async (query, { ask }) => {
    const both = await Promise.all([
      ask(query, { to: "docs", context: { depth: "full" } }),
      ask("what else?", { to: "broken" }),
    ]);
    return { answer: both.map(({ answer, error }) => answer ?? error?.code).join(", ") };
  },
  docs: async () => {
    await pause(5);
    return { delegate: [{ to: "first" }, { to: "never" }], merge: "race" };
  },
  first: async () => ({ answer: "first" }),
  never: (_query, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    }),
  broken: () => Promise.reject(new Error("oh")),
};

/** What a replay repeats: not times, and not what librarians report while they work. */
function comparable(events: readonly MeshEvent[]): readonly unknown[] {
  const left = new Set(["hop:abandoned", "hop:late", "hop:progress", "run:settled"]);
  return events
    .filter(({ type }) => !left.has(type) && !type.startsWith("model:"))
    .map((event) => {
      const { at, durationMs, timeoutMs, cause, spent, unsettled, ...same } =
        event as unknown as Record<string, unknown>;
      return JSON.parse(JSON.stringify(same)) as unknown;
    });
}

async function eventsOf(events: AsyncIterable<MeshEvent>): Promise<readonly unknown[]> {
  const all: MeshEvent[] = [];
  for await (const event of events) all.push(event);
  return comparable(all);
}

describe("replayRun", () => {
  it("gives the same response and events, and calls nothing", async () => {
    const { router, journal } = meshOf(incident);
    const run = router.start("why?", { user: { id: "ada" } });
    const response = await run.response;
    const saved = JSON.parse(JSON.stringify(await journal.save(run.id))) as SavedRun;

    const replayed = replayRun(offline(Object.keys(incident)), saved);
    expect(await replayed.response).toEqual(response);
    expect(await eventsOf(replayed.events)).toEqual(await eventsOf(run.events));
    expect(replayed.id).toBe(run.id);
  });

  it("stops a hop that had no time to begin, and so has no record", async () => {
    const librarians: Librarians = {
      triage: async () => ({ delegate: { to: "slow" } }),
      slow: (_query, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    };
    const { router, journal } = meshOf(librarians);
    const run = router.start("why?", { timeoutMs: 20 });
    const response = await run.response;
    const saved = await journal.save(run.id);
    const entries = saved.entries.filter(({ key }) => !key.startsWith("triage/slow"));

    expect(response.error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
    expect(entries.length).toBeLessThan(saved.entries.length);
    const replayed = replayRun(offline(Object.keys(librarians)), { ...saved, entries });
    expect(await replayed.response).toEqual(response);
  });

  it("differs where the mesh does", async () => {
    const { router, journal } = meshOf(incident);
    const run = router.start("why?");
    await run.response;
    const saved = await journal.save(run.id);
    const entries = saved.entries.filter(({ key }) => !key.startsWith("triage/slow"));

    const replayed = await replayRun(offline(Object.keys(incident)), { ...saved, entries })
      .response;
    expect(replayed.metadata?.missing).toMatchObject([
      { to: "slow", code: "SERVICE_UNAVAILABLE", reason: "journal-failed" },
      { to: "none" },
    ]);
    expect(() =>
      replayRun(offline(["a"]), { ...saved, version: 2 } as unknown as SavedRun),
    ).toThrow(TypeError);
    await expect(journal.save("none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("journal.fork", () => {
  it("asks again from a hop on, and only there", async () => {
    const calls: string[] = [];
    let version = 1;
    const versioned: Librarians = {
      ...incident,
      first: async () => ({ answer: `first ${version}` }),
    };
    const counted: Librarians = Object.fromEntries(
      Object.entries(versioned).map(([id, librarian]): [string, MeshLibrarian] => [
        id,
        (query, context) => {
          calls.push(id);
          return librarian(query, context);
        },
      ]),
    );
    const { router, journal } = meshOf(counted);
    const run = router.start("why?");
    const before = await run.response;
    expect(before.answer).toContain("first 1");

    calls.length = 0;
    version = 2;
    const forked = await journal.fork(run.id, "first");
    const after = await forked.response;
    expect(after.answer).toBe(before.answer?.replace("first 1", "first 2"));
    expect(calls.filter((id) => id !== "never").sort()).toEqual(["asker", "first"]);
    expect(forked.id).not.toBe(run.id);
    expect(await journal.save(forked.id)).toMatchObject({ id: forked.id });
    await expect(journal.fork(run.id, "other")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

const { router: recorder, journal: recording } = meshOf(incident);
const recorded = recorder.start("why?");
await recorded.response;
itReplays(await recording.save(recorded.id), () => offline(Object.keys(incident)));

describe("a fork with another question", () => {
  it("asks it at one hop and below it, and nothing else again, and is replayed", async () => {
    const asked: string[] = [];
    const note = (id: string, answer: (query: string) => Response) => async (query: string) => {
      asked.push(`${id}: ${query}`);
      return answer(query);
    };
    const { router, journal } = meshOf({
      desk: note("desk", () => ({ delegate: [{ to: "shop" }, { to: "stock" }] })),
      shop: note("shop", () => ({ delegate: { to: "till" } })),
      till: note("till", (query) => ({ answer: `${query} 2 euros`, confidence: 1 })),
      stock: note("stock", (query) => ({ answer: `${query} 12`, confidence: 1 })),
    });
    const first = router.start("bread?");
    await first.response;
    asked.length = 0;

    const fork = await journal.fork(first.id, "shop", { query: "rolls?" });
    const { answer } = await fork.response;

    expect(asked).toEqual(["shop: rolls?", "till: rolls?"]);
    expect(answer).toContain("rolls? 2 euros");
    expect(answer).toContain("bread? 12");
    const again = replayRun(
      offline(["desk", "shop", "till", "stock"]),
      await journal.save(fork.id),
    );
    expect((await again.response).answer).toBe(answer);
    expect(again.explain().hops.map(({ to, query }) => `${to}: ${query}`)).toContain(
      "till: rolls?",
    );
  });

  it("asks the whole run at its first hop, and the second hop of a librarian where named", async () => {
    const asked: string[] = [];
    const { router, journal } = meshOf({
      desk: async (query, { ask }) => {
        asked.push(`desk: ${query}`);
        await ask("one", { to: "shop" });
        return ask("two", { to: "shop" });
      },
      shop: async (query) => {
        asked.push(`shop: ${query}`);
        return { answer: query, confidence: 1 };
      },
    });
    const first = router.start("bread?");
    await first.response;
    asked.length = 0;

    const second = await journal.fork(first.id, "shop~2", { query: "three" });
    expect((await second.response).answer).toBe("three");
    expect(asked.splice(0)).toEqual(["desk: bread?", "shop: three"]);
    const whole = await journal.fork(first.id, "desk", { query: "rolls?" });
    await whole.response;
    expect(asked).toEqual(["desk: rolls?", "shop: one", "shop: two"]);
    await expect(journal.fork(first.id, "shop~3")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

it("a replay of a run that had waited has the decision in its record", async () => {
  const { router, journal } = meshOf({
    desk: async (query, { approve }) => {
      const { outcome } = await approve({ what: `Restart ${query}` });
      return { answer: outcome, confidence: 1 };
    },
  });
  const run = router.start("checkout");
  await run.response;
  const [{ id } = { id: "" }] = await journal.waiting();
  const resumed = await router.resume(run.id, { id, approve: true, user: { id: "eve" } });
  await resumed.response;
  const before = "explain" in resumed ? resumed.explain() : undefined;

  const again = replayRun(offline(["desk"]), await journal.save(run.id));
  expect((await again.response).answer).toBe("approved");
  expect(again.explain().hops[0]?.decisions).toEqual(before?.hops[0]?.decisions);
  expect(again.explain().hops[0]?.decisions).toMatchObject([
    { kind: "approval", what: "Restart checkout", outcome: "approved", by: "eve" },
  ]);
});
