import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Librarian } from "@constellation/core";
import { scriptedAI } from "@constellation/core/testing";
import { createServer, readRunFolder } from "@constellation/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { keptRunSchema, runListSchema } from "../src/runs/run.schema.js";
import { echo, serveMesh, until } from "./served-mesh.js";

const talker: Librarian = async (query, context) => {
  context?.report?.("reading");
  const reply = await context?.ai?.complete({ prompt: `${query} password=hunter2hunter2` });
  return { answer: reply?.text ?? "none", sources: [{ name: "a.md" }] };
};
const ai = () => scriptedAI(() => ({ text: "by the model", usage: { costUsd: 0.01 } }));

describe("runsFolder", () => {
  it("keeps runs that outlive the server: listed, read and paged by the next one", async () => {
    const runsFolder = temporary();
    const first = await serveMesh({ echo }, { runsFolder });
    const ids: string[] = [];
    for (const query of ["one", "two", "three"]) ids.push(await ask(first, query));
    await first.server.close();

    const second = await serveMesh({ echo }, { runsFolder });
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

  it("lets only its user read it, and keeps each run's own user", async () => {
    const runsFolder = temporary();
    const auth = {
      tokens: [
        { token: "the-token-of-ada", user: { id: "ada" } },
        { token: "the-token-of-bob", user: { id: "bob" } },
      ],
    };
    const as = (name: string) => ({ headers: { authorization: `Bearer the-token-of-${name}` } });
    const first = await serveMesh({ echo }, { runsFolder, auth });
    const id = await ask(first, "alpha?", as("ada"));
    await first.server.close();
    const [name = ""] = readdirSync(runsFolder);

    const second = await serveMesh({ echo }, { runsFolder, auth });
    const own = await (await second.fetch(`/runs/${id}`, as("ada"))).text();
    const others = await (await second.fetch(`/runs/${id}`, as("bob"))).text();
    const found = await second.fetch("/runs?q=alpha", as("bob"));

    expect(statSync(join(runsFolder, name)).mode & 0o777).toBe(0o600);
    expect(own).toContain("alpha");
    expect(others).not.toContain("alpha");
    expect(await found.json()).toMatchObject({ runs: [] });
  });

  it("removes the oldest beyond its size, and those beyond their age", async () => {
    const runsFolder = temporary();
    const old = `${String(Date.now() - 60_000).padStart(13, "0")}-old.json`;
    writeFileSync(join(runsFolder, old), "{}");
    writeFileSync(join(runsFolder, "notes.txt"), "mine");
    const limits = { storedRunAgeMs: 30_000, storedRunBytes: 1_500 };
    const mesh = await serveMesh({ echo }, { runsFolder, limits });
    const ids: string[] = [];
    for (let index = 0; index < 6; index++) ids.push(await ask(mesh, `question ${index}`));
    await mesh.server.close();

    const names = readdirSync(runsFolder);
    const bytes = names.reduce((sum, name) => sum + statSync(join(runsFolder, name)).size, 0);
    expect(names).not.toContain(old);
    expect(names).toContain("notes.txt");
    expect(bytes).toBeLessThan(1_500);
    expect(names.some((name) => name.includes(ids.at(-1) ?? "?"))).toBe(true);
    expect(names.some((name) => name.includes(ids[0] ?? "?"))).toBe(false);
  });

  it("skips a file that is not a run, and finds no file outside", async () => {
    const runsFolder = temporary();
    writeFileSync(join(runsFolder, "0000000000001-broken.json"), "{ not JSON");
    writeFileSync(join(runsFolder, "0000000000002-other.json"), '{ "run": { "runId": 7 } }');
    const limits = { storedRunAgeMs: 315_360_000_000 };
    const mesh = await serveMesh({ echo }, { runsFolder, limits });

    expect(await listOf(mesh, "")).toEqual({ runs: [], hasMore: false });
    for (const id of ["broken", "other", "..%2Fnotes", "__proto__"]) {
      expect((await mesh.fetch(`/runs/${id}`)).status).toBe(404);
    }
    expect(await (await readRunFolder(runsFolder)).get("broken")).toBeUndefined();
  });

  it("is refused where it cannot be made, with the reason", async () => {
    const file = join(temporary(), "file");
    writeFileSync(file, "");
    const { router } = await serveMesh({ echo });

    await expect(createServer(router, { runsFolder: file })).rejects.toThrow(
      /^runsFolder: the folder cannot be made or read \(EEXIST\)\.$/,
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
    const runsFolder = temporary();
    const plain = await serveMesh({ talker }, { ai: ai(), runsFolder });
    const full = await serveMesh({ talker }, { ai: ai(), recordContent: true });
    const plainId = await ask(plain, "alpha?");
    const fullId = await ask(full, "alpha?");
    await plain.server.close();

    const run = keptRunSchema.parse(await (await full.fetch(`/runs/${fullId}`)).json());
    const stored = JSON.stringify(await (await readRunFolder(runsFolder)).get(plainId));

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

it("a file of the folder has the form that `constellation replay` reads", async () => {
  const runsFolder = temporary();
  const mesh = await serveMesh({ echo }, { runsFolder });
  await ask(mesh, "hello");
  await until(() => readdirSync(runsFolder).some((name) => name.endsWith(".json")));
  const [name = ""] = readdirSync(runsFolder);

  expect(JSON.parse(readFileSync(join(runsFolder, name), "utf8"))).toMatchObject({
    run: { query: "hello", hops: [{ to: "echo" }] },
    response: { answer: "You asked: hello" },
  });
});

type Mesh = Awaited<ReturnType<typeof serveMesh>>;

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "constellation-runs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function listOf(mesh: Mesh, parameters: string) {
  return runListSchema.parse(await (await mesh.fetch(`/runs${parameters}`)).json());
}

async function ask(mesh: Mesh, query: string, init?: RequestInit, to?: string): Promise<string> {
  const reply = await mesh.post("/ask", { query, to }, init);
  await reply.arrayBuffer();
  return reply.headers.get("x-run-id") ?? "";
}
