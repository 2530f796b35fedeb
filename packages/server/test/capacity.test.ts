import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { echo, heldLibrarian, serveMesh } from "./served-mesh.js";

const token = "correct-horse-battery";
const partialHead = "POST /ask HTTP/1.1\r\nHost: x\r\nX-Slow: ";
const partialBody = (authorization: string) =>
  `POST /ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${authorization}Content-Length: 999\r\n\r\n{`;

describe("a server with all connections taken", () => {
  it.each([
    ["in all", { connections: 20 }],
    ["of one address", { connectionsPerAddress: 20 }],
  ])("still serves health, and refuses the rest with 503: %s", async (_what, limits) => {
    const mesh = await serveMesh({ echo }, { auth: { tokens: [{ token }] }, limits });
    await Promise.all(Array.from({ length: 200 }, () => openSocket(mesh.url, partialHead)));

    const refused = await mesh.fetch("/runs");

    expect((await mesh.fetch("/healthz")).status).toBe(200);
    expect((await mesh.fetch("/readyz")).status).toBe(200);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({ error: { details: { reason: "overloaded" } } });
  });

  it("admits again once a connection is closed", async () => {
    const mesh = await serveMesh({ echo }, { limits: { connections: 1 } });
    const socket = await openSocket(mesh.url, partialHead);
    expect((await mesh.fetch("/runs")).status).toBe(503);

    socket.destroy();

    await vi.waitFor(async () => expect((await mesh.fetch("/runs")).status).toBe(200), 20_000);
  });

  it("has no limit per address for a proxy that is trusted", async () => {
    const limits = { connectionsPerAddress: 1 };
    const mesh = await serveMesh({ echo }, { trustedProxies: ["127.0.0.0/8"], limits });
    await openSocket(mesh.url, partialHead);

    expect((await mesh.fetch("/runs")).status).toBe(200);
  });
});

describe("a slow request", () => {
  it.each([
    ["nothing at all", ""],
    ["a part of a head", partialHead],
    ["a part of a body, with a token", partialBody(`Authorization: Bearer ${token}\r\n`)],
  ])("is cut when it has sent %s", async (_what, text) => {
    const limits = { headersMs: 50, requestMs: 50 };
    const mesh = await serveMesh({ echo }, { auth: { tokens: [{ token }] }, limits });
    const socket = await openSocket(mesh.url, text);

    await once(socket.resume(), "close");
  });

  it("is cut when it was refused before its body arrived", async () => {
    const mesh = await serveMesh({ echo }, { auth: { tokens: [{ token }] } });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = await openSocket(mesh.url, partialBody(""));
    const [reply] = (await once(socket, "data")) as [Buffer];

    expect(String(reply)).toMatch(/^HTTP\/1\.1 401 /);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1, timeout: 20_000 });
    vi.advanceTimersByTime(2_000);
    await once(socket, "close");
  });
});

describe("a server with all places taken", () => {
  it("refuses before it looks at the token or the body", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh(
      { held: held.librarian },
      { auth: { tokens: [{ token }] }, limits: { concurrency: 1 } },
    );
    const first = mesh.post(
      "/ask",
      { query: "hi" },
      { headers: { authorization: `Bearer ${token}` } },
    );
    await held.asked;

    const socket = await openSocket(mesh.url, partialBody(""));
    const [reply] = (await once(socket, "data")) as [Buffer];

    expect(String(reply)).toMatch(/^HTTP\/1\.1 503 /);
    expect(String(reply)).toMatch(/retry-after: 1\r\n/i);
    held.answer();
    expect((await first).status).toBe(200);
  });
});

/** Opens a connection and sends a text on it. Closed when the test is over. */
async function openSocket(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text);
  return socket;
}
