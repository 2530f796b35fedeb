import { type Librarian, MeshError, type Router } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { keptRunSchema, runListSchema } from "../src/runs/run.schema.js";
import { echo, heldLibrarian, serveMesh, until } from "./served-mesh.js";

const desk: Librarian = async () => ({
  delegate: [
    { to: "echo", query: "what about alpha?", context: { reason: "it knows alpha" } },
    { to: "nobody" },
  ],
});

describe("/runs", () => {
  it("shows what happened: every hop with its reason, the response, and what is missing", async () => {
    const mesh = await serveMesh({ desk, echo });
    const id = await askAndName(mesh, "what about alpha?");

    const run = await runOf(mesh, id);

    expect(run.record).toMatchObject({
      runId: id,
      query: "what about alpha?",
      to: "desk",
      stopReason: "partial",
      hops: [
        { to: "desk", outcome: "delegate", fanOut: { missing: [{ to: "nobody" }] } },
        { to: "echo", parentId: 1, reason: "it knows alpha", outcome: "answer" },
        { to: "nobody", parentId: 1, outcome: "refused" },
      ],
    });
    expect(run.response).toMatchObject({ answer: "You asked: what about alpha?", partial: true });
  });

  it("shows a run while it runs", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian });
    const reply = mesh.post("/ask", { query: "hello" });
    await held.asked;

    const runs = await runsOf(mesh);
    const run = await runOf(mesh, runs[0]?.runId ?? "");

    expect(runs[0]).toMatchObject({ query: "hello", hops: 1 });
    expect(runs[0]?.stopReason).toBeUndefined();
    expect(run.record.hops[0]).toMatchObject({ to: "held" });
    expect(run.response).toBeUndefined();
    held.answer();
    await reply;
  });

  it("lists the newest first, as many as asked for, those of other callers of the router too", async () => {
    const mesh = await serveMesh({ echo });
    await mesh.post("/ask", { query: "one" });
    await mesh.router.ask("two");
    await mesh.post("/ask", { query: "three" });

    const runs = await runsOf(mesh, "?limit=2");

    expect(runs.map(({ query }) => query)).toEqual(["three", "two"]);
  });

  it.each(["0", "201", "all", "-1"])("refuses limit=%s", async (limit) => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.fetch(`/runs?limit=${limit}`);

    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      error: { message: expect.stringMatching(/, got \S+\.$/), details: { field: "limit" } },
    });
  });

  it("keeps only so many runs", async () => {
    const mesh = await serveMesh({ echo }, { limits: { runs: 2 } });
    const first = await askAndName(mesh, "one");
    await askAndName(mesh, "two");
    await askAndName(mesh, "three");

    const runs = await runsOf(mesh);

    expect(runs.map(({ query }) => query)).toEqual(["three", "two"]);
    expect((await mesh.fetch(`/runs/${first}`)).status).toBe(404);
  });

  it("keeps only so many characters, and of a run that is too large only its hops", async () => {
    const talker: Librarian = async (query) => ({ answer: query.repeat(1_000) });
    const mesh = await serveMesh({ talker }, { limits: { runCharacters: 20_000 } });
    for (let index = 0; index < 10; index++) await askAndName(mesh, "four"); // 4,000 each
    const large = await askAndName(mesh, "a much longer question");

    const runs = await runsOf(mesh);
    const run = await runOf(mesh, large);

    expect(runs.length).toBeLessThan(6);
    expect(run).toMatchObject({ cut: "response", record: { hops: [{ to: "talker" }] } });
    expect(run.response).toBeUndefined();
  });

  it("records a librarian that continues after the response, and its end", async () => {
    let stop: () => void = () => undefined;
    const stubborn: Librarian = async () => {
      await new Promise<void>((resolve) => {
        stop = resolve;
      });
      return { answer: "too late" };
    };
    const mesh = await serveMesh({ stubborn });
    const id = await askAndName(mesh, "hello", undefined, 30);

    const before = await runOf(mesh, id);
    stop();
    await until(async () => (await runOf(mesh, id)).record.unsettled === 0);
    const after = await runOf(mesh, id);

    expect(before.record).toMatchObject({ unsettled: 1, hops: [{ abandoned: true }] });
    expect(before.response).toMatchObject({ error: { code: "TIMEOUT" } });
    expect(after.record.hops[0]?.lateMs).toBeGreaterThan(0);
    expect(after.response).toEqual(before.response);
  });

  it("copes with what JSON cannot hold", async () => {
    class Odd {
      readonly big = 7n;
      readonly self = this;
    }
    const odd = new Odd(); // of the application: the router does not look into it
    const mesh = await serveMesh({ odd: async () => ({ answer: "ok", metadata: { odd } }) });

    const asked = await mesh.post("/ask", { query: "hello" });
    const streamed = await (await mesh.post("/ask/stream", { query: "hello" })).text();
    const run = await runOf(mesh, asked.headers.get("x-run-id") ?? "");

    expect(await asked.json()).toEqual({
      answer: "ok",
      metadata: { odd: { big: "7", self: "[circular]" } },
    });
    expect(streamed).toContain("event: response");
    expect(run.response?.answer).toBe("ok");
  });

  it("shows the texts of a run only to its user", async () => {
    const tokens = [
      { token: "the-token-of-ruth", user: { id: "ruth" } }, // which no id in hexadecimal contains
      { token: "the-token-of-bob", user: { id: "bob" } },
    ];
    const details = { problem: "alpha: expected a number" };
    const error = new MeshError("AI_UNAVAILABLE", "The model failed.", { details });
    const asking: Librarian = async (query, context) => {
      await context?.ai?.complete({ prompt: query }).catch(() => undefined);
      return echo(query, context);
    };
    const mesh = await serveMesh(
      { desk, echo: asking },
      { auth: { tokens }, ai: scriptedAI([{ error }]) },
    );
    const as = (name: string) => ({ headers: { authorization: `Bearer the-token-of-${name}` } });
    const id = await askAndName(mesh, "what about alpha?", as("ruth"));

    const own = await (await mesh.fetch(`/runs/${id}`, as("ruth"))).text();
    const foreign = await (await mesh.fetch(`/runs/${id}`, as("bob"))).text();
    const list = await (await mesh.fetch("/runs", as("bob"))).text();

    expect(own).toContain("it knows alpha");
    for (const text of [foreign, list]) {
      expect(text).not.toContain("alpha");
      expect(text).not.toContain("ruth");
    }
    expect(JSON.parse(foreign)).toMatchObject({
      withheld: true,
      record: { hops: [{ to: "desk" }, { to: "echo", outcome: "answer" }, { to: "nobody" }] },
    });
  });

  it("knows who asked through a mount", async () => {
    const router: { current?: Router } = {};
    const mesh = await serveMesh(
      { echo },
      {
        auth: { tokens: [{ token: "the-token-of-ada", user: { id: "ada" } }] },
        mounts: {
          "/mcp": async (request) => {
            const query = await request.text();
            return Response.json(await router.current?.ask(query));
          },
        },
      },
    );
    router.current = mesh.router;
    const asAda = { authorization: "Bearer the-token-of-ada" };

    await mesh.fetch("/mcp", { method: "POST", body: "alpha?", headers: asAda });
    await mesh.router.ask("beta?");

    const list = await (await mesh.fetch("/runs", { headers: asAda })).text();
    expect(list).toContain("alpha?");
    expect(list).not.toContain("beta?");
  });

  it("shows them to the users that `mayReadRun` allows", async () => {
    const mesh = await serveMesh(
      { echo },
      {
        auth: {
          tokens: [
            { token: "the-token-of-ada", user: { id: "ada" } },
            { token: "the-token-of-bob", user: { id: "bob", roles: ["operator"] } },
          ],
        },
        mayReadRun: (user) => user?.roles?.includes("operator") === true,
      },
    );
    const as = (name: string) => ({ headers: { authorization: `Bearer the-token-of-${name}` } });
    const id = await askAndName(mesh, "alpha?", as("ada"));

    expect(await (await mesh.fetch(`/runs/${id}`, as("bob"))).text()).toContain("alpha");
    expect(await (await mesh.fetch(`/runs/${id}`, as("ada"))).text()).not.toContain("alpha");
  });
});

type Mesh = Awaited<ReturnType<typeof serveMesh>>;

/** What `/openapi.json` says is what comes. */
async function runOf(mesh: Mesh, id: string) {
  return keptRunSchema.parse(await (await mesh.fetch(`/runs/${id}`)).json());
}

async function runsOf(mesh: Mesh, parameters = "") {
  return runListSchema.parse(await (await mesh.fetch(`/runs${parameters}`)).json()).runs;
}

async function askAndName(
  mesh: Mesh,
  query: string,
  init?: RequestInit,
  timeoutMs?: number,
): Promise<string> {
  const reply = await mesh.post("/ask", { query, timeoutMs }, init);
  await reply.arrayBuffer();
  return reply.headers.get("x-run-id") ?? "";
}
