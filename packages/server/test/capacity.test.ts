import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { LimitOptions } from "@constellation/server";
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
  it("refuses a user who has them all before it looks at the body", async () => {
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

    const head = partialBody(`Authorization: Bearer ${token}\r\n`);
    const socket = await openSocket(mesh.url, head);
    const [reply] = (await once(socket, "data")) as [Buffer];

    expect(String(reply)).toMatch(/^HTTP\/1\.1 503 /);
    expect(String(reply)).toMatch(/retry-after: 1\r\n/i);
    held.answer();
    expect((await first).status).toBe(200);
  });
});

describe("users that flood a server", () => {
  const userTokens = Array.from({ length: 11 }, (_, index) => `token-of-user-number-${index}`);

  /**
   * Serves a librarian that takes a moment to users of {@link userTokens}, who may have many connections.
   *
   * @returns Asks as a user, and gives the status; 0 where the connection was closed.
   */
  async function serveUsers(limits: LimitOptions) {
    const tokens = userTokens.map((each, index) => ({ token: each, user: { id: `u${index}` } }));
    const librarian = async () => {
      await pause(300);
      return { answer: "so" };
    };
    const mesh = await serveMesh(
      { librarian },
      { auth: { tokens }, limits, trustedProxies: ["127.0.0.0/8"] },
    );
    return async (user: number): Promise<number> => {
      const headers = { authorization: `Bearer ${userTokens[user]}` };
      const reply = await mesh.post("/ask", { query: "q" }, { headers }).catch(() => undefined);
      await reply?.arrayBuffer();
      return reply?.status ?? 0;
    };
  }

  it.each([
    ["ten, with default limits", 10, {}],
    ["ten, without a limit a minute", 10, { requestsPerMinute: Number.POSITIVE_INFINITY }],
  ])("leave another one its answers: %s", async (_what, users, limits) => {
    const ask = await serveUsers(limits);
    let isOver = false;
    onTestFinished(() => {
      isOver = true;
    });
    const counts = new Map<number, number>();
    const flood = async (user: number) => {
      while (!isOver) {
        const status = await ask(user);
        counts.set(status, (counts.get(status) ?? 0) + 1);
        if (status !== 200) await pause(50);
      }
    };
    const flooding = Array.from({ length: users }, (_, user) =>
      Array.from({ length: 120 / users }, () => flood(user)),
    ).flat();
    await vi.waitFor(() => expect(counts.has(503) || counts.has(429)).toBe(true), 20_000);

    const statuses: number[] = [];
    const sequences = Array.from({ length: 4 }, async () => {
      for (let each = 0; each < 5; each++) statuses.push(await ask(10));
    });
    await Promise.all(sequences);
    isOver = true;
    await Promise.all(flooding);

    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(16);
    expect(counts.get(200)).toBeGreaterThan(0);
  });

  it("take turns: a place that becomes free goes to the one who has waited for its turn", async () => {
    const release: (() => void)[] = [];
    const asked: (string | undefined)[] = [];
    const tokens = userTokens.map((each, index) => ({ token: each, user: { id: `u${index}` } }));
    const mesh = await serveMesh(
      {
        held: async (_query, context) => {
          asked.push(context?.user?.id);
          await new Promise<void>((resolve) => release.push(resolve));
          return { answer: "so" };
        },
      },
      { auth: { tokens }, limits: { concurrency: 6, concurrencyPerUser: 7 } },
    );
    const ask = async (user: number) => {
      const headers = { authorization: `Bearer ${userTokens[user]}` };
      return (await mesh.post("/ask", { query: "q" }, { headers })).status;
    };
    const first = Array.from({ length: 6 }, () => ask(0));
    await vi.waitFor(() => expect(asked).toHaveLength(6), 20_000);

    // Its share is used up: it is refused at once. The others wait, at most with their shares.
    expect(await ask(0)).toBe(503);
    const others = [ask(1), ask(1), ask(2)];
    await pause(200);
    for (let freed = 0; freed < 3; freed++) {
      release[freed]?.();
      await vi.waitFor(() => expect(asked).toHaveLength(7 + freed), 20_000);
    }

    expect(asked.slice(6)).toEqual(["u1", "u2", "u1"]);
    for (const each of release) each();
    expect(await Promise.all([...first, ...others])).toEqual(Array.from({ length: 9 }, () => 200));
  });

  it("wait no longer than their client, and the server", async () => {
    const held = heldLibrarian();
    const tokens = userTokens.map((each, index) => ({ token: each, user: { id: `u${index}` } }));
    const mesh = await serveMesh(
      { held: held.librarian },
      { auth: { tokens }, limits: { concurrency: 1, drainMs: 10_000 } },
    );
    const ask = (user: number, signal?: AbortSignal) =>
      mesh.post(
        "/ask",
        { query: "q" },
        { headers: { authorization: `Bearer ${userTokens[user]}` }, ...(signal && { signal }) },
      );
    const first = ask(0);
    await held.asked;

    const left = new AbortController();
    const leaving = ask(1, left.signal).catch((thrown: unknown) => thrown);
    await pause(100);
    left.abort();
    await leaving;
    const status = async () => (await ask(2)).status; // waits in the place of the one that left
    const waiting = vi.waitFor(async () => expect(await status()).toBe(503), 20_000);
    await pause(100);
    const closed = mesh.server.close();
    await waiting.catch(() => undefined); // the server may have closed the connection
    held.answer();

    expect((await first).status).toBe(200);
    await closed;
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
