import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createRouter } from "@constellation/core";
import { createHttpTransport, createTransport, serveLibrarians } from "@constellation/transport";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../test/free-ports.js";
import { testTransport } from "../suite/transport-suite.js";
import { createHttpLink } from "./http-link.js";
import { linkPath } from "./options.js";

const times = { heartbeatMs: 50, lostAfterMs: 300, presenceMs: 100, maxAttempts: 3 };
const token = "a-token-of-some-length";

/** Starts processes: each connects to those of its mesh that were there before it. */
function processes() {
  const urls = new Map<string, string[]>();
  return async (mesh: string) => {
    const peers = urls.get(mesh) ?? [];
    urls.set(mesh, peers);
    const link = createHttpLink({ mesh, listen: {}, peers: [...peers] });
    const transport = createTransport(
      {
        ...link,
        get isConnected() {
          return link.isConnected;
        },
        async open(signal) {
          await link.open(signal);
          peers.push(`http://127.0.0.1:${link.port}`);
        },
      },
      { ...times, mesh, caller: "test" },
    );
    return { transport, crash: () => link.close() };
  };
}

testTransport("HTTP", { start: processes() });

describe("a transport over HTTP", () => {
  /** A router with a transport, and the address that it listens at. */
  async function start(
    options: Partial<Parameters<typeof createHttpTransport>[0]>,
    answer?: string,
  ) {
    const transport = createHttpTransport({ ...times, token, ...options });
    const router = createRouter({ transport });
    if (answer !== undefined) {
      router.register({ id: "docs", description: "docs", librarian: async () => ({ answer }) });
      serveLibrarians(router, transport);
    }
    onTestFinished(() => router.close());
    await router.open();
    return router;
  }

  const urlOf = (port: number) => `http://127.0.0.1:${port}`;

  it("needs a way in at one side alone: the other may serve as well as call", async () => {
    const port = await freePort();
    const desk = await start({ listen: { port } });
    await start({ peers: [urlOf(port)] }, "from behind");

    await expect.poll(() => desk.list().map(({ id }) => id)).toEqual(["docs"]);
    expect((await desk.ask("q", { to: "docs" })).answer).toBe("from behind");
  });

  it("works where each process has the same list of all, its own address too", async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const peers = ports.map(urlOf);
    const answers = ["first", "second", undefined];
    const [, , desk] = await Promise.all(
      ports.map((port, index) => start({ listen: { port }, peers }, answers[index])),
    );
    if (desk === undefined) throw new Error("Three were started.");
    await expect
      .poll(async () => JSON.stringify(await desk.health()), { timeout: 20_000 })
      .toContain("2 processes");

    const asked = Array.from({ length: 20 }, () => desk.ask("q", { to: "docs" }));
    const given = (await Promise.all(asked)).map(({ answer }) => answer);

    expect(new Set(given)).toEqual(new Set(["first", "second"]));
  });

  it("connects again to a process that was away", async () => {
    const port = await freePort();
    const desk = await start({ peers: [urlOf(port)] });
    expect((await desk.ask("q", { to: "docs" })).error?.code).toBe("NOT_FOUND");

    await start({ listen: { port } }, "here now");

    await expect
      .poll(async () => (await desk.ask("q", { to: "docs" })).answer, { timeout: 20_000 })
      .toBe("here now");
  });

  it.each([
    ["another token", { authorization: "Bearer another token" }, 401],
    ["no token", {}, 401],
    ["another mesh", { authorization: `Bearer ${token}`, "constellation-mesh": "other" }, 421],
    ["no name of its own", { authorization: `Bearer ${token}` }, 400],
    [
      "nothing to send to yet",
      { authorization: `Bearer ${token}`, "constellation-node": "a-random-id-of-some-length" },
      409,
    ],
  ])("refuses a process with %s", async (_what, headers, status) => {
    const port = await freePort();
    await start({ listen: { port } }, "secret");

    const given = { "constellation-mesh": "constellation", ...headers };
    const reply = await fetch(`${urlOf(port)}${linkPath}`, { method: "POST", headers: given });

    expect(reply.status).toBe(status);
  });

  it.each([
    ["for another host name", { host: "evil.example" }, 403],
    ["for another host name, with a port", { host: "evil.example:7000" }, 403],
    ["of a page", { origin: "http://127.0.0.1:7000" }, 403],
    ["of a page that looks like its own", { "sec-fetch-site": "same-origin" }, 403],
    ["of a process, by a name of this machine", { host: "localhost:7000" }, 409],
  ])("without a token refuses a request %s", async (_what, headers, status) => {
    const port = await freePort();
    await start({ listen: { port }, token: undefined }, "secret");
    const given = {
      "constellation-mesh": "constellation",
      "constellation-node": "a-random-id-of-some-length",
      ...headers,
    };

    const sent = request(`${urlOf(port)}${linkPath}`, { method: "POST", headers: given }).end();
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    reply.resume();

    expect(reply.statusCode).toBe(status);
  });

  it.each([
    [{}, "peers"],
    [{ peers: ["nats://x"] }, "peers"],
    [{ peers: ["http://x"], token: "short" }, "token"],
    [{ listen: { host: "0.0.0.0" } }, "token"],
    [{ listen: { port: 70_000 } }, "listen.port"],
    [{ listen: {}, tls: { certFile: "x" } }, "tls"],
    [{ listen: {}, mesh: "a.b" }, "mesh"],
    [{ listen: {}, heartbeatMs: 1_000, lostAfterMs: 2_000 }, "lostAfterMs"],
    [{ listen: {}, more: 1 }, "more"],
  ])("refuses the options %j, and names the key", (options, key) => {
    expect(() => createHttpTransport(options)).toThrow(key);
  });
});
