import { createRouter, type ErrorCode, type Librarian } from "@constellation/core";
import type { FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { createService } from "./service.js";

let service: FastifyInstance | undefined;

afterEach(async () => {
  await service?.close();
  service = undefined;
});

/** A service with this librarian alone behind it. */
function serve(librarian: Librarian): FastifyInstance {
  const router = createRouter();
  router.register({ id: "only", description: "answers", librarian });
  service = createService(router);
  return service;
}

async function post(librarian: Librarian, body: unknown) {
  const url = await serve(librarian).listen({ host: "127.0.0.1", port: 0 });
  const reply = await fetch(`${url}/ask`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
}

/** A librarian that works until it is asked to stop, and the reason it gets. */
function busy() {
  let begin: () => void = () => {};
  let stop: (reason: unknown) => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const stopped = new Promise<unknown>((resolve) => {
    stop = resolve;
  });
  const librarian: Librarian = (_query, context) => {
    begin();
    context?.signal?.addEventListener("abort", () => stop(context.signal?.reason), { once: true });
    return stopped.then(() => ({ answer: "too late" }));
  };
  return { librarian, begun, stopped };
}

describe("createService", () => {
  it.each([
    ["NOT_FOUND", 404],
    ["RATE_LIMITED", 429],
    ["DATA_SOURCE_ERROR", 502],
  ] satisfies [ErrorCode, number][])("answers %s with status %i", async (code, status) => {
    const reply = await post(async () => ({ error: { code, message: "no" } }), { query: "why?" });

    expect(reply).toMatchObject({ status, body: { error: { code } } });
  });

  it.each([
    ["no query", {}],
    ["a query too long", { query: "x".repeat(2_001) }],
    ["a body too long", { query: "x".repeat(20_000) }],
    ["a query that is not text", { query: { text: "x" } }],
  ])("refuses %s, and asks no librarian", async (_, payload) => {
    let calls = 0;
    const reply = await post(async () => ({ answer: `${++calls}` }), payload);

    expect([400, 413]).toContain(reply.status);
    expect(calls).toBe(0);
  });

  it.each(["GET", "POST"])("ends the run of a client that hangs up on %s", async (method) => {
    const { librarian, begun, stopped } = busy();
    const url = await serve(librarian).listen({ host: "127.0.0.1", port: 0 });
    const client = new AbortController();
    const headers = { "content-type": "application/json" };
    const reply = fetch(method === "GET" ? `${url}/ask?query=why` : `${url}/ask`, {
      method,
      signal: client.signal,
      ...(method === "POST" && { headers, body: '{"query": "why"}' }),
    }).then((response) => response.text());
    await begun;

    client.abort();

    await expect(reply).rejects.toThrow();
    expect(await stopped).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
  });

  it("lets clients have their last event when it closes", async () => {
    const { librarian, begun } = busy();
    const url = await serve(librarian).listen({ host: "127.0.0.1", port: 0 });
    const reply = fetch(`${url}/ask?query=why`).then((response) => response.text());
    await begun;

    await service?.close();

    expect(await reply).toMatch(/event: response\ndata: .*"TIMEOUT".*\n\n$/);
  });
});
