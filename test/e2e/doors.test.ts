import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { createA2AHandler } from "@constellation/a2a";
import { createRouter, type Librarian, type RouterOptions } from "@constellation/core";
import { createMcpHandler } from "@constellation/mcp";
import { createServer, type ServerOptions } from "@constellation/server";
import { describe, expect, it, onTestFinished } from "vitest";

const tokens = {
  clerk: "the-token-of-the-clerk",
  hr: "the-token-of-someone-of-hr",
} as const;
type Who = keyof typeof tokens;

/** A mesh with the librarians `desk` (the entry), `echo`, and `payroll` for hr alone, behind every door. */
async function serve(
  librarians: { readonly desk: Librarian },
  options: ServerOptions = {},
  routerOptions: RouterOptions = { entry: "desk" },
) {
  const router = createRouter({ timeoutMs: 60_000, ...routerOptions });
  const echo: Librarian = async (query) => ({ answer: `You asked: ${query}` });
  router.register({ id: "desk", description: "delegates", librarian: librarians.desk });
  router.register({ id: "echo", description: "repeats", librarian: echo });
  router.register({
    id: "payroll",
    description: "knows salaries",
    allow: { roles: ["hr"] },
    librarian: async () => ({ answer: "It is 42." }),
  });
  let ended = 0;
  const a2a = createA2AHandler(router, { auth: "bearer" });
  const server = await createServer(router, {
    auth: {
      tokens: (["clerk", "hr"] as const).map((who) => ({
        token: tokens[who],
        user: { id: who, roles: [who] },
        observed: who === "hr",
      })),
    },
    log: () => ended++,
    ...options,
    mounts: { "/a2a": a2a, "/mcp": createMcpHandler(router), ...options.mounts },
  });
  const { url, port } = await server.listen();
  onTestFinished(async () => {
    await router.close({ timeoutMs: 100 });
    await server.close();
  });
  return {
    router,
    server,
    port,
    /** Number of requests that have ended. */
    ended: () => ended,
    send(who: Who, path: string, body?: unknown, init: RequestInit = {}) {
      return fetch(url + path, {
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
        ...init,
        headers: {
          authorization: `Bearer ${tokens[who]}`,
          accept: "application/json, text/event-stream",
          "a2a-version": "0.3",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...init.headers,
        },
      });
    },
  };
}

type Mesh = Awaited<ReturnType<typeof serve>>;

let lastId = 0;

/** A message to the A2A agent. */
function messageOf(
  text: string,
  method = "message/send",
  blocking = true,
  metadata: object = {},
): object {
  const id = ++lastId;
  const message = {
    kind: "message",
    messageId: `m${id}`,
    role: "user",
    parts: [{ kind: "text", text }],
    metadata,
  };
  return { jsonrpc: "2.0", id, method, params: { message, configuration: { blocking } } };
}

/** Begins a session of MCP. @returns The header that names it. */
async function openSession({ send }: Mesh, who: Who): Promise<Record<string, string>> {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const begun = await send(who, "/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params });
  await begun.text();
  return { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
}

/** A call of a tool of the MCP server. */
function callOf(name: string, given: object, meta: object = {}): object {
  const params = { name, arguments: given, _meta: meta };
  return { jsonrpc: "2.0", id: ++lastId, method: "tools/call", params };
}

/** Sends a request whose client leaves once `isBegun`. */
async function leave(
  sent: (signal: AbortSignal) => Promise<Response>,
  isBegun: () => boolean,
): Promise<void> {
  const controller = new AbortController();
  const reply = sent(controller.signal).then(
    (response) => response.text(),
    () => undefined, // the client has left
  );
  await expect.poll(isBegun, { timeout: 20_000 }).toBe(true);
  controller.abort();
  await reply.catch(() => undefined);
}

describe("the places of a user", () => {
  type Begin = (mesh: Mesh, isBegun: () => boolean) => Promise<unknown>;

  const ways: readonly (readonly [string, Begin])[] = [
    [
      "a query over HTTP whose client left",
      ({ send }, isBegun) =>
        leave((signal) => send("clerk", "/ask", { query: "q" }, { signal }), isBegun),
    ],
    [
      "a stream over HTTP whose client left",
      ({ send }, isBegun) =>
        leave((signal) => send("clerk", "/ask/stream", { query: "q" }, { signal }), isBegun),
    ],
    [
      "a task of A2A that nobody waits for",
      async ({ send }, isBegun) => {
        await (await send("clerk", "/a2a", messageOf("q", "message/send", false))).text();
        await expect.poll(isBegun, { timeout: 20_000 }).toBe(true);
      },
    ],
    [
      "a stream of A2A whose client left",
      ({ send }, isBegun) =>
        leave(
          (signal) => send("clerk", "/a2a", messageOf("q", "message/stream"), { signal }),
          isBegun,
        ),
    ],
    [
      "a call of MCP whose client left",
      async (mesh, isBegun) => {
        const headers = await openSession(mesh, "clerk");
        const call = callOf("query", { query: "q" });
        await leave((signal) => mesh.send("clerk", "/mcp", call, { signal, headers }), isBegun);
      },
    ],
    [
      "a mount that asks in the background",
      async ({ send }, isBegun) => {
        await (await send("clerk", "/hook", {})).text();
        await expect.poll(isBegun, { timeout: 20_000 }).toBe(true);
      },
    ],
    [
      "other work that a mount reports",
      async ({ send }) => {
        await (await send("clerk", "/work", {})).text();
      },
    ],
  ];

  it.each(ways)("are held by %s, until it has really ended", async (_what, begin) => {
    let running = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const desk: Librarian = async () => {
      running++;
      await released; // whatever its signal says
      return { answer: "late" };
    };
    const routers: Mesh["router"][] = [];
    const mesh = await serve(
      { desk },
      {
        limits: { concurrencyPerUser: 2, requestsPerMinute: Number.POSITIVE_INFINITY },
        mounts: {
          "/hook": async () => {
            void routers[0]?.ask("q");
            return new Response("accepted", { status: 202 });
          },
          "/work": async (_request, { waitUntil }) => {
            waitUntil(released);
            return new Response("accepted", { status: 202 });
          },
        },
      },
    );
    routers.push(mesh.router);
    const ask = async (who: Who) => {
      const reply = await mesh.send(who, "/ask", { query: "now", to: "echo" });
      await reply.text();
      return reply.status;
    };

    await begin(mesh, () => running === 1);
    await begin(mesh, () => running === 2);
    const before = mesh.ended();
    const statuses = [await ask("clerk"), await ask("clerk"), await ask("clerk")];
    await expect.poll(() => mesh.ended() - before, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);

    expect([...statuses, await ask("clerk")]).toEqual([429, 429, 429, 429]);
    expect(await ask("hr")).toBe(200);
    release();
    await expect.poll(() => ask("clerk"), { timeout: 20_000 }).toBe(200);
  });

  it("are waited for when the server closes, where no client waits any more", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const desk: Librarian = async () => {
      await released;
      return { answer: "done" };
    };
    const mesh = await serve({ desk });
    const stopReasons: string[] = [];
    mesh.router.on("run:end", ({ stopReason }) => void stopReasons.push(stopReason));
    await (await mesh.send("clerk", "/a2a", messageOf("q", "message/send", false))).text();

    const closed = mesh.server.close();
    release();
    await closed;

    expect(stopReasons).toEqual(["answered"]);
  });
});

describe("a librarian whose `allow` refuses the user", () => {
  /** Delegates to several or to one, and tells a caller that names it too. */
  const desk: Librarian = async (query) =>
    query === "all"
      ? { delegate: [{ to: "echo" }, { to: "payroll", context: { reason: "payroll knows" } }] }
      : { delegate: { to: "payroll" } };

  const doors: readonly (readonly [string, (mesh: Mesh, who: Who) => Promise<Response>])[] = [
    ["an answer", ({ send }, who) => send(who, "/ask", { query: "all" })],
    ["an error", ({ send }, who) => send(who, "/ask", { query: "one" })],
    ["a stream", ({ send }, who) => send(who, "/ask/stream", { query: "all" })],
    [
      "the envelope for a calling mesh",
      ({ send }, who) =>
        send(
          who,
          "/ask",
          { query: "all", call: { v: 1, path: [], remainingMs: 5_000 } },
          { headers: { "constellation-envelope": "1" } },
        ),
    ],
    ["the list of runs", ({ send }, who) => send(who, "/runs")],
    ["the list of runs that are sought", ({ send }, who) => send(who, "/runs?q=desk")],
    ["metrics", ({ send }, who) => send(who, "/metrics")],
    ["the list of librarians", ({ send }, who) => send(who, "/librarians")],
    ["the health of the mesh", ({ send }, who) => send(who, "/readyz")],
    ["the description of the API", ({ send }, who) => send(who, "/openapi.json")],
    ["the agent card", ({ send }, who) => send(who, "/a2a/.well-known/agent-card.json")],
    ["a task of A2A", ({ send }, who) => send(who, "/a2a", messageOf("all"))],
    ["a task of A2A that fails", ({ send }, who) => send(who, "/a2a", messageOf("one"))],
    ["a stream of A2A", ({ send }, who) => send(who, "/a2a", messageOf("all", "message/stream"))],
    [
      "an answer of MCP, with its progress",
      async (mesh, who) => {
        const call = callOf("query", { query: "all" }, { progressToken: "p" });
        return mesh.send(who, "/mcp", call, { headers: await openSession(mesh, who) });
      },
    ],
    [
      "an error of MCP",
      async (mesh, who) =>
        mesh.send(who, "/mcp", callOf("query", { query: "one" }), {
          headers: await openSession(mesh, who),
        }),
    ],
    [
      "the librarians of MCP",
      async (mesh, who) =>
        mesh.send(who, "/mcp", callOf("list_librarians", {}), {
          headers: await openSession(mesh, who),
        }),
    ],
  ];

  it.each(doors)("is not named by %s", async (_what, read) => {
    const mesh = await serve({ desk });
    // Runs of one who may ask it, and of one who may not.
    for (const who of ["hr", "clerk"] as const) {
      for (const query of ["all", "one"]) await (await mesh.send(who, "/ask", { query })).text();
    }

    const text = await (await read(mesh, "clerk")).text();

    expect(text).not.toBe("");
    expect(text).not.toContain("payroll");
  });

  it("is not named by any run, its own or another's, in any form; those who may ask it read it", async () => {
    const mesh = await serve({ desk }, { recordContent: true });
    const ids: string[] = [];
    for (const who of ["hr", "clerk"] as const) {
      for (const body of [{ query: "all" }, { query: "one" }, { query: "q", to: "payroll" }]) {
        const reply = await mesh.send(who, "/ask", body);
        await reply.text();
        ids.push(reply.headers.get("x-run-id") ?? "");
      }
    }
    const read = async (who: Who) => {
      const paths = ids.flatMap((id) =>
        ["", "?format=json", "?format=mermaid"].map((form) => id + form),
      );
      return Promise.all(paths.map(async (path) => (await mesh.send(who, `/runs/${path}`)).text()));
    };

    expect((await read("clerk")).filter((text) => text.includes("payroll"))).toEqual([]);
    expect((await read("hr")).every((text) => text.includes("payroll"))).toBe(true);
    expect(await (await mesh.send("hr", "/metrics")).text()).toContain('librarian="payroll"');
  });
});

describe("metadata from outside", () => {
  const facts = { environment: "production" };
  const call = { v: 1, path: [], remainingMs: 5_000, metadata: { facts } };

  const doors: readonly (readonly [string, (mesh: Mesh, who: Who) => Promise<Response>])[] = [
    ["HTTP", ({ send }, who) => send(who, "/ask", { query: "q", metadata: { facts } })],
    ["HTTP, of a calling mesh", ({ send }, who) => send(who, "/ask", { query: "q", call })],
    [
      "MCP",
      async (mesh, who) =>
        mesh.send(
          who,
          "/mcp",
          callOf("query", { query: "q" }, { "dev.constellation/call": call }),
          {
            headers: await openSession(mesh, who),
          },
        ),
    ],
    [
      "A2A",
      ({ send }, who) => {
        const extension = "https://constellation.dev/a2a/extensions/call-envelope/v1";
        return send(who, "/a2a", messageOf("q", "message/send", true, { [extension]: call }));
      },
    ],
  ];

  it.each(doors)(
    "is a claim over %s, unless the token says that it was observed",
    async (_what, ask) => {
      const seen: unknown[] = [];
      const desk: Librarian = async (_query, context) => {
        seen.push([context?.metadata?.facts, context?.observed?.(context.metadata?.facts)?.by]);
        return { answer: "so" };
      };
      const mesh = await serve({ desk });

      await (await ask(mesh, "clerk")).text();
      await (await ask(mesh, "hr")).text();

      expect(seen).toEqual([
        [facts, undefined],
        [facts, "caller"],
      ]);
    },
  );
});

describe("a mesh without an entry", () => {
  it("names only the librarians that the user may ask", async () => {
    const mesh = await serve({ desk: async () => ({ answer: "so" }) }, {}, {});

    const text = await (await mesh.send("clerk", "/ask", { query: "q" })).text();

    expect(text).toContain("Registered: desk, echo");
    expect(text).not.toContain("payroll");
  });
});

describe("the agent card", () => {
  const desk: Librarian = async () => ({ answer: "so" });
  const cardPath = "/a2a/.well-known/agent-card.json";

  async function cardUrl(port: number, headers: Record<string, string>): Promise<unknown> {
    const sent = request({ host: "127.0.0.1", port, path: cardPath, headers }).end();
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    let text = "";
    for await (const piece of reply.setEncoding("utf8")) text += piece;
    return (JSON.parse(text) as { readonly url: unknown }).url;
  }

  it("needs no token; no other mount, and nothing else of its own, is open beside it", async () => {
    const mesh = await serve(
      { desk },
      { mounts: { "/reports": async () => new Response("secret") } },
    );
    const open = { headers: { authorization: "" } };
    const status = async (path: string) => (await mesh.send("clerk", path, undefined, open)).status;

    expect(await status(cardPath)).toBe(200);
    for (const path of [
      "/a2a",
      `${cardPath}/`,
      "/reports/.well-known/agent-card.json",
      "/mcp/.well-known/agent-card.json",
    ]) {
      expect([path, await status(path)]).toEqual([path, 401]);
    }
  });

  it("never has an address from a header that anyone can send", async () => {
    const { port } = await serve({ desk });
    const own = `http://127.0.0.1:${port}/a2a`;

    for (const host of ["evil.example", "evil.example:80", 'a"b', "evil.example/x?"]) {
      const forged = { host, "x-forwarded-host": "evil2", "x-forwarded-proto": "javascript" };
      expect(await cardUrl(port, forged)).toBe(own);
    }
  });

  it("has the public URL, or what a trusted proxy reports", async () => {
    const fixed = await serve({ desk }, { publicUrl: "https://mesh.example.com" });
    const proxied = await serve({ desk }, { trustedProxies: ["127.0.0.1"] });
    const forwarded = {
      host: "inside",
      "x-forwarded-host": "mesh.example.org",
      "x-forwarded-proto": "https",
    };

    expect(await cardUrl(fixed.port, forwarded)).toBe("https://mesh.example.com/a2a");
    expect(await cardUrl(proxied.port, forwarded)).toBe("https://mesh.example.org/a2a");
  });
});
