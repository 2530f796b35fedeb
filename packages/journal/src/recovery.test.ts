import type { AIClient, LibrarianDefinition, MeshLibrarian, Router } from "@constellation/core";
import { createRouter } from "@constellation/core";
import { afterEach, describe, expect, it } from "vitest";
import { createJournal } from "./create-journal.js";
import type { Journal } from "./journal.js";
import { createMemoryStore } from "./memory-store.js";
import type { JournalOptions } from "./settings.js";
import type { JournalStore } from "./store.js";

type Librarians = Readonly<Record<string, MeshLibrarian | Partial<LibrarianDefinition>>>;

const opened: Router[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close({ timeoutMs: 20 }); // some hang, as if killed
});

/** A process whose store fails once it is killed: nothing it does afterwards is recorded. */
interface Process {
  readonly router: Router;
  readonly journal: Journal;
  kill(): Promise<void>;
}

function startProcess(
  shared: JournalStore,
  librarians: Librarians,
  { ai, ...options }: Partial<JournalOptions> & { ai?: AIClient } = {},
): Process {
  let isKilled = false;
  const alive =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    (...given: Given): Promise<Result> =>
      isKilled ? Promise.reject(new Error("killed")) : call(...given);
  const store: JournalStore = {
    ...shared,
    write: alive(shared.write),
    claim: alive(shared.claim),
    close: async () => undefined,
  };
  const journal = createJournal({ store, leaseMs: 600_000, ...options });
  const router = createRouter({ journal, entry: Object.keys(librarians)[0], ...(ai && { ai }) });
  for (const [id, given] of Object.entries(librarians)) {
    const definition = typeof given === "function" ? { librarian: given } : given;
    router.register({
      ...{ id, description: "is tested", librarian: async () => ({ answer: id }) },
      ...definition,
    });
  }
  opened.push(router);
  return {
    router,
    journal,
    async kill() {
      await recorded();
      isKilled = true;
      // A supervisor has seen that it ended: its lease is over.
      for (const { owner } of await shared.listRuns({ status: "running", limit: 10 })) {
        await shared.write([{ type: "renew-owner", owner, leaseUntil: 0 }]);
      }
    },
  };
}

/** Resolves when it is called; its promise never resolves: the process is killed there. */
function killPoint() {
  let reached = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return {
    until,
    here: () => {
      reached();
      return new Promise<never>(() => undefined);
    },
  };
}

async function outcomeOf(journal: Journal, id: string): Promise<unknown> {
  const read = async () => (await journal.store.readRun(id))?.status;
  await expect.poll(read).not.toBe("running");
  const run = await journal.store.readRun(id);
  return { status: run?.status, ...(JSON.parse(run?.outcome ?? "{}") as object) };
}

/** Long enough for the writes of a tick. */
const recorded = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("a run whose process was killed", () => {
  it("does not repeat a change that was asked for in words with a secret in them", async () => {
    const shared = createMemoryStore();
    const changes: string[] = [];
    const point = killPoint();
    const mesh = (isFirst: boolean): Librarians => ({
      async plan(query, { ask }) {
        await ask(`Do it now: ${query}`, { to: "change", context: { auth: { token: "hunter2" } } });
        return isFirst ? point.here() : { answer: "done" };
      },
      change: {
        effects: "write",
        librarian: async (query) => {
          changes.push(query);
          return { answer: "changed" };
        },
      },
    });
    const first = startProcess(shared, mesh(true));
    const user = { id: "oidc:ada1@example.com", teams: ["oidc:team1@example.com"] };
    const run = first.router.start("connect with password=hunter2", { user });
    await point.until;
    await first.kill();

    const second = startProcess(shared, mesh(false));
    await second.router.open();
    expect(await outcomeOf(second.journal, run.id)).toMatchObject({ answer: "done" });
    expect(changes).toHaveLength(1);
    const { request } = (await shared.readRun(run.id)) ?? {};
    expect(request).not.toContain("hunter2");
    expect(JSON.parse(request ?? "")).toMatchObject({ user });
  });

  it("is taken up by another one, which asks nothing again that has answered", async () => {
    const shared = createMemoryStore();
    const calls: string[] = [];
    const point = killPoint();
    const mesh = (isFirst: boolean): Librarians => ({
      async triage(query, { ask }) {
        calls.push("triage");
        const one = await ask(query, { to: "k8s", context: { pod: "a" } });
        const other = await ask(query, { to: "k8s", context: { pod: "b" } });
        const last = await ask("next?", { to: "docs" });
        return { answer: [one, other, last].map(({ answer }) => answer).join(", ") };
      },
      async k8s(_query, { metadata }) {
        calls.push(`k8s ${String(metadata.pod)}`);
        return { answer: `pod ${String(metadata.pod)}`, confidence: 0.8 };
      },
      async docs() {
        calls.push("docs");
        await recorded();
        return isFirst ? point.here() : { answer: "restart" };
      },
    });
    const first = startProcess(shared, mesh(true));
    const run = first.router.start("why?", { user: { id: "ada", roles: ["sre"] } });
    await point.until;
    await first.kill();
    expect(calls).toEqual(["triage", "k8s a", "k8s b", "docs"]);

    calls.length = 0;
    const second = startProcess(shared, mesh(false));
    await second.router.open();
    expect(await outcomeOf(second.journal, run.id)).toEqual({
      status: "ended",
      answer: "pod a, pod b, restart",
    });
    expect(calls).toEqual(["triage", "docs"]);
  });

  it("does not call a model again that has replied", async () => {
    const shared = createMemoryStore();
    const prompts: string[] = [];
    const ai: AIClient = {
      async complete({ prompt }) {
        prompts.push(String(prompt));
        const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.01 };
        return { text: `re: ${String(prompt)}`, stopReason: "end", usage, model: "m" };
      },
      analyze: () => Promise.reject(new TypeError("not used")),
      runTools: () => Promise.reject(new TypeError("not used")),
    };
    const point = killPoint();
    const mesh = (isFirst: boolean): Librarians => ({
      async writer(_query, { ai }) {
        const draft = await ai?.complete({ prompt: "draft", onText: () => undefined });
        await recorded();
        if (isFirst) return point.here();
        const final = await ai?.complete({ prompt: "final" });
        return { answer: `${draft?.text}, ${final?.text}` };
      },
    });
    const first = startProcess(shared, mesh(true), { ai });
    const run = first.router.start("write");
    await point.until;
    await first.kill();

    const second = startProcess(shared, mesh(false), { ai });
    await second.router.open();
    expect(await outcomeOf(second.journal, run.id)).toMatchObject({
      answer: "re: draft, re: final",
    });
    expect(prompts).toEqual(["draft", "final"]);
  });

  it("does not repeat a write of unknown outcome: it waits until someone says what happened", async () => {
    const shared = createMemoryStore();
    const writes: string[] = [];
    const point = killPoint();
    const mesh = (isFirst: boolean): Librarians => ({
      triage: async (query, { ask }) => ({
        answer: `done: ${(await ask(query, { to: "pager" })).answer}`,
      }),
      pager: {
        effects: "write",
        librarian: async () => {
          writes.push("paged");
          return isFirst ? point.here() : { answer: "paged again" };
        },
      },
    });
    const first = startProcess(shared, mesh(true));
    const run = first.router.start("page them");
    await point.until;
    await first.kill();

    const second = startProcess(shared, mesh(false));
    await second.router.open();
    expect(await outcomeOf(second.journal, run.id)).toMatchObject({
      status: "waiting",
      metadata: {
        waiting: [{ kind: "outcome-unknown", librarian: "pager", what: "pager: page them" }],
      },
    });
    expect(writes).toEqual(["paged"]);
    const [{ id } = { id: "" }] = await second.journal.waiting();
    await expect(second.router.resume(run.id, { id, approve: true })).rejects.toMatchObject({
      code: "INVALID_QUERY",
    });
    const resumed = await second.router.resume(run.id, { id, value: { answer: "it was sent" } });
    expect(await resumed.response).toEqual({
      answer: "done: it was sent",
      metadata: { written: ["pager"] },
    });
    expect(writes).toEqual(["paged"]);
  });

  it("asks again for the outcome of a write that someone had repeated, when its process ends too", async () => {
    const shared = createMemoryStore();
    const writes: string[] = [];
    const mesh = (here: () => Promise<never>): Librarians => ({
      pager: {
        effects: "write",
        librarian: () => {
          writes.push("paged");
          return here();
        },
      },
    });
    const points = [killPoint(), killPoint()];
    const first = startProcess(
      shared,
      mesh(() => points[0]?.here() ?? Promise.reject()),
    );
    const run = first.router.start("page them");
    await points[0]?.until;
    await first.kill();
    const second = startProcess(
      shared,
      mesh(() => points[1]?.here() ?? Promise.reject()),
    );
    await second.router.open();
    await outcomeOf(second.journal, run.id);
    const [before] = await second.journal.waiting();
    await second.router.resume(run.id, { id: before?.id ?? "", repeat: true });
    await points[1]?.until;
    await second.kill();

    const third = startProcess(
      shared,
      mesh(() => Promise.reject(new Error("repeated"))),
    );
    await third.router.open();
    expect(await outcomeOf(third.journal, run.id)).toMatchObject({
      status: "waiting",
      metadata: { waiting: [{ kind: "outcome-unknown", librarian: "pager" }] },
    });
    expect(writes).toEqual(["paged", "paged"]);
    const [after] = await third.journal.waiting();
    expect(after?.id).not.toBe(before?.id);
  });

  it("calls a librarian that writes, and has waited, again with the answer", async () => {
    const shared = createMemoryStore();
    const mesh: Librarians = {
      pager: {
        effects: "write",
        librarian: async (_query, { approve, step }) => {
          const { approved } = await approve({ what: "Page them" });
          return { answer: await step("page", () => (approved ? "paged" : "not paged")) };
        },
      },
    };
    const first = startProcess(shared, mesh);
    const run = first.router.start("page them");
    await run.response;
    const [{ id } = { id: "" }] = await first.journal.waiting();
    await first.kill();

    const second = startProcess(shared, mesh);
    const resumed = await second.router.resume(run.id, { id, approve: true });
    expect((await resumed.response).answer).toBe("paged");
  });

  it("repeats what is idempotent, with the same key", async () => {
    const shared = createMemoryStore();
    const keys: string[] = [];
    const point = killPoint();
    const mesh = (isFirst: boolean): Librarians => ({
      triage: async (query, { ask, step }) => {
        await step("notify", ({ idempotencyKey }) => void keys.push(idempotencyKey), {
          idempotent: true,
        });
        return ask(query, { to: "pager" });
      },
      pager: {
        ...{ effects: "write", idempotent: true },
        librarian: async (_query, { idempotencyKey }) => {
          keys.push(idempotencyKey);
          return isFirst ? point.here() : { answer: "paged" };
        },
      },
    });
    const first = startProcess(shared, mesh(true));
    const run = first.router.start("page them");
    await point.until;
    await first.kill();

    const second = startProcess(shared, mesh(false));
    await second.router.open();
    expect(await outcomeOf(second.journal, run.id)).toMatchObject({
      status: "ended",
      answer: "paged",
    });
    const [step, before, after] = keys;
    expect(keys).toHaveLength(3);
    expect(after).toBe(before);
    expect(step).not.toBe(before);
  });

  it("ends with an error once three processes have ended while they worked on it", async () => {
    const shared = createMemoryStore();
    let calls = 0;
    const processes: Process[] = [];
    let id = "";
    for (let index = 0; index < 3; index++) {
      const point = killPoint();
      const each = startProcess(shared, {
        crasher: async () => {
          calls++;
          return point.here();
        },
      });
      if (index === 0) id = each.router.start("crash").id;
      else await each.router.open();
      await point.until;
      await each.kill();
      processes.push(each);
    }

    const last = startProcess(shared, { crasher: async () => ({ answer: "never" }) });
    await last.router.open();
    expect(await outcomeOf(last.journal, id)).toMatchObject({
      status: "ended",
      error: {
        code: "INTERNAL_ERROR",
        message: "3 processes ended while they worked on the run.",
      },
    });
    expect(calls).toBe(3);
  });

  it("is stopped where it wakes up after another process has taken it up", async () => {
    const shared = createMemoryStore();
    const point = killPoint();
    const effects: string[] = [];
    let wake = (): void => undefined;
    const mesh = (isFirst: boolean): Librarians => ({
      async triage(_query, { step }) {
        if (isFirst) {
          void point.here();
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        await step("restart", () => effects.push(isFirst ? "late" : "second"));
        return { answer: isFirst ? "late" : "second" };
      },
    });
    const first = startProcess(shared, mesh(true));
    const run = first.router.start("restart");
    await point.until;
    await recorded();
    const [{ owner } = { owner: "" }] = await shared.listRuns({ limit: 1 });
    await shared.write([{ type: "renew-owner", owner, leaseUntil: 0 }]); // it froze past its lease
    const second = startProcess(shared, mesh(false));
    await second.router.open();
    expect(await outcomeOf(second.journal, run.id)).toMatchObject({ answer: "second" });

    wake();
    expect(await run.response).toMatchObject({
      error: { code: "SERVICE_UNAVAILABLE", details: { reason: "journal-failed" } },
    });
    expect(effects).toEqual(["second"]);
    expect(await outcomeOf(second.journal, run.id)).toMatchObject({ answer: "second" });
  });
});

describe("a router that closes", () => {
  it("lets go of its runs: another process continues them at once", async () => {
    const shared = createMemoryStore();
    const point = killPoint();
    const first = startProcess(shared, {
      slow: (_query, { signal }) =>
        Promise.race([
          point.here(),
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason as Error));
          }),
        ]),
    });
    const run = first.router.start("why?");
    await point.until;
    await first.router.close();
    expect(await run.response).toMatchObject({ error: { details: { reason: "cancelled" } } });

    const second = startProcess(shared, { slow: async () => ({ answer: "at last" }) });
    await second.router.open();
    expect(await outcomeOf(second.journal, run.id)).toEqual({ status: "ended", answer: "at last" });
  });
});

describe("a journal that cannot be written", () => {
  it("refuses new runs clearly, does no write, and recovers", async () => {
    const shared = createMemoryStore();
    let isFull = false;
    let calls = 0;
    const store: JournalStore = {
      ...shared,
      write: (writes) =>
        isFull ? Promise.reject(new Error("database or disk is full")) : shared.write(writes),
    };
    const { router, journal } = startProcess(store, {
      pager: {
        effects: "write",
        librarian: async () => {
          calls++;
          return { answer: "paged" };
        },
      },
    });
    expect(await router.ask("page")).toMatchObject({ answer: "paged" });
    isFull = true;
    const refused = {
      error: {
        code: "SERVICE_UNAVAILABLE",
        message: "The journal cannot be written.",
        details: { reason: "journal-failed" },
      },
    };
    expect(await router.ask("page")).toMatchObject(refused); // found out by its intent
    expect(await router.ask("page")).toMatchObject(refused); // refused at once
    expect(calls).toBe(1);
    expect(await journal.runs()).toHaveLength(1);
  });
});

describe("what is kept", () => {
  it("has no secrets, is bounded, and is deleted with its user", async () => {
    const shared = createMemoryStore();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const { router, journal } = startProcess(
      shared,
      {
        triage: async (query, { ask, step }) => {
          await step("log in", () => `token ${secret}`);
          const large = await ask(query, { to: "large" });
          return { answer: `${secret} ${large.answer?.length}` };
        },
        large: async () => ({ answer: "x".repeat(5_000) }),
      },
      { maxEntryLength: 1_000 },
    );
    const answer = await router.ask(`use ${secret}`, { user: { id: "ada" } });
    expect(answer.answer).toContain(secret);

    const [run] = await journal.runs({ user: "ada" });
    const entries = await shared.readEntries(run?.id ?? "");
    expect(JSON.stringify([run, entries])).not.toContain(secret);
    expect(JSON.stringify(entries)).not.toContain("xxxxx");
    expect(entries.map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      "step intent",
      "step outcome",
      "hop outcome",
      "hop outcome",
    ]);
    expect(await journal.deleteUser("ada")).toBe(1);
    expect(await journal.runs()).toEqual([]);
  });
});
