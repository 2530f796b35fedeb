import { lookup } from "node:dns/promises";
import { createRouter } from "@constellation/core";
import { createServer, type ServerOptions } from "@constellation/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aborted, echo, eventsOf, heldLibrarian, serveMesh } from "./served-mesh.js";

describe("createServer", () => {
  it.each<[unknown, string, "TypeError" | "RangeError"]>([
    [
      { autth: {} },
      'options: unknown key "autth". Did you mean "auth"? Valid keys: auth, allowAnonymous,',
      "TypeError",
    ],
    [{ limits: { speed: 1 } }, 'limits: unknown key "speed".', "TypeError"],
    [
      { limits: { concurrency: 0 } },
      "limits.concurrency: expected an integer from 1",
      "RangeError",
    ],
    [{ auth: {} }, "auth: expected tokens or jwt", "RangeError"],
    [{ auth: { tokens: [] } }, "auth.tokens: expected at least one", "RangeError"],
    [
      { auth: { jwt: { jwksUrl: "http://idp.example", issuer: "a", audience: "b" } } },
      "auth.jwt.jwksUrl: expected a URL with https",
      "RangeError",
    ],
    [
      { auth: { jwt: { jwksUrl: "https://a" } } },
      "auth.jwt.issuer: expected an issuer",
      "TypeError",
    ],
    [{ open: ["runs"] }, "open.0: expected one of console, healthz", "RangeError"],
    [{ trustedOrigins: ["https://a/b"] }, "trustedOrigins.0: expected an origin", "RangeError"],
    [{ mounts: { "/ask": echo } }, 'mounts: "/ask" is a path of the server itself.', "RangeError"],
    [{ mounts: { mcp: echo } }, "mounts.mcp: expected a path such as /mcp", "RangeError"],
    [{ mounts: { "/mcp": 7 } }, "mounts./mcp: expected a function", "TypeError"],
    [{ console: "yes" }, "console: expected true or false", "TypeError"],
    [{ ai: {} }, "ai: expected an object with complete", "TypeError"],
    [7, "options: expected an object, got 7.", "TypeError"],
  ])("refuses %j", async (options, message, kind) => {
    const refused = createServer(createRouter(), options as ServerOptions);

    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toMatchObject({ name: kind });
  });

  it("never repeats a token it refuses", async () => {
    const refused = createServer(createRouter(), { auth: { tokens: [{ token: "hunter2" }] } });

    await expect(refused).rejects.toThrow("auth.tokens.0.token: expected 16 to 4096");
    await expect(refused).rejects.not.toThrow("hunter2");
  });
});

describe("listen", () => {
  it("listens on loopback by default", async () => {
    const mesh = await serveMesh({ echo });

    expect(mesh.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it.each(["0.0.0.0", "::", "192.168.0.1", "mesh.example.com"])(
    "refuses %s without authentication",
    async (host) => {
      const server = await createServer(createRouter());

      await expect(server.listen({ host })).rejects.toThrow(
        "Pass `auth`, or set `allowAnonymous: true`.",
      );
      await server.close();
    },
  );

  it.each<ServerOptions>([
    { allowAnonymous: true },
    { auth: { tokens: [{ token: "x".repeat(16) }] } },
  ])("listens elsewhere with %j", async (options) => {
    const server = await createServer(createRouter(), options);

    const { port } = await server.listen({ host: "0.0.0.0" });

    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await server.close();
  });

  it.each([-1, 65_536, 1.5, "80"])("refuses port %j", async (port) => {
    const server = await createServer(createRouter());

    await expect(server.listen({ port: port as number })).rejects.toThrow("port: expected");
    await server.close();
  });
});

describe("close", () => {
  it("lets runs end, answers probes meanwhile, and then accepts no more connections", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian });
    const reply = mesh.post("/ask", { query: "hello" });
    await held.asked;

    const closed = mesh.server.close();
    const ready = await mesh.fetch("/readyz");
    const refused = await mesh.post("/ask", { query: "hello" });

    expect((await mesh.fetch("/healthz")).status).toBe(200);
    expect([ready.status, ready.headers.get("connection")]).toEqual([503, "close"]);
    expect(await ready.json()).toMatchObject({ status: "closing" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    held.answer();
    expect(await (await reply).json()).toEqual({ answer: "Here it is." });
    await closed;
    await expect(fetch(`${mesh.url}/healthz`)).rejects.toThrow();
  });

  it("listens on every address of localhost", async () => {
    const server = await createServer(createRouter());
    onTestFinished(() => server.close());

    const { port } = await server.listen({ host: "localhost" });

    for (const { address, family } of await lookup("localhost", { all: true })) {
      const host = family === 6 ? `[${address}]` : address;
      expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
    }
  });

  it("cancels what has not ended within the drain time, and still answers", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian }, { limits: { drainMs: 30 } });
    const reply = mesh.post("/ask", { query: "hello" });
    const signal = await held.asked;

    await mesh.server.close();

    expect(signal.aborted).toBe(true);
    expect(await (await reply).json()).toMatchObject({
      error: { code: "TIMEOUT", details: { reason: "cancelled" } },
    });
  });

  it("ends streams with their response", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian }, { limits: { drainMs: 30 } });
    const reply = await mesh.post("/ask/stream", { query: "hello" });

    await mesh.server.close();

    const names: string[] = [];
    for await (const { event } of eventsOf(reply)) names.push(event);
    expect(names.at(-1)).toBe("response");
  });

  it("may be called twice, before listening, and with connections that are idle", async () => {
    const mesh = await serveMesh({ echo });
    await mesh.fetch("/healthz");

    await Promise.all([mesh.server.close(), mesh.server.close()]);

    const never = await createServer(createRouter());
    await never.close();
  });

  it("leaves the router open, and no listener on it", async () => {
    const mesh = await serveMesh({ echo });

    await mesh.server.close();

    expect(await mesh.router.ask("hello")).toEqual({ answer: "You asked: hello" });
  });

  it("ends a stream of a mount that would never end, without waiting to cut it", async () => {
    let signal: AbortSignal | undefined;
    const mesh = await serveMesh(
      { echo },
      {
        mounts: {
          "/mcp": async (request) => {
            signal = request.signal;
            return new Response(
              new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(1)) }),
            );
          },
        },
      },
    );
    const reply = await mesh.fetch("/mcp");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // so that no connection is ever cut
    onTestFinished(() => void vi.useRealTimers());

    await mesh.server.close();
    vi.useRealTimers();

    expect(signal?.aborted).toBe(true);
    await reply.arrayBuffer().catch(() => undefined);
    if (signal !== undefined) await aborted(signal);
  });
});
