import { request } from "node:http";
import type { Librarian } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { echo, heldLibrarian, serveMesh } from "./served-mesh.js";

const tokens = [
  { token: "the-token-of-ada", user: { id: "ada" } },
  { token: "the-token-of-bob", user: { id: "bob" } },
];
const as = (token: string | undefined) => ({ headers: { authorization: `Bearer ${token}` } });

describe("the rate limit", () => {
  it("counts each user separately, and sends retry-after", async () => {
    const mesh = await serveMesh({ echo }, { auth: { tokens }, limits: { requestsPerMinute: 2 } });
    const ask = (user: number) => mesh.post("/ask", { query: "hi" }, as(tokens[user]?.token));

    expect([(await ask(0)).status, (await ask(0)).status]).toEqual([200, 200]);
    const third = await ask(0);

    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await third.json()).toMatchObject({ error: { code: "RATE_LIMITED" } });
    expect((await ask(1)).status).toBe(200);
  });

  it("counts addresses where no token is required", async () => {
    const mesh = await serveMesh({ echo }, { limits: { requestsPerMinute: 1 } });

    expect((await mesh.fetch("/runs")).status).toBe(200);
    expect((await mesh.fetch("/runs")).status).toBe(429);
  });

  it("trusts x-forwarded-for only from trusted proxies", async () => {
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    const plain = await serveMesh({ echo }, { limits: { requestsPerMinute: 1 } });
    const proxied = await serveMesh(
      { echo },
      { limits: { requestsPerMinute: 1 }, trustedProxies: ["127.0.0.1"] },
    );

    await plain.fetch("/runs", from("10.0.0.1"));
    await proxied.fetch("/runs", from("10.0.0.1"));

    expect((await plain.fetch("/runs", from("10.0.0.2"))).status).toBe(429);
    expect((await proxied.fetch("/runs", from("10.0.0.2"))).status).toBe(200);
  });

  it("does not count health checks and metrics", async () => {
    const mesh = await serveMesh({ echo }, { limits: { requestsPerMinute: 1 } });

    for (const path of ["/healthz", "/readyz", "/metrics", "/healthz", "/readyz", "/metrics"]) {
      expect((await mesh.fetch(path)).status).toBe(200);
    }
  });
});

describe("pages of other sites", () => {
  it.each([
    ["another origin", { origin: "https://evil.example" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["a file", { origin: "null" }],
    ["another site, by GET", { "sec-fetch-site": "cross-site" }],
    ["a name that suddenly points here", { host: "evil.example" }],
  ])("may not ask: %s", async (_what, headers) => {
    const librarian = vi.fn(echo);
    const mesh = await serveMesh({ librarian });

    const status = await statusOf(`${mesh.url}/ask/stream?query=hi`, headers);

    expect(status).toBe(403);
    expect(librarian).not.toHaveBeenCalled();
  });

  it("may ask from the server's own page, and from an origin that is trusted", async () => {
    const mesh = await serveMesh({ echo }, { trustedOrigins: ["https://mesh.example.com"] });
    const url = `${mesh.url}/ask/stream?query=hi`;

    expect(await statusOf(url, { origin: mesh.url, "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await statusOf(url, { origin: "https://mesh.example.com" })).toBe(200);
    expect(await statusOf(url, { host: "mesh.example.com" })).toBe(200);
  });

  it("may frame nothing and sniff nothing", async () => {
    const mesh = await serveMesh({ echo });

    for (const path of ["/", "/runs", "/nothing", "/%zz", "/ask/stream?query=hi"]) {
      const { headers } = await mesh.fetch(path);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

/** Sends headers that `fetch` would not. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject).end();
  });
}

describe("a server under load", () => {
  it("gives one user only a share of its places, and the others theirs", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh(
      { held: held.librarian, echo },
      { auth: { tokens }, limits: { concurrency: 4, concurrencyPerUser: 2 } },
    );
    const ask = (user: number, to: string) =>
      mesh.post("/ask", { query: "hi", to }, as(tokens[user]?.token));
    const waiting = [ask(0, "held"), ask(0, "held")];
    await vi.waitFor(async () => expect((await ask(0, "echo")).status).toBe(429), 20_000);

    const refused = await ask(0, "echo");
    const other = await ask(1, "echo");

    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ error: { code: "RATE_LIMITED" } });
    expect(other.status).toBe(200);
    held.answer();
    await Promise.all(waiting);
    expect((await ask(0, "echo")).status).toBe(200);
  });

  it("refuses at once what would be late by its place in the queue alone", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow: Librarian = async (query) => {
      await (query === "first" ? new Promise((resolve) => setTimeout(resolve, 200)) : released);
      return { answer: "done" };
    };
    const mesh = await serveMesh({ slow }, {}, { concurrency: 1 });
    await mesh.post("/ask", { query: "first" }); // now the router knows how long a call takes
    const queued = Array.from({ length: 10 }, () => mesh.post("/ask", { query: "more" }));
    await vi.waitFor(() => expect(mesh.router.load().waiting).toBeGreaterThan(5), 20_000);

    const late = await mesh.post("/ask", { query: "late", timeoutMs: 500 });
    release(); // of those before it none had ended

    expect(late.status).toBe(503);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await late.json()).toMatchObject({ error: { details: { reason: "overloaded" } } });
    expect((await Promise.all(queued)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  });
});
