import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Librarian } from "@constellation/core";
import {
  createJournal,
  createMemoryStore,
  createSqliteStore,
  type JournalStore,
} from "@constellation/journal";
import { createServer, readStoredRuns, type ServerOptions } from "@constellation/server";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { keptRunSchema, runListSchema } from "../src/runs/run.schema.js";
import { echo, serveMesh, until } from "./served-mesh.js";

const talker: Librarian = async (query, context) => {
  context?.report?.("reading");
  const reply = await context?.ai?.complete({ prompt: `${query} password=hunter2hunter2` });
  return { answer: reply?.text ?? "none", sources: [{ name: "a.md" }] };
};
const ai = () => scriptedAI(() => ({ text: "by the model", usage: { costUsd: 0.01 } }));

describe("journal", () => {
  it("keeps runs that outlive the server: listed, read and paged by the next one", async () => {
    const file = temporary();
    const first = await serveJournaled({ echo }, file);
    const ids: string[] = [];
    for (const query of ["one", "two", "three"]) ids.push(await ask(first, query));
    await first.close();

    const second = await serveJournaled({ echo }, file);
    ids.push(await ask(second, "four"));
    const page = await listOf(second, "?limit=3");
    const rest = await listOf(second, `?limit=3&before=${page.runs.at(-1)?.runId}`);
    const run = keptRunSchema.parse(await (await second.fetch(`/runs/${ids[0]}`)).json());

    expect(page.runs.map(({ query }) => query)).toEqual(["four", "three", "two"]);
    expect(page.hasMore).toBe(true);
    expect(rest).toMatchObject({ runs: [{ query: "one" }], hasMore: false });
    expect(run).toMatchObject({
      record: { query: "one" },
      response: { answer: expect.any(String) },
    });
  });

  it("lets only its user read a run, also in the next server", async () => {
    const file = temporary();
    const auth = {
      tokens: [
        { token: "the-token-of-ada", user: { id: "ada" } },
        { token: "the-token-of-bob", user: { id: "bob" } },
      ],
    };
    const as = (name: string) => ({ headers: { authorization: `Bearer the-token-of-${name}` } });
    const first = await serveJournaled({ echo }, file, { auth });
    const id = await ask(first, "alpha?", as("ada"));
    await first.close();

    const second = await serveJournaled({ echo }, file, { auth });
    const own = await (await second.fetch(`/runs/${id}`, as("ada"))).text();
    const others = await (await second.fetch(`/runs/${id}`, as("bob"))).text();
    const found = await second.fetch("/runs?q=alpha", as("bob"));

    expect(statSync(file).mode & 0o077).toBe(0);
    expect(own).toContain("alpha");
    expect(others).not.toContain("alpha");
    expect(await found.json()).toMatchObject({ runs: [] });
  });

  it.each([false, true])(
    "holds no secret of what was said, recordContent %s",
    async (recordContent) => {
      const file = temporary();
      const secret = (at: number) => ["PLANTED", "x9", at].join("");
      const served = await serveJournaled(
        {
          front: async (_query, context) => {
            await context?.ask?.(`sub DB_PASSWORD=${secret(2)}`, { to: "back" });
            return {
              answer: `postgres://app:${secret(3)}@db/x and the password "${secret(4)}"`,
              sources: [{ name: `Authorization: Bearer ${secret(5)}.x` }],
              metadata: {
                password: secret(6),
                manifest: `kind: Secret\ndata:\n  url: ${secret(7)}\n`,
                command: `mysql -u root -p${secret(8)} shop`,
              },
            };
          },
          back: async () => ({
            error: {
              code: "NOT_FOUND",
              message: `password=${secret(9)}`,
              details: { token: secret(10), [`api_key=${secret(11)}`]: true },
            },
          }),
        },
        file,
        { recordContent },
      );
      const id = await ask(served, `why does login with password=${secret(1)} fail?`);
      await served.close();
      const documents = await documentsIn(file);

      expect(documents).toContain(id);
      expect(documents).toContain("why does login with password=[REDACTED] fail?");
      expect(documents).not.toContain("PLANTED");
    },
  );

  it("loses only what could not be written, answers, warns once, and recovers", async () => {
    const warnings: string[] = [];
    const listen = ({ message }: Error) => void warnings.push(message);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    const kept = createMemoryStore();
    let isFull = false;
    const store: JournalStore = {
      ...kept,
      write: (writes) =>
        isFull ? Promise.reject(new Error("The disk is full.")) : kept.write(writes),
    };
    const served = await serveMesh({ echo }, { journal: createJournal({ store }) });
    isFull = true;
    await ask(served, "one");
    await until(() => warnings.length > 0);
    isFull = false;
    const id = await ask(served, "three");
    await served.server.close();
    await until(() => warnings.length > 1);

    expect(await kept.listDocuments({ collection: "runs", limit: 9 })).toMatchObject([{ id }]);
    expect(warnings).toEqual([
      "Records cannot be stored in the journal: The disk is full.",
      expect.stringContaining("are stored in the journal again"),
    ]);
  });

  it("removes the oldest beyond its size, and those beyond their age", async () => {
    const file = temporary();
    const before = await serveJournaled({ echo }, file);
    const old = await ask(before, "old");
    await before.close();
    await until(() => Date.now() - statSync(file).mtimeMs > 50);
    const limits = { storedRunAgeMs: 50, storedRunBytes: 1_000_000 };
    const first = await serveJournaled({ echo }, file, { limits });
    await ask(first, "newer");
    await first.close();
    expect(await documentsIn(file)).not.toContain(old);

    const mesh = await serveJournaled({ echo }, file, { limits: { storedRunBytes: 1_500 } });
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) {
      ids.push(await ask(mesh, `question ${index}`));
      await until(async () => (await documentsIn(file)).includes(ids.at(-1) ?? "?"));
    }
    await mesh.close();

    const documents = await documentsIn(file);
    expect(Buffer.byteLength(documents)).toBeLessThan(3_000);
    expect(documents).toContain(ids.at(-1));
    expect(documents).not.toContain(ids[0]);
  });

  it("skips a document that is not a run", async () => {
    const store = createMemoryStore();
    const put = { type: "put-document", user: undefined, at: Date.now() } as const;
    await store.write([
      { ...put, collection: "runs", id: "broken", body: "{ not JSON" },
      { ...put, collection: "run-lines", id: "broken", body: "{ not JSON" },
      { ...put, collection: "runs", id: "other", body: '{ "run": { "runId": 7 } }' },
      { ...put, collection: "run-lines", id: "other", body: '{ "line": { "runId": 7 } }' },
    ]);
    const mesh = await serveMesh({ echo }, { journal: createJournal({ store }) });

    expect(await listOf(mesh, "")).toEqual({ runs: [], hasMore: false });
    for (const id of ["broken", "other", "..%2Fnotes", "__proto__"]) {
      expect((await mesh.fetch(`/runs/${id}`)).status).toBe(404);
    }
  });

  it("reads runs of the same moment once each, however many there are", async () => {
    const store = createMemoryStore();
    const line = { runId: "", query: "q", to: "echo", startedAt: 7, durationMs: 1, hops: 0 };
    const ids = Array.from({ length: 450 }, (_, index) => `run-${index}`);
    await store.write(
      ids.map((id, index) => ({
        ...({ type: "put-document", collection: "run-lines", id, user: undefined } as const),
        at: index < 150 ? 5 : index < 300 ? 6 : 7,
        body: JSON.stringify({ line: { ...line, runId: id }, bytes: 1 }),
      })),
    );
    const read: string[] = [];
    for await (const { runId } of readStoredRuns(store).summaries()) read.push(runId);

    expect(read).toHaveLength(450);
    expect(new Set(read)).toEqual(new Set(ids));
  });

  it("says why a journal cannot be opened", async () => {
    const { router } = await serveMesh({ echo });
    const store = createSqliteStore({ file: tmpdir() });

    await expect(createServer(router, { journal: createJournal({ store }) })).rejects.toThrow(
      `The journal ${tmpdir()} cannot be opened`,
    );
  });
});

describe("the list of runs", () => {
  it("is searched and filtered", async () => {
    const mesh = await serveMesh({
      echo,
      lost: async () => ({ error: { code: "NOT_FOUND", message: "nothing is known" } }),
    });
    await ask(mesh, "Where is Alpha?");
    await ask(mesh, "Where is beta?", {}, "lost");

    const queries = async (parameters: string) =>
      (await listOf(mesh, parameters)).runs.map(({ query }) => query);

    expect(await queries("?q=alpha")).toEqual(["Where is Alpha?"]);
    expect(await queries("?outcome=unanswered")).toEqual(["Where is beta?"]);
    expect(await queries("?q=alpha&outcome=unanswered")).toEqual([]);
    expect(await (await mesh.fetch("/runs?outcome=red")).json()).toMatchObject({
      error: { message: expect.stringContaining("answered, unanswered, running") },
    });
  });
});

describe("recordContent", () => {
  it("keeps what was said in each hop, redacted; without it nothing of that is kept", async () => {
    const store = createMemoryStore();
    const journal = createJournal({ store });
    const plain = await serveMesh({ talker }, { ai: ai(), journal });
    const full = await serveMesh({ talker }, { ai: ai(), recordContent: true });
    const plainId = await ask(plain, "alpha?");
    const fullId = await ask(full, "alpha?");
    await plain.server.close();

    const run = keptRunSchema.parse(await (await full.fetch(`/runs/${fullId}`)).json());
    const stored = JSON.stringify(await readStoredRuns(store).get(plainId));

    expect(run.record.usage).toMatchObject({ costUsd: 0.01, modelCalls: 1 });
    expect(run.record.hops[0]).toMatchObject({
      content: {
        answer: "by the model",
        sources: [{ name: "a.md" }],
        progress: [{ message: "reading" }],
      },
      modelCalls: [
        { content: { reply: "by the model", prompt: expect.stringContaining("alpha?") } },
      ],
    });
    expect(JSON.stringify(run)).not.toContain("hunter2");
    expect(stored).toContain("alpha?");
    expect(stored).not.toMatch(/hunter2|"reading"|"prompt"/);
  });

  it("is left out first where a run is too large", async () => {
    const answer = "long ".repeat(1_000);
    const mesh = await serveMesh(
      { long: async () => ({ answer }) },
      { recordContent: true, limits: { runCharacters: 32_000 } },
    );

    const id = await ask(mesh, "hello");
    const run = keptRunSchema.parse(await (await mesh.fetch(`/runs/${id}`)).json());

    expect(run).toMatchObject({ cut: "content", response: { answer } });
    expect(run.record.hops[0]).not.toHaveProperty("content");
  });
});

describe("debug", () => {
  const broken: Librarian = () => {
    throw new TypeError("cannot read rota");
  };

  it("shows what a librarian threw in its run, and never on another host than loopback", async () => {
    const mesh = await serveMesh({ broken }, { debug: true });
    const quiet = await serveMesh({ broken }, { recordContent: true });

    const shown = await (await mesh.fetch(`/runs/${await ask(mesh, "hello")}`)).text();
    const hidden = await (await quiet.fetch(`/runs/${await ask(quiet, "hello")}`)).text();
    const { router } = mesh;
    const open = await createServer(router, { debug: true, allowAnonymous: true });
    onTestFinished(() => open.close());

    expect(shown).toMatch(/TypeError: cannot read rota\\n\s+at .*stored-runs\.test\.ts/);
    expect(hidden).not.toContain("cannot read rota");
    await expect(open.listen({ host: "0.0.0.0" })).rejects.toThrow(/`debug` shows stacks/);
  });
});

type Mesh = Awaited<ReturnType<typeof serveMesh>>;

/** Path of a journal in a folder of its own. */
function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "constellation-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "journal.db");
}

async function serveJournaled(
  librarians: Parameters<typeof serveMesh>[0],
  file: string,
  options: ServerOptions = {},
) {
  const journal = createJournal({ store: createSqliteStore({ file }) });
  const mesh = await serveMesh(librarians, { ...options, journal }, { journal });
  return {
    ...mesh,
    async close() {
      await mesh.server.close();
      await mesh.router.close();
    },
  };
}

/** Everything that was stored of runs, as text. */
async function documentsIn(file: string): Promise<string> {
  const store = createSqliteStore({ file });
  await store.open();
  const found = await Promise.all(
    ["runs", "run-lines"].map((collection) => store.listDocuments({ collection, limit: 100 })),
  );
  await store.close();
  return found
    .flat()
    .map(({ id, body }) => `${id} ${body}`)
    .join("\n");
}

async function listOf(mesh: Mesh, parameters: string) {
  return runListSchema.parse(await (await mesh.fetch(`/runs${parameters}`)).json());
}

async function ask(mesh: Mesh, query: string, init?: RequestInit, to?: string): Promise<string> {
  const reply = await mesh.post("/ask", { query, to }, init);
  await reply.arrayBuffer();
  return reply.headers.get("x-run-id") ?? "";
}
