import { connect } from "node:net";
import { type ErrorCode, errorCodes, type Librarian } from "@constellation/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aborted, echo, heldLibrarian, serveMesh } from "./served-mesh.js";

describe("POST /ask", () => {
  it("gives the response of the router, and the run's id in a header", async () => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.post("/ask", { query: "hello" });

    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ answer: "You asked: hello" });
    expect(reply.headers.get("x-run-id")).toMatch(/^[\da-f-]{36}$/);
  });

  it("asks whom the caller names, with the caller's time, data and merge strategy", async () => {
    const seen = vi.fn();
    const spy: Librarian = async (_query, context) => {
      seen(context?.metadata, context?.remainingMs?.());
      return { delegate: [{ to: "a" }, { to: "b" }] };
    };
    const mesh = await serveMesh({
      echo,
      spy,
      a: async () => ({ answer: "A", confidence: 0.7 }),
      b: async () => ({ answer: "B", confidence: 0.9 }),
    });

    const reply = await mesh.post("/ask", {
      query: "who?",
      to: "spy",
      timeoutMs: 20_000,
      metadata: { namespace: "shop" },
      merge: "best-confidence",
    });

    expect(await reply.json()).toMatchObject({ answer: "B" });
    const [metadata, remainingMs] = seen.mock.calls[0] ?? [];
    expect(metadata).toMatchObject({ namespace: "shop" });
    expect(remainingMs).toBeGreaterThan(3_000);
    expect(remainingMs).toBeLessThanOrEqual(20_000);
  });

  it.each(Object.entries(errorCodes))(
    "gives %s the status of the table of codes",
    async (code, row) => {
      const mesh = await serveMesh({
        failing: async () => ({ error: { code: code as ErrorCode, message: "no" } }),
      });

      const reply = await mesh.post("/ask", { query: "hello" });

      expect(reply.status).toBe(row.httpStatus);
      expect(await reply.json()).toMatchObject({ error: { code } });
    },
  );

  it("sends retry-after, where the error has a delay", async () => {
    const details = { retryAfterMs: 2_500 };
    const mesh = await serveMesh({
      limited: async () => ({ error: { code: "RATE_LIMITED", message: "slow down", details } }),
    });

    const reply = await mesh.post("/ask", { query: "hello" });

    expect(reply.status).toBe(429);
    expect(reply.headers.get("retry-after")).toBe("3");
  });

  it("gives 200 with a partial answer, although something failed", async () => {
    const mesh = await serveMesh({
      desk: async () => ({ delegate: [{ to: "echo" }, { to: "nobody" }] }),
      echo,
    });

    const reply = await mesh.post("/ask", { query: "hello" });

    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({
      partial: true,
      metadata: { missing: [{ to: "nobody" }] },
    });
  });

  it("takes over the caller's trace, and names it in a header", async () => {
    const seen = vi.fn();
    const mesh = await serveMesh({
      spy: async (_query, context) => {
        seen(context?.trace?.traceId);
        return { answer: "ok" };
      },
    });
    const traceId = "0af7651916cd43dd8448eb211c80319c";

    const reply = await mesh.post(
      "/ask",
      { query: "hello" },
      { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
    );

    expect(reply.headers.get("x-trace-id")).toBe(traceId);
    expect(seen).toHaveBeenCalledWith(traceId);
  });

  it("does not take over an invalid trace", async () => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.post("/ask", { query: "hello" }, { headers: { traceparent: "hm" } });

    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-trace-id")).toBeNull();
  });

  it.each([
    ["query", {}],
    ["query", { query: 7 }],
    ["query", { query: "x".repeat(20_001) }],
    ["to", { query: "hi", to: "No Such" }],
    ["timeoutMs", { query: "hi", timeoutMs: "5" }],
    ["timeoutMs", { query: "hi", timeoutMs: 60_001 }],
    ["timeoutMs", { query: "hi", timeoutMs: 0 }],
    ["metadata", { query: "hi", metadata: [] }],
    ["merge", { query: "hi", merge: "coin-toss" }],
    ["merge.quorum", { query: "hi", merge: { quorum: 0 } }],
    ["user", { query: "hi", user: { id: "root" } }],
    ["budget", { query: "hi", budget: { tokens: 1e9 } }],
    ["body", []],
    ["body", "hi"],
  ])("refuses a wrong %s by name, and calls no librarian", async (field, body) => {
    const librarian = vi.fn(echo);
    const mesh = await serveMesh({ librarian });

    const reply = await mesh.post("/ask", body);

    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      error: {
        code: "INVALID_QUERY",
        message: expect.stringMatching(`^${field}: .*(?:, got .+|Valid fields: .+)\\.$`),
        details: { field },
      },
    });
    expect(librarian).not.toHaveBeenCalled();
  });

  it.each([
    [400, { headers: { "content-type": "application/json" }, body: "{" }],
    [400, { headers: { "content-type": "application/json" }, body: "" }],
    [400, { headers: { "content-type": "application/json" }, body: '{"__proto__":{"a":1}}' }],
    [415, { headers: { "content-type": "text/plain" }, body: "hi" }],
    [
      413,
      {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "hi", metadata: { text: "x".repeat(300_000) } }),
      },
    ],
  ])("answers %i to a body that cannot be read", async (status, init) => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.fetch("/ask", { method: "POST", ...init });

    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error: { code: "INVALID_QUERY" } });
  });

  it("reports the maximum size of a body", async () => {
    const mesh = await serveMesh({ echo }, { limits: { bodyBytes: 50 } });

    const reply = await mesh.post("/ask", { query: "x".repeat(50) });

    expect(await reply.json()).toMatchObject({ error: { suggestion: "Send at most 50 bytes." } });
  });

  it.each([
    ["GET", "/ask", "POST"],
    ["OPTIONS", "/ask?a=/b", "POST"],
    ["DELETE", "/runs", "GET"],
    ["PUT", "/runs/some-id", "GET"],
  ])("answers 405 to %s %s, and names what it takes", async (method, path, allowed) => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.fetch(path, { method });

    expect([reply.status, reply.headers.get("allow")]).toEqual([405, allowed]);
    expect(await reply.json()).toMatchObject({
      error: { code: "INVALID_QUERY", message: `method: expected ${allowed}, got ${method}.` },
    });
  });

  it.each([
    [405, "FOO /ask HTTP/1.1\r\n\r\n"],
    [400, "GET /ask HTTP/x\r\n\r\n"],
    [431, `GET / HTTP/1.1\r\nx: ${"x".repeat(100_000)}\r\n\r\n`],
  ])(
    "answers %i, in the form of all problems, to what is not an HTTP request",
    async (status, bytes) => {
      const { url } = await serveMesh({ echo });
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined); // the server may hang up before it has read all
      socket.write(bytes);

      let reply = "";
      for await (const chunk of socket) reply += String(chunk);
      const [head = "", body = ""] = reply.split("\r\n\r\n");

      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(JSON.parse(body)).toMatchObject({ error: { code: "INVALID_QUERY" } });
    },
  );

  it.each(["/", "/asks", "/ask/", "/runs/a/b", "/runs/"])(
    "answers 404 to DELETE %s",
    async (path) => {
      const mesh = await serveMesh({ echo }, { console: false });

      expect((await mesh.fetch(path, { method: "DELETE" })).status).toBe(404);
    },
  );

  it("cancels the run when the client leaves", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian });
    const client = new AbortController();
    const reply = mesh.post("/ask", { query: "hello" }, { signal: client.signal });
    reply.catch(() => undefined);
    const signal = await held.asked;

    client.abort();

    await aborted(signal);
  });

  it("answers 503 with Retry-After when it is busy, and takes the next one afterwards", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian, echo }, { limits: { concurrency: 1 } });
    const first = mesh.post("/ask", { query: "hello" });
    await held.asked;

    const second = await mesh.post("/ask", { query: "hello", to: "echo" });

    expect(second.status).toBe(503);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await second.json()).toMatchObject({
      error: { code: "SERVICE_UNAVAILABLE", details: { reason: "overloaded" } },
    });
    held.answer();
    expect((await first).status).toBe(200);
    expect((await mesh.post("/ask", { query: "hello", to: "echo" })).status).toBe(200);
  });

  it("keeps the caller's request id, where it is one, and makes one otherwise", async () => {
    const mesh = await serveMesh({ echo });
    const ask = async (id: string) =>
      (await mesh.post("/ask", { query: "hi" }, { headers: { "x-request-id": id } })).headers.get(
        "x-request-id",
      );

    expect(await ask("build-7:2")).toBe("build-7:2");
    expect(await ask("no such id")).toMatch(/^[\da-f-]{36}$/);
  });
});
