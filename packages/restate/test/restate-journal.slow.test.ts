import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import {
  createRouter,
  type LibrarianDefinition,
  type MeshLibrarian,
  type Router,
  type ThreadTurn,
} from "@constellation/core";
import { createMemoryStore } from "@constellation/journal";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createRestateJournal,
  type RestateJournal,
  type RestateJournalOptions,
} from "../src/index.js";
import { installRestate, type RestateServer, startRestate } from "../src/testing.js";
import { serverHome } from "./server-home.js";

const program = installRestate(serverHome);
const closing: (() => Promise<unknown>)[] = [];

/** A process of the mesh: a router with its journal, and what Restate calls. */
async function openProcess(
  server: RestateServer,
  librarians: Readonly<Record<string, MeshLibrarian | Partial<LibrarianDefinition>>>,
  prefix: string,
  threads?: RestateJournalOptions["threads"],
): Promise<{ readonly router: Router; readonly journal: RestateJournal }> {
  const journal = createRestateJournal({ ingress: server.ingress, prefix, threads });
  const router = createRouter({ name: "mesh", journal, entry: Object.keys(librarians)[0] });
  for (const [id, given] of Object.entries(librarians)) {
    const definition = typeof given === "function" ? { librarian: given } : given;
    router.register({
      ...{ id, description: "is tested", librarian: async () => ({ answer: id }) },
      ...definition,
    });
  }
  const endpoint = createServer(
    createEndpointHandler({ services: [...journal.services], logger: () => undefined }),
  );
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => router.close({ timeoutMs: 100 }),
    async () => endpoint.close(),
  );
  await server.register((endpoint.address() as AddressInfo).port);
  return { router, journal };
}

describe.skipIf(program === undefined)("runs on Restate", { timeout: 30_000 }, () => {
  let server: RestateServer;
  beforeAll(async () => {
    server = await startRestate(program ?? "");
  }, 60_000);
  afterAll(() => server.stop());
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it("answer as without it: delegation, questions and fan-out, each hop asked once, in one record", async () => {
    const calls: string[] = [];
    const note =
      (id: string, librarian: MeshLibrarian): MeshLibrarian =>
      (query, context) => {
        calls.push(id);
        return librarian(query, context);
      };
    const { router } = await openProcess(
      server,
      {
        triage: note("triage", async () => ({ delegate: [{ to: "k8s" }, { to: "docs" }] })),
        k8s: note("k8s", async (query, { ask }) => {
          const { answer } = await ask(`why ${query}`, { to: "metrics" });
          return { answer: `k8s: ${answer}`, confidence: 1 };
        }),
        docs: note("docs", async () => ({ answer: "read this", confidence: 0.9 })),
        metrics: note("metrics", async (query) => ({ answer: `${query} 42`, confidence: 1 })),
      },
      "answers",
    );

    const response = await router.ask("broken");

    expect(response.answer).toContain("k8s: why broken 42");
    expect(response.answer).toContain("read this");
    expect(calls.sort()).toEqual(["docs", "k8s", "metrics", "triage"]);
  });

  it("wait for a person through two librarians, and survive that the server is killed", async () => {
    const calls: string[] = [];
    const { router, journal } = await openProcess(
      server,
      {
        desk: async (query, { ask }) => {
          calls.push("desk");
          const facts = await ask(query, { to: "facts" });
          const done = await ask(`${facts.answer}`, { to: "fixer" });
          return { answer: `${done.answer}.`, confidence: 1 };
        },
        facts: async () => {
          calls.push("facts");
          return { answer: "checkout hangs", confidence: 1 };
        },
        fixer: async (_query, { approve, step }) => {
          calls.push("fixer");
          const { approved, by } = await approve({
            what: "Restart checkout",
            excludeRequester: true,
          });
          if (!approved) return { answer: "refused" };
          return { answer: await step("restart", () => `restarted, says ${by}`), confidence: 1 };
        },
      },
      "waits",
    );
    const ada = { id: "ada" };
    const run = router.start("fix it", { user: ada });
    const { metadata } = await run.response;
    expect(metadata?.waiting).toMatchObject([
      { what: "Restart checkout", runId: run.id, requestedBy: "ada", librarian: "fixer" },
    ]);
    expect(await journal.waiting({ user: ada })).toEqual([]);
    await server.restart();

    const [wait] = await journal.waiting({ user: { id: "eve" } });
    const { id = "" } = wait ?? {};
    await expect(router.resume(run.id, { id, approve: true, user: ada })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    const resumed = await router.resume(run.id, { id, approve: true, user: { id: "eve" } });
    expect((await resumed.response).answer).toBe("restarted, says eve.");
    await expect(
      router.resume(run.id, { id, approve: false, user: { id: "eve" } }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(calls.filter((each) => each === "facts")).toHaveLength(1);
    expect(await journal.waiting()).toEqual([]);
    expect(await journal.response(run.id)).toMatchObject({ answer: "restarted, says eve." });
  });

  it("are asked in threads of a store beside the server, whole, in the process of each librarian", async () => {
    const ann = { id: "ann" };
    const asked: unknown[] = [];
    const note = (id: string, query: string, turns: readonly ThreadTurn[] = []) =>
      asked.push([id, query, turns.map((turn) => `${turn.query} ${turn.answer}`)]);
    const { router, journal } = await openProcess(
      server,
      {
        desk: async (query, { ask, thread }) => {
          note("desk", query, thread?.turns);
          return ask("what is known?", { to: "facts" });
        },
        facts: async (query, { approve, thread }) => {
          note("facts", query, thread?.turns);
          if (thread?.turns.length === 1) await approve({ what: "Look deeper" });
          return { answer: `fact ${thread?.turns.length}`, confidence: 1 };
        },
      },
      "threads",
      {
        store: createMemoryStore(),
        completeFollowUp: (query, turns) => ({ whole: `${turns[0]?.question} ${query}` }),
      },
    );
    await router.ask("One?", { thread: "t", user: ann });
    const waiting = await router.ask("and two?", { thread: "t", user: ann });
    const [wait] = waiting.metadata?.waiting ?? [];
    const resumed = await router.resume(wait?.runId ?? "", { id: wait?.id ?? "", approve: true });
    expect((await resumed.response).answer).toBe("fact 1");
    const refused = await router.ask("Mine?", { thread: "t", user: { id: "bob" } });

    expect(refused.error?.code).toBe("NOT_FOUND");
    expect(asked.slice(0, 4)).toEqual([
      ["desk", "One?", []],
      ["facts", "what is known?", []],
      ["desk", "One? and two?", ["One? fact 0"]],
      ["facts", "what is known?", ["One? fact 0"]],
    ]);
    expect(await journal.threads?.list(ann)).toMatchObject([{ id: "t", title: "One?" }]);
    const { turns } = (await journal.threads?.read("t", ann)) ?? {};
    expect(turns).toMatchObject([
      { query: "One?", answer: "fact 0", librarians: ["facts", "desk"] },
      { query: "and two?", asked: "One? and two?", answer: "fact 1" },
    ]);
  });

  it("end waits that expire, by a timer of the server", async () => {
    const { router, journal } = await openProcess(
      server,
      {
        fixer: async (_query, { approve }) => {
          const { outcome } = await approve({ what: "Restart", expiresIn: 300 });
          return { answer: outcome, confidence: 1 };
        },
      },
      "expires",
    );
    const run = router.start("fix it");
    expect((await run.response).metadata?.waiting).toHaveLength(1);

    await expect
      .poll(async () => (await journal.response(run.id)).answer, { timeout: 20_000 })
      .toBe("expired");
  });

  it("are cancelled down to the librarian", async () => {
    let stopped = (): void => undefined;
    const hasStopped = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { router, journal } = await openProcess(
      server,
      {
        desk: async (query, { ask }) => ask(query, { to: "slow" }),
        slow: (_query, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              stopped();
              reject(signal.reason as Error);
            });
            begun();
          }),
      },
      "cancels",
    );
    const run = router.start("wait");
    await hasBegun;
    expect(await journal.cancel(run.id)).toBe(true);
    await hasStopped;

    expect((await run.response).error).toMatchObject({ code: "TIMEOUT" });
  });

  it("ask a write once, and do not repeat one whose process has ended", async () => {
    let calls = 0;
    let hasBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const { router, journal } = await openProcess(
      server,
      {
        desk: async (query, { ask }) => {
          const { answer, error } = await ask(query, { to: "pager" });
          return { answer: `${answer ?? error?.code}`, confidence: 1 };
        },
        pager: {
          effects: "write",
          librarian: async () => {
            calls++;
            hasBegun();
            return { answer: "paged", confidence: 1 };
          },
        },
      },
      "writes",
    );
    expect((await router.ask("page them")).answer).toBe("paged");
    await begun;
    expect(calls).toBe(1);
    expect(await journal.waiting()).toEqual([]);
  });
});
