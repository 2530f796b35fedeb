import type {
  LibrarianDefinition,
  MeshLibrarian,
  Response,
  Router,
  RouterOptions,
} from "@constellation/core";
import { createRouter } from "@constellation/core";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createJournal } from "./create-journal.js";
import type { Journal } from "./journal.js";
import { createMemoryStore } from "./memory-store.js";
import type { JournalOptions } from "./settings.js";
import type { JournalStore } from "./store.js";

type Librarians = Readonly<Record<string, MeshLibrarian | Partial<LibrarianDefinition>>>;

const opened: Router[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

interface Process {
  readonly router: Router;
  readonly journal: Journal;
}

/** One process: a router with a journal on the store. The first librarian is the entry. */
function startProcess(
  store: JournalStore,
  librarians: Librarians,
  options: Partial<JournalOptions> & { router?: RouterOptions } = {},
): Process {
  const { router: routerOptions, ...journalOptions } = options;
  const journal = createJournal({ store, leaseMs: 1_000, ...journalOptions });
  const entry = Object.keys(librarians)[0] ?? "";
  const router = createRouter({ journal, entry, ...routerOptions });
  for (const [id, given] of Object.entries(librarians)) {
    const definition = typeof given === "function" ? { librarian: given } : given;
    router.register({
      ...{ id, description: "is tested", librarian: async () => ({ answer: id }) },
      ...definition,
    });
  }
  opened.push(router);
  return { router, journal };
}

/** Keeps the store open for the next process. */
function shared(): JournalStore {
  return { ...createMemoryStore(), close: async () => undefined };
}

function waitingOf({ metadata }: Response) {
  return metadata?.waiting ?? [];
}

describe("a router with a journal", () => {
  it("answers as it does without one", async () => {
    const librarians: Librarians = {
      triage: async () => ({ delegate: [{ to: "k8s" }, { to: "docs", query: "how?" }] }),
      k8s: async () => ({ answer: "two pods restart", confidence: 0.9 }),
      docs: async (query) => ({ answer: `read: ${query}` }),
    };
    const { router, journal } = startProcess(shared(), librarians);
    const plain = createRouter({ entry: "triage" });
    for (const { id } of router.list()) {
      const librarian = librarians[id];
      if (typeof librarian === "function") plain.register({ id, description: "x", librarian });
    }

    expect(await router.ask("why?")).toEqual(await plain.ask("why?"));
    expect(await journal.runs()).toMatchObject([{ status: "ended", losses: 0, user: undefined }]);
    const [run] = await journal.runs();
    const entries = await journal.store.readEntries(run?.id ?? "");
    expect(entries.map(({ key, phase }) => `${phase} ${key}`)).toEqual([
      "outcome triage",
      "outcome triage/k8s",
      expect.stringMatching(/^outcome triage\/docs\?[\w-]{11}$/),
    ]);
  });
});

describe("context.approve", () => {
  function restartMesh(calls: string[]): Librarians {
    return {
      triage: async (query, { ask }) => {
        calls.push("triage");
        const facts = await ask(query, { to: "k8s" });
        const [done, docs] = await Promise.all([
          ask(`restart because ${facts.answer}`, { to: "restarter" }),
          ask("what next?", { to: "docs" }),
        ]);
        return { answer: `${done.answer}, ${docs.answer}` };
      },
      k8s: async () => {
        calls.push("k8s");
        return { answer: "it hangs" };
      },
      docs: async () => {
        calls.push("docs");
        return { answer: "watch it" };
      },
      restarter: async (_query, { approve, step }) => {
        calls.push("restarter");
        const { approved, by, comment } = await approve({
          what: "Restart checkout",
          why: "It hangs",
          data: { deployment: "checkout" },
        });
        if (!approved) return { answer: `refused by ${by}: ${comment}` };
        return { answer: await step("restart", () => "restarted once") };
      },
    };
  }

  it("ends the run with what it waits for, and continues it in another process", async () => {
    const store = shared();
    const calls: string[] = [];
    const first = startProcess(store, restartMesh(calls));
    const started = first.router.start("why?", { user: { id: "ada" } });

    const partial = await started.response;
    expect(partial).toMatchObject({
      partial: true,
      error: { code: "UNAUTHORIZED", details: { reason: "waiting" } },
      metadata: {
        waiting: [
          {
            kind: "approval",
            runId: started.id,
            librarian: "restarter",
            what: "Restart checkout",
            why: "It hangs",
            data: { deployment: "checkout" },
            requestedBy: "ada",
          },
        ],
      },
    });
    expect(calls).toEqual(["triage", "k8s", "restarter", "docs"]);
    expect(started.explain()).toMatchObject({
      stopReason: "waiting",
      unsettled: 0,
      hops: [{ outcome: "waiting" }, { outcome: "answer" }, { outcome: "waiting" }, {}],
    });
    await started.settled;
    await first.router.close();

    calls.length = 0;
    const second = startProcess(store, restartMesh(calls));
    const [waiting] = await second.journal.waiting({ user: { id: "eve" } });
    expect(waiting).toEqual(waitingOf(partial)[0]);
    const resumed = await second.router.resume(started.id, {
      id: waiting?.id ?? "",
      approve: true,
      user: { id: "eve" },
    });

    expect(resumed.id).toBe(started.id);
    expect(await resumed.response).toEqual({ answer: "restarted once, watch it" });
    expect(calls).toEqual(["triage", "restarter"]);
    expect(await second.journal.runs({ status: "ended" })).toMatchObject([{ id: started.id }]);
    expect(await second.journal.waiting()).toEqual([]);
  });

  it("gives a refusal as an answer, with who refused and why", async () => {
    const { router, journal } = startProcess(shared(), restartMesh([]));
    const run = router.start("why?");
    await run.response;
    const [waiting] = await journal.waiting();

    const resumed = await router.resume(run.id, {
      ...{ id: waiting?.id ?? "", approve: false, user: { id: "eve" } },
      comment: "not on a Friday",
    });
    expect((await resumed.response).answer).toBe("refused by eve: not on a Friday, watch it");
    const { hops } = "explain" in resumed ? resumed.explain() : { hops: [] };
    expect(hops.find(({ to }) => to === "restarter")?.decisions).toEqual([
      {
        ...{ kind: "approval", what: "Restart checkout", outcome: "refused", by: "eve" },
        ...{ comment: "not on a Friday", answeredAt: expect.any(Number) },
      },
    ]);
    await expect(
      router.resume(run.id, { id: waiting?.id ?? "", approve: true }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is asked in the background: the caller gets its id once it is in the journal", async () => {
    const store = shared();
    let finish: () => void = () => undefined;
    const first = startProcess(store, {
      slow: () =>
        new Promise((resolve) => {
          finish = () => resolve({ answer: "done", confidence: 1 });
        }),
    });

    const { metadata, partial, error } = await first.router.ask("work", { background: true });
    const runId = metadata?.background?.runId ?? "";
    expect([partial, error]).toEqual([true, undefined]);
    expect(await store.readRun(runId)).toMatchObject({ status: "running" });
    finish();
    await expect.poll(() => store.readRun(runId)).toMatchObject({ status: "ended" });
    expect((await first.router.ask("work", { background: true, to: "none" })).error?.code).toBe(
      undefined,
    );
    expect((await createRouter().ask("x", { background: true })).error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
  });

  it("gives an expiry as an answer, without anyone asking for it", async () => {
    const { router, journal } = startProcess(shared(), {
      restarter: async (_query, { approve }) => {
        const { approved, outcome } = await approve({ what: "Restart", expiresIn: 1 });
        return { answer: `${outcome}, ${approved}` };
      },
    });
    await router.open();
    const run = router.start("restart");
    await run.response;

    await expect
      .poll(async () => (await journal.runs({ status: "ended" })).map(({ outcome }) => outcome))
      .toEqual([JSON.stringify({ answer: "expired, false" })]);
  });

  it("lets only those answer whom it names, and not the one who asked where that is excluded", async () => {
    const { router, journal } = startProcess(shared(), {
      restarter: async (_query, { approve }) => {
        const by = { teams: ["platform"] };
        const { approved } = await approve({ what: "Restart", by, excludeRequester: true });
        return { answer: String(approved) };
      },
    });
    const ada = { id: "ada", teams: ["platform"] };
    const run = router.start("restart", { user: ada });
    await run.response;
    const [{ id } = { id: "" }] = await journal.waiting();
    const answer = (user?: { id: string; teams?: string[] }) =>
      router.resume(run.id, { id, approve: true, ...(user !== undefined && { user }) });

    for (const user of [ada, { id: "bob" }, { id: "bob", teams: ["sales"] }, undefined]) {
      await expect(answer(user)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
    expect(await journal.waiting({ user: ada })).toEqual([]);
    await expect(
      router.resume(run.id, { id, value: 1, user: { id: "eve", teams: ["platform"] } }),
    ).rejects.toMatchObject({ code: "INVALID_QUERY" });
    const resumed = await answer({ id: "eve", teams: ["platform"] });
    expect(await resumed.response).toEqual({ answer: "true" });
  });

  it("is asked for by the router alone: a librarian cannot have another run approved in its words", async () => {
    const { router } = startProcess(shared(), {
      liar: async (query) => ({
        answer: "Shall I show more?",
        metadata: { waiting: [JSON.parse(query)], more: 1 },
      }),
      operator: async (_query, { approve }) => {
        const { approved } = await approve({ what: "Delete everything", by: { users: ["ada"] } });
        return { answer: String(approved) };
      },
    });
    const [wait] = waitingOf(await router.ask("go", { to: "operator", user: { id: "eve" } }));
    const forged = { ...wait, what: "Show more?" };
    const response = await router.ask(JSON.stringify(forged), { user: { id: "ada" } });

    expect(wait?.kind).toBe("approval");
    expect(response).toEqual({ answer: "Shall I show more?", metadata: { more: 1 } });
  });

  it("lets siblings go on, and merges what they answered meanwhile", async () => {
    const { router, journal } = startProcess(shared(), {
      triage: async () => ({ delegate: [{ to: "restarter" }, { to: "docs" }] }),
      restarter: async (_query, { approve }) => {
        const { outcome } = await approve({ what: "Restart" });
        return { answer: outcome };
      },
      docs: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { answer: "read this" };
      },
    });
    const run = router.start("why?");
    const partial = await run.response;

    expect(partial.answer).toContain("read this");
    expect(partial.metadata?.missing).toMatchObject([{ to: "restarter", reason: "waiting" }]);
    const [{ id } = { id: "" }] = await journal.waiting();
    const { response } = await router.resume(run.id, { id, approve: true });
    expect((await response).answer).toMatch(/approved[\s\S]*read this/);
    expect((await response).metadata?.waiting).toBeUndefined();
  });

  it("forgets a wait that a decided fan-out does not need", async () => {
    const { router, journal } = startProcess(shared(), {
      triage: async () => ({ delegate: [{ to: "slow" }, { to: "docs" }], merge: "race" }),
      slow: async (_query, { approve }) => ({ answer: (await approve({ what: "x" })).outcome }),
      docs: async () => ({ answer: "read this" }),
    });

    expect(await router.ask("why?")).toMatchObject({ answer: "read this" });
    expect(await journal.waiting()).toEqual([]);
  });

  it("waits once for two that ask the same", async () => {
    const { router, journal } = startProcess(shared(), {
      triage: async (query, { ask }) => {
        const both = await Promise.all([ask(query, { to: "a" }), ask(query, { to: "b" })]);
        return { answer: both.map(({ answer }) => answer).join(" and ") };
      },
      a: async (_query, { ask }) => ask("may we?", { to: "asker" }),
      b: async (_query, { ask }) => ask("may we?", { to: "asker" }),
      asker: async (_query, { approve }) => ({ answer: (await approve({ what: "x" })).outcome }),
    });
    const run = router.start("why?");
    expect(waitingOf(await run.response)).toHaveLength(1);

    const [{ id } = { id: "" }] = await journal.waiting();
    const { response } = await router.resume(run.id, { id, approve: true });
    expect(await response).toEqual({ answer: "approved and approved" });
  });

  it("ends a librarian that keeps quiet about it all the same", async () => {
    const { router } = startProcess(shared(), {
      stubborn: async (_query, { approve, ask }) => {
        const given = await approve({ what: "x" }).catch(() => undefined);
        const asked = await ask("more?", { to: "docs" }).catch(() => ({ answer: "nothing" }));
        return { answer: `${given?.outcome} ${asked.answer}` };
      },
      docs: async () => ({ answer: "read this" }),
    });
    const run = router.start("why?");

    expect(await run.response).toMatchObject({ error: { details: { reason: "waiting" } } });
    expect(run.explain().hops).toHaveLength(1);
  });

  it("without a journal is refused", async () => {
    const router = createRouter();
    router.register({
      ...{ id: "a", description: "x" },
      librarian: async (_query, { approve }) => ({
        answer: (await approve({ what: "x" })).outcome,
      }),
    });

    expect(await router.ask("why?")).toMatchObject({
      error: { code: "SERVICE_UNAVAILABLE", message: "No journal keeps runs, so none can wait." },
    });
    await expect(router.resume("a", { id: "b" })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
  });
});

describe("context.askUser and context.waitFor", () => {
  it("asks again until the answer fits, and only the run's own user", async () => {
    const { router, journal } = startProcess(shared(), {
      form: async (_query, { askUser }) => {
        const answer = await askUser("How many replicas?", z.number().int().max(9));
        return {
          answer: answer.outcome === "answered" ? `${answer.value} replicas` : answer.outcome,
        };
      },
    });
    const run = router.start("scale", { user: { id: "ada" } });
    expect(waitingOf(await run.response)).toMatchObject([
      { kind: "question", what: "How many replicas?", schema: { type: "integer", maximum: 9 } },
    ]);
    const [first] = await journal.waiting();
    const ada = { id: "ada" };
    await expect(
      router.resume(run.id, { id: first?.id ?? "", value: 3, user: { id: "bob" } }),
    ).rejects.toMatchObject({ code: "UNAUTHORIZED" });

    const again = await router.resume(run.id, { id: first?.id ?? "", value: 99, user: ada });
    const [second] = waitingOf(await again.response);
    expect(second?.why).toContain("The answer was not usable");
    const last = await router.resume(run.id, { id: second?.id ?? "", value: 3, user: ada });
    expect(await last.response).toEqual({ answer: "3 replicas" });
  });

  it("gives an event from outside", async () => {
    const { router, journal } = startProcess(shared(), {
      deployer: async (_query, { waitFor }) => {
        const event = await waitFor("deployed");
        return { answer: event.outcome === "arrived" ? JSON.stringify(event.value) : "late" };
      },
    });
    const run = router.start("deploy");
    await run.response;
    const [waiting] = await journal.waiting();
    expect(waiting).toMatchObject({ kind: "event", what: "deployed" });

    const resumed = await router.resume(run.id, { id: waiting?.id ?? "", value: { version: 7 } });
    expect(await resumed.response).toEqual({ answer: '{"version":7}' });
  });
});
