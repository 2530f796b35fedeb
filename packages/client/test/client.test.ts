import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientEvent, type ClientOptions, createClient } from "@constellation/client";
import { createRouter, type MeshLibrarian } from "@constellation/core";
import { createJournal, createSqliteStore } from "@constellation/journal";
import { createServer, type ServerOptions } from "@constellation/server";
import { describe, expect, it, onTestFinished } from "vitest";

const operator: MeshLibrarian = async (query, { approve }) => {
  const { outcome, comment } = await approve({ what: `Restart ${query}?` });
  return { answer: `It is ${outcome}: ${comment}.` };
};

/** A librarian that reports when it is asked, and answers when it is stopped. */
function heldLibrarian() {
  let onAsked: (signal: AbortSignal) => void = () => undefined;
  const asked = new Promise<AbortSignal>((resolve) => {
    onAsked = resolve;
  });
  const librarian: MeshLibrarian = (_query, { signal }) => {
    onAsked(signal);
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve({ answer: "stopped" }), { once: true });
    });
  };
  return { asked, librarian };
}

async function serve(
  librarian: MeshLibrarian,
  options: ServerOptions = {},
  own: ClientOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "constellation-client-"));
  const store = createSqliteStore({ file: join(folder, "journal.db") });
  const journal = createJournal({ store, leaseMs: 1_000 });
  const router = createRouter({ journal });
  router.register({ id: "desk", description: "answers", librarian });
  const server = await createServer(router, { journal, ...options });
  const { url } = await server.listen();
  onTestFinished(async () => {
    await server.close();
    await router.close({ timeoutMs: 100 });
    rmSync(folder, { recursive: true, force: true });
  });
  return { url, mesh: createClient({ url, ...own }) };
}

/** A server of its own, where the real one never behaves like that. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}/mesh/`;
}

async function allOf(events: AsyncIterable<ClientEvent>): Promise<readonly ClientEvent[]> {
  const all: ClientEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("a client", () => {
  it("asks, with its token, and gives errors of librarians as responses", async () => {
    const auth = { tokens: [{ token: "the-token-of-ann-0", user: { id: "ann" } }] };
    const librarian: MeshLibrarian = async (query, { user }) =>
      query === "lost"
        ? { error: { code: "NOT_FOUND", message: "No runbook covers this." } }
        : { answer: `${user?.id}: ${query}` };
    const { url, mesh } = await serve(
      librarian,
      { auth },
      { token: async () => "the-token-of-ann-0" },
    );

    expect(await mesh.ask("restart")).toMatchObject({ answer: "ann: restart" });
    expect(await mesh.ask("lost")).toMatchObject({ error: { code: "NOT_FOUND" } });
    await expect(createClient({ url }).ask("restart")).rejects.toMatchObject({
      ...{ name: "ClientError", status: 401 },
      info: { code: "UNAUTHORIZED" },
    });
    await expect(mesh.ask(" ")).rejects.toMatchObject({ status: 400 });
  });

  it("streams what happens, and cancels the run when it leaves", async () => {
    const { asked, librarian } = heldLibrarian();
    const { mesh } = await serve(async (query, context) =>
      query === "wait" ? librarian(query, context) : { answer: query },
    );

    const events = await allOf(mesh.stream("restart"));
    expect(events.map(({ event }) => event)).toEqual([
      ...["run", "run:start", "hop:start", "hop:end", "run:end", "response"],
    ]);

    for await (const { event } of mesh.stream("wait")) if (event === "hop:start") break;
    const signal = await asked;
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    expect(signal.aborted).toBe(true);
  });

  it("rejects with the reason of its signal", async () => {
    const { asked, librarian } = heldLibrarian();
    const { mesh } = await serve(librarian);
    const controller = new AbortController();
    const reply = mesh.ask("wait", { signal: controller.signal });
    await asked;
    const reason = new Error("not needed any more");
    controller.abort(reason);
    await expect(reply).rejects.toBe(reason);
  });

  it("starts a run in the background, answers what it waits for, and watches it to its end", async () => {
    const { mesh } = await serve(operator);

    const { runId } = await mesh.start("billing");
    const seen: string[] = [];
    for await (const event of mesh.watch(runId)) {
      seen.push(event.event);
      if (event.event === "waiting") {
        const [wait] = await mesh.waiting();
        expect(wait).toMatchObject({ runId, what: "Restart billing?" });
        if (wait !== undefined) await mesh.answer(wait, { approve: true, comment: "go" });
      }
      if (event.event === "response") {
        expect(event.data.response.answer).toBe("It is approved: go.");
      }
    }

    expect(seen[0]).toBe("run");
    expect(seen.at(-1)).toBe("response");
    expect(await mesh.read(runId)).toMatchObject({ status: "ended" });
  });

  it("cancels a run that continues without it", async () => {
    const { asked, librarian } = heldLibrarian();
    const { mesh } = await serve(librarian);
    const { runId } = await mesh.start("wait");
    const signal = await asked;
    await mesh.cancel(runId);
    const events = await allOf(mesh.watch(runId));
    expect(signal.aborted).toBe(true);
    expect(events.at(-1)?.event).toBe("response");
  });

  it("connects again where a connection broke, after the last entry, and repeats nothing", async () => {
    const given: unknown[] = [];
    const entry = (id: number) =>
      `id: ${id}\nevent: entry:hop\ndata: {"phase":"start","at":${id}}\n\n`;
    const url = await listen((request, response) => {
      given.push([request.url, request.headers["last-event-id"]]);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('event: run\ndata: {"runId":"r"}\n\n: heartbeat\n\n');
      if (given.length === 1) response.write(entry(1), () => response.destroy());
      else if (given.length === 2) response.end(entry(2));
      else response.end('event: response\ndata: {"status":200,"response":{"answer":"done"}}\n\n');
    });
    const mesh = createClient({ url, reconnect: { maxDelayMs: 1 } });

    const events = await allOf(mesh.watch("r"));

    expect(events.map(({ event }) => event)).toEqual(["run", "entry:hop", "entry:hop", "response"]);
    const path = "/mesh/runs/r/events";
    expect(given).toEqual([
      [path, undefined],
      [path, "1"],
      [path, "2"],
    ]);
  });

  it("gives up after as many attempts as it may, and at once where it is refused", async () => {
    let requests = 0;
    let status = 503;
    const url = await listen((_request, response) => {
      requests++;
      response.writeHead(status).end('{"error":{"code":"NOT_FOUND","message":"Run not found."}}');
    });
    const mesh = createClient({ url, reconnect: { attempts: 2, maxDelayMs: 1 } });
    await expect(allOf(mesh.watch("r"))).rejects.toMatchObject({ status: 503 });
    expect(requests).toBe(3);
    status = 404;
    await expect(allOf(mesh.watch("r"))).rejects.toThrow("Run not found.");
    expect(requests).toBe(4);
  });

  it("reads no more than it may, and follows no redirect", async () => {
    const url = await listen((request, response) => {
      if (request.url === "/mesh/waiting") return response.writeHead(302, { location: "/" }).end();
      return response.writeHead(200).end(JSON.stringify({ answer: "x".repeat(5_000) }));
    });
    const mesh = createClient({ url, maxReplyLength: 1_000 });
    await expect(mesh.ask("?")).rejects.toThrow("The reply is too long.");
    await expect(mesh.waiting()).rejects.toMatchObject({ status: 0 });
    expect(() => createClient({ url: "ftp://example.com" })).toThrow(TypeError);
    expect(() => createClient()).toThrow("url: not given");
  });
});
