import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Librarian } from "@constellation/core";
import { createJournal, createSqliteStore } from "@constellation/journal";
import type { ServerOptions } from "@constellation/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { keptRunSchema } from "../src/runs/run.schema.js";
import { eventsOf, heldLibrarian, serveMesh, until } from "./served-mesh.js";

const names = ["ada", "bob"];
const auth = {
  tokens: names.map((id) => ({ token: `the-token-of-${id}`, user: { id } })),
};
const as = (id: string) => ({ headers: { authorization: `Bearer the-token-of-${id}` } });

let restarts = 0;
const operator: Librarian = async (query, context) => {
  const decision = await context?.approve?.({
    what: `Restart ${query}`,
    by: { users: names },
    excludeRequester: true,
  });
  if (decision?.approved !== true) return { answer: `Not restarted: ${decision?.outcome}.` };
  await context?.step?.("restart", () => ++restarts);
  return { answer: `Restarted, says ${decision.by}.` };
};

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "constellation-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "journal.db");
}

/** A process with a router, a server and the journal in a file. */
function serveJournaled(
  librarians: Readonly<Record<string, Librarian>>,
  file: string,
  options: ServerOptions = {},
) {
  const journal = createJournal({ store: createSqliteStore({ file }), leaseMs: 1_000 });
  return serveMesh(librarians, { ...options, journal }, { journal });
}

type Mesh = Awaited<ReturnType<typeof serveJournaled>>;

async function stateOf(mesh: Mesh, id: string, init?: RequestInit) {
  const reply = await mesh.fetch(`/runs/${id}`, init);
  return (await reply.json()) as Record<string, unknown>;
}

async function untilStatus(mesh: Mesh, id: string, status: string, init?: RequestInit) {
  await until(async () => (await stateOf(mesh, id, init)).status === status);
  return stateOf(mesh, id, init);
}

async function waitingIn(mesh: Mesh, init?: RequestInit) {
  const { waiting } = (await (await mesh.fetch("/waiting", init)).json()) as {
    readonly waiting: readonly { readonly id: string; readonly runId: string }[];
  };
  return waiting;
}

describe("what a run waits for", () => {
  it("is listed for those who may answer it, approved in another process, and done once", async () => {
    restarts = 0;
    const file = temporary();
    const first = await serveJournaled({ operator }, file, { auth });
    const second = await serveJournaled({ operator }, file, { auth });
    const asked = await first.post("/ask", { query: "checkout" }, as("ada"));
    const runId = asked.headers.get("x-run-id") ?? "";
    expect(await asked.json()).toMatchObject({
      partial: true,
      metadata: { waiting: [{ runId, what: "Restart checkout", requestedBy: "ada" }] },
    });

    const own = await waitingIn(second, as("ada"));
    const [wait] = await waitingIn(second, as("bob"));
    const path = `/runs/${runId}/waiting/${encodeURIComponent(wait?.id ?? "")}`;
    const refused = await second.post(path, { approve: true }, as("ada"));
    const unknown = await second.post(`/runs/${runId}/waiting/none`, { approve: true }, as("bob"));
    const wrong = await second.post(path, { approved: true }, as("bob"));
    const state = await stateOf(second, runId, as("ada"));
    const approved = await second.post(path, { approve: true }, as("bob"));
    const again = await first.post(path, { approve: false }, as("bob"));

    expect(own).toEqual([]);
    expect([refused, unknown, wrong, approved, again].map(({ status }) => status)).toEqual([
      403, 404, 400, 202, 404,
    ]);
    expect(state).toMatchObject({ status: "waiting", waiting: [{ what: "Restart checkout" }] });
    for (const mesh of [first, second]) {
      const ended = await untilStatus(mesh, runId, "ended", as("ada"));
      expect(ended).toMatchObject({ response: { answer: "Restarted, says bob." } });
      expect(await stateOf(mesh, runId, as("bob"))).not.toHaveProperty("response");
    }
    await until(async () => {
      const run = keptRunSchema.safeParse(await stateOf(second, runId, as("ada")));
      return run.success && run.data.record.query === "checkout" && run.data.withheld !== true;
    });
    expect(restarts).toBe(1);
  });

  it("is only for those who may read the run, where it names no one", async () => {
    const mesh = await serveJournaled(
      {
        desk: async (_query, context) => {
          const decision = await context?.approve?.({ what: "Pay 100", data: { to: "ada" } });
          return { answer: `Decided by ${decision?.by}.` };
        },
      },
      temporary(),
      { auth },
    );
    const asked = await mesh.post("/ask", { query: "x" }, as("ada"));
    const runId = asked.headers.get("x-run-id") ?? "";
    const [wait] = await waitingIn(mesh, as("ada"));
    const path = `/runs/${runId}/waiting/${wait?.id}`;
    const others = await waitingIn(mesh, as("bob"));
    const refused = await mesh.post(path, { approve: true }, as("bob"));
    const approved = await mesh.post(path, { approve: true }, as("ada"));

    expect(others).toEqual([]);
    expect([refused.status, approved.status]).toEqual([403, 202]);
    expect(await untilStatus(mesh, runId, "ended", as("ada"))).toMatchObject({
      response: { answer: "Decided by ada." },
    });
  });

  it("is not for the one who has asked, whatever the id of that user looks like", async () => {
    const id = "oidc:ada1@example.com";
    const tokens = [...auth.tokens, { token: "the-token-of-oidc-ada", user: { id } }];
    const requester = as("oidc-ada");
    const asking: Librarian = async (_query, context) => {
      const decision = await context?.approve?.({
        what: "Restart",
        by: { users: ["bob", id] },
        excludeRequester: true,
      });
      const isSame = context?.user?.id === id;
      return { answer: `Same user: ${isSame}. Approved: ${decision?.approved}.` };
    };
    const mesh = await serveJournaled({ asking }, temporary(), { auth: { tokens } });
    const asked = await mesh.post("/ask", { query: "x" }, requester);
    const runId = asked.headers.get("x-run-id") ?? "";
    const [wait] = await waitingIn(mesh, as("bob"));
    const path = `/runs/${runId}/waiting/${wait?.id}`;
    const refused = await mesh.post(path, { approve: true }, requester);
    const approved = await mesh.post(path, { approve: true }, as("bob"));

    expect([refused.status, approved.status]).toEqual([403, 202]);
    expect(await untilStatus(mesh, runId, "ended", requester)).toMatchObject({
      response: { answer: "Same user: true. Approved: true." },
    });
    await until(async () => {
      const run = keptRunSchema.safeParse(await stateOf(mesh, runId, requester));
      return run.success && run.data.withheld !== true && run.data.user?.id === id;
    });
  });

  it("is not there without a journal, and the reply says how to get one", async () => {
    const mesh = await serveMesh({ operator });

    const listed = await mesh.fetch("/waiting");
    expect(listed.status).toBe(404);
    expect(await listed.json()).toMatchObject({ error: { message: "The server has no journal." } });
    const asked = await mesh.post("/ask", { query: "x", background: true });
    expect(asked.status).toBe(400);
  });
});

describe("a run in the background", () => {
  it("continues without its client, and any process with the journal shows it", async () => {
    const file = temporary();
    const held = heldLibrarian();
    const first = await serveJournaled({ held: held.librarian }, file);
    const second = await serveJournaled({ held: held.librarian }, file);
    const asked = await first.post("/ask", { query: "alpha?", background: true });
    const { runId, status } = (await asked.json()) as { runId: string; status: string };
    await held.asked;

    expect(asked.status).toBe(202);
    expect(asked.headers.get("location")).toBe(`/runs/${runId}`);
    expect(status).toBe("running");
    expect(await stateOf(second, runId)).toEqual({ runId, status: "running" });
    held.answer();
    expect(await untilStatus(second, runId, "ended")).toMatchObject({
      response: { answer: "Here it is." },
    });
  });

  it("is watched from any process, and continued after the last event that the client has", async () => {
    const file = temporary();
    const held = heldLibrarian();
    const librarians: Readonly<Record<string, Librarian>> = {
      desk: async (_query, context) => {
        await context?.ask?.("first", { to: "echo" });
        await context?.ask?.("second", { to: "held" });
        return { answer: "Done." };
      },
      echo: async () => ({ answer: "secret of the echo" }),
      held: held.librarian,
    };
    const first = await serveJournaled(librarians, file);
    const second = await serveJournaled(librarians, file);
    const asked = await first.post("/ask", { query: "go", background: true });
    const { runId } = (await asked.json()) as { runId: string };
    await held.asked;
    const leaving = new AbortController();
    const early = await second.fetch(`/runs/${runId}/events`, { signal: leaving.signal });
    for await (const { event, data } of eventsOf(early)) {
      if (event === "run") continue;
      expect({ event, data }).toMatchObject({ event: "entry:hop", data: { to: "echo" } });
      break;
    }
    leaving.abort();
    held.answer();
    const rest = await second.fetch(`/runs/${runId}/events`, { headers: { "last-event-id": "1" } });
    const text = await rest.text();

    expect(text).not.toContain("secret of the echo");
    expect([...text.matchAll(/^(?:id|event): (.*)$/gm)].map(([, value]) => value)).toEqual([
      ...["run", "2", "entry:hop", "3", "entry:hop", "response"],
    ]);
    expect(text).toContain('"answer":"Done."');
    const wrong = await second.fetch(`/runs/${runId}/events?lastEventId=x`);
    expect(wrong.status).toBe(400);
  });

  it("is cancelled from any process, while it works and while it waits, by those who may read it", async () => {
    const file = temporary();
    const held = heldLibrarian();
    const librarians = { held: held.librarian, operator };
    const first = await serveJournaled(librarians, file, { auth });
    const second = await serveJournaled(librarians, file, { auth });
    const start = async (to: string) => {
      const asked = await first.post("/ask", { query: "x", to, background: true }, as("ada"));
      return ((await asked.json()) as { runId: string }).runId;
    };
    const working = await start("held");
    const waiting = await start("operator");
    const signal = await held.asked;
    await untilStatus(second, waiting, "waiting", as("ada"));

    const others = await second.post(`/runs/${waiting}/cancel`, {}, as("bob"));
    const ended = await second.post(`/runs/${waiting}/cancel`, {}, as("ada"));
    const stopping = await second.post(`/runs/${working}/cancel`, {}, as("ada"));

    expect([others.status, ended.status, stopping.status]).toEqual([404, 202, 202]);
    expect(await ended.json()).toEqual({ runId: waiting, status: "ended" });
    for (const id of [waiting, working]) {
      expect(await untilStatus(second, id, "ended", as("ada"))).toMatchObject({
        response: { error: { code: "TIMEOUT", details: { reason: "cancelled" } } },
      });
    }
    await until(() => signal.aborted);
    expect(await waitingIn(second, as("bob"))).toEqual([]);
  });
});

describe("webhooks", () => {
  const secret = "a-secret-of-more-than-24-characters";

  async function receive(statuses: readonly number[]) {
    const calls: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const receiver = createHttpServer((request, reply) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("end", () => {
        calls.push({ headers: request.headers, body: Buffer.concat(pieces).toString("utf8") });
        reply.writeHead(statuses[calls.length - 1] ?? 200, { location: "http://127.0.0.1:1/" });
        reply.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as AddressInfo; // it listens on a port
    return { calls, host: `127.0.0.1:${port}` };
  }

  it("tell a run's end, signed, by another process where the first one ends", async () => {
    const file = temporary();
    const { calls, host } = await receive([]);
    const webhooks = { secret, allowedHosts: [host] };
    const librarians = { operator };
    const first = await serveJournaled(librarians, file, { auth, webhooks });
    const webhook = `http://${host}/done`;
    const asked = await first.post("/ask", { query: "x", background: true, webhook }, as("ada"));
    const { runId } = (await asked.json()) as { runId: string };
    await untilStatus(first, runId, "waiting", as("ada"));
    await first.server.close();
    await first.router.close();
    expect(calls).toEqual([]);

    const second = await serveJournaled(librarians, file, { auth, webhooks });
    const [wait] = await waitingIn(second, as("bob"));
    const path = `/runs/${runId}/waiting/${encodeURIComponent(wait?.id ?? "")}`;
    await second.post(path, { approve: false }, as("bob"));
    await until(() => calls.length > 0);

    const [{ headers, body } = { headers: {}, body: "" }] = calls;
    const signed = `${runId}.${String(headers["webhook-timestamp"])}.${body}`;
    const expected = createHmac("sha256", secret).update(signed).digest("base64");
    expect(headers["webhook-id"]).toBe(runId);
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
    expect(JSON.parse(body)).toMatchObject({
      ...{ type: "run.ended", runId, status: "ended" },
      response: { answer: "Not restarted: refused." },
    });
  });

  it("do not name a librarian that the user of the run may not ask", async () => {
    const { calls, host } = await receive([]);
    const desk: Librarian = async (query, context) => {
      const { error } = (await context?.ask?.(query, { to: "vault" })) ?? {};
      return error === undefined ? { answer: "Asked." } : { error };
    };
    const webhooks = { secret, allowedHosts: [host] };
    const mesh = await serveJournaled({ desk }, temporary(), { auth, webhooks });
    mesh.router.register({
      id: "vault",
      description: "is for few",
      librarian: async () => ({ answer: "gold" }),
      allow: { users: ["bob"] },
    });
    const body = { query: "x", background: true, webhook: `http://${host}/done` };
    await mesh.post("/ask", body, as("ada"));
    await mesh.post("/ask", body, as("bob"));
    await until(() => calls.length > 1);

    const told = calls.map((call) => call.body).sort();
    expect(told.some((text) => text.includes("vault"))).toBe(false);
    expect(told.filter((text) => text.includes("UNAUTHORIZED"))).toHaveLength(1);
  });

  it("are refused for an address that is not allowed", async () => {
    const file = temporary();
    const webhooks = { secret, allowedHosts: ["127.0.0.1:9", "hooks.example.com"] };
    const mesh = await serveJournaled({ operator }, file, { webhooks });
    const plain = await serveJournaled({ operator }, file);
    const ask = async (on: Mesh, webhook: string, background = true) => {
      const reply = await on.post("/ask", { query: "x", webhook, background });
      return `${reply.status} ${((await reply.json()) as { error: { message: string } }).error.message}`;
    };

    expect(await ask(mesh, "http://hooks.example.com/")).toMatch(/^400 webhook: expected an https/);
    expect(await ask(mesh, "https://10.0.0.1/")).toMatch(/^400 webhook: expected a host of/);
    expect(await ask(mesh, "http://127.0.0.1:9@evil.example/")).toMatch(/^400 webhook: expected/);
    expect(await ask(mesh, "https://u:p@hooks.example.com/")).toMatch(/without user and password/);
    expect(await ask(mesh, "https://hooks.example.com/", false)).toMatch(/needs `background/);
    expect(await ask(plain, "https://hooks.example.com/")).toMatch(/^400 webhook: the server has/);
  });
});

describe("a journaled run that is over", () => {
  it("is replayed without a call and forked with another question by its own user alone", async () => {
    const asked: string[] = [];
    const desk: Librarian = async (query, context) => {
      asked.push(`desk ${query}`);
      return (await context?.ask?.("price?", { to: "shop" })) ?? { answer: "none" };
    };
    const shop: Librarian = async (query) => {
      asked.push(`shop ${query}`);
      return { answer: `It is about ${query}`, confidence: 1 };
    };
    const mesh = await serveJournaled({ desk, shop }, temporary(), { auth });
    const first = await mesh.post("/ask", { query: "bread" }, as("ada"));
    const runId = first.headers.get("x-run-id") ?? "";
    asked.length = 0;

    const replayed = await mesh.post(`/runs/${runId}/replay`, {}, as("ada"));
    expect(await replayed.json()).toMatchObject({
      response: { answer: "It is about price?" },
      run: { hops: [{ to: "desk" }, { to: "shop" }] },
    });
    expect(asked).toEqual([]);

    const body = { at: "shop", query: "rolls?" };
    const replies = [
      await mesh.post(`/runs/${runId}/fork`, body, as("bob")),
      await mesh.post(`/runs/${runId}/fork`, { at: "none" }, as("ada")),
      await mesh.post(`/runs/${runId}/fork`, { at: "" }, as("ada")),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 400]);
    const forked = await mesh.post(`/runs/${runId}/fork`, body, as("ada"));
    expect(forked.status).toBe(202);
    const { runId: fork } = (await forked.json()) as { readonly runId: string };
    const ended = await untilStatus(mesh, fork, "ended", as("ada"));
    expect(ended).toMatchObject({ response: { answer: "It is about rolls?" } });
    expect(asked).toEqual(["desk bread", "shop rolls?"]);
  });
});

describe("an event that a run waits for", () => {
  it("comes from a system that signs it, once, and from no other", async () => {
    const deployer: Librarian = async (_query, context) => {
      const event = await context?.waitFor?.("deployed", { by: { users: ["webhook"] } });
      return { answer: event?.outcome === "arrived" ? JSON.stringify(event) : "no", confidence: 1 };
    };
    const secret = "a secret of at least 24 characters";
    const webhooks = { secret, allowedHosts: [] };
    const mesh = await serveJournaled({ deployer }, temporary(), { auth, webhooks });
    const asked = await mesh.post("/ask", { query: "deploy" }, as("ada"));
    const runId = asked.headers.get("x-run-id") ?? "";
    const report = (name: string, signed: string, timestamp = Math.floor(Date.now() / 1_000)) => {
      const body = JSON.stringify({ version: 7 });
      const text = `msg_1.${timestamp}.${body}`;
      const signature = createHmac("sha256", signed).update(text).digest("base64");
      return fetch(`${mesh.url}/runs/${runId}/events/${name}`, {
        method: "POST",
        headers: {
          ...{ "content-type": "application/json", "webhook-id": "msg_1" },
          "webhook-timestamp": String(timestamp),
          "webhook-signature": `v1,bm8= v1,${signature}`,
        },
        body,
      });
    };

    const replies = [
      await report("deployed", "another secret of 24 characters"),
      await report("deployed", secret, 1_000_000),
      await report("other", secret),
      await report("deployed", secret),
      await report("deployed", secret),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 404, 202, 404]);
    const ended = await untilStatus(mesh, runId, "ended", as("ada"));
    expect(ended).toMatchObject({
      response: { answer: expect.stringContaining('"value":{"version":7},"by":"webhook"') },
    });
  });
});
