import { AsyncLocalStorage } from "node:async_hooks";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRouter, type Librarian } from "@constellation/core";
import { createJournal, createMemoryStore, createSqliteStore } from "@constellation/journal";
import {
  createHandler,
  type MeshHandler,
  type RequestLog,
  type ServerOptions,
} from "@constellation/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { echo, eventsOf, heldLibrarian, until } from "./served-mesh.js";

/** A handler for one librarian, closed when the test is over. */
function handlerFor(librarian: Librarian, options: ServerOptions = {}): MeshHandler {
  const router = createRouter();
  router.register({ id: "only", description: "answers", librarian });
  const handler = createHandler(router, { allowAnonymous: true, ...options });
  onTestFinished(async () => {
    await handler.close();
    await router.close({ timeoutMs: 100 });
  });
  return handler;
}

function ask(query: string, init: RequestInit = {}, path = "/ask"): Request {
  return new Request(`https://app.example${path}`, {
    method: "POST",
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
    body: JSON.stringify({ query }),
  });
}

const get = (path: string, init?: RequestInit) => new Request(`https://app.example${path}`, init);

describe("createHandler", () => {
  it("serves the API and the page", async () => {
    const handler = handlerFor(echo);

    const answered = await handler(ask("Why?"));
    const page = await handler(get("/"));
    const script = await handler(get("/console/main.js"));
    const head = await handler(get("/healthz", { method: "HEAD" }));
    const missing = await handler(get("/nowhere"));

    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({ answer: "You asked: Why?" });
    expect(await page.text()).toContain("<title>Constellation</title>");
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(script.headers.get("content-type")).toContain("text/javascript");
    expect([head.status, head.body]).toEqual([200, null]);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect(missing.headers.has("connection")).toBe(false);
  });

  it("serves as the route handlers of a Next.js application, whose requests are of a class of its own", async () => {
    class NextRequest extends Request {
      readonly nextUrl = new URL(this.url);
    }
    const mesh = handlerFor(echo, { basePath: "/mesh" });
    // What app/mesh/[[...path]]/route.ts exports.
    const route = {
      GET: (request: Request) => mesh(request),
      POST: (request: Request) => mesh(request),
    };
    // Next.js finds a route by its path and method, and calls it with the parameters of the path beside.
    const call = (request: NextRequest, params: object): Promise<Response> =>
      Reflect.apply(route[request.method as "GET" | "POST"], undefined, [request, { params }]);
    const at = (path: string, init?: RequestInit) => new NextRequest(get(`/mesh${path}`, init));

    const page = await call(at(""), {});
    const script = await call(at("/console/main.js"), { path: ["console", "main.js"] });
    const asked = at("/ask", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "Why?" }),
    });
    const answered = await call(asked, { path: ["ask"] });
    const stream = await call(at("/ask/stream?query=Why"), { path: ["ask", "stream"] });

    expect(await page.text()).toContain('src="/mesh/console/main.js"');
    expect(script.status).toBe(200);
    expect(await answered.json()).toMatchObject({ answer: "You asked: Why?" });
    expect((await stream.text()).match(/^event: response$/gm)).toHaveLength(1);
  });

  it("streams while the run continues", async () => {
    const held = heldLibrarian();
    const handler = handlerFor(held.librarian);
    const stream = await handler(get("/ask/stream?query=hi"));
    const seen: string[] = [];

    for await (const { event } of eventsOf(stream)) {
      seen.push(event);
      if (event === "hop:start") held.answer();
    }

    expect(seen).toEqual(["run", "run:start", "hop:start", "hop:end", "run:end", "response"]);
  });

  it.each([
    ["the signal of the request", "abort"],
    ["the body of the response", "cancel"],
  ])("cancels the run with %s", async (_, how) => {
    const held = heldLibrarian();
    const handler = handlerFor(held.librarian);
    const client = new AbortController();
    const stream = await handler(get("/ask/stream?query=hi", { signal: client.signal }));
    const signal = await held.asked;

    if (how === "abort") client.abort();
    else await stream.body?.cancel();

    await until(() => signal.aborted);
    expect(signal.reason).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
  });

  it("rejects with the reason of a signal that aborts before there is a response", async () => {
    const held = heldLibrarian();
    const handler = handlerFor(held.librarian);
    const client = new AbortController();
    const refused = handler(ask("hi", { signal: client.signal }));
    const signal = await held.asked;
    const reason = new Error("the tab was closed");

    client.abort(reason);

    await expect(refused).rejects.toBe(reason);
    await until(() => signal.aborted);
  });

  it("waits for a client that does not read, and disconnects it after `stallMs`", async () => {
    let reports = 0;
    const handler = handlerFor(
      async (_query, context) => {
        while (context?.signal?.aborted !== true && reports < 20_000) {
          reports++;
          context?.report?.("x".repeat(10_000));
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        return { answer: "done" };
      },
      { limits: { stallMs: 50 } },
    );
    const stream = await handler(get("/ask/stream?query=hi"));

    await until(async () => {
      return /"stopReason":/.test(await (await handler(get("/runs"))).text());
    });

    await expect(stream.text()).rejects.toThrow();
  });

  it("logs each request once, with the status that was sent", async () => {
    const lines: RequestLog[] = [];
    const handler = handlerFor(echo, { log: (line) => lines.push(line) });

    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const reply = await handler(index % 2 === 0 ? ask(`q${index}`) : get("/console/main.js"));
        await reply.arrayBuffer();
        return reply.status;
      }),
    );
    await until(() => lines.length === 50);

    expect(new Set(replies)).toEqual(new Set([200]));
    expect(new Set(lines.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("keeps the limit of a body that streams, and of headers", async () => {
    const handler = handlerFor(echo, { limits: { bodyBytes: 1_000 } });
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(500).fill(32)),
    });

    const large = await handler(
      new Request("https://app.example/ask", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: endless,
        duplex: "half",
      } as RequestInit),
    );
    const long = await handler(get("/healthz", { headers: { "x-long": "x".repeat(20_000) } }));

    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error: { details: { field: "body" } } });
    expect(long.status).toBe(431);
  });

  it("does not wait longer than `requestMs` for a body", async () => {
    const handler = handlerFor(echo, { limits: { requestMs: 30 } });
    const silent = new ReadableStream<Uint8Array>({});

    const refused = await handler(
      new Request("https://app.example/ask", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: silent,
        duplex: "half",
      } as RequestInit),
    );

    expect(refused.status).toBe(408);
    expect(await refused.json()).toMatchObject({ error: { code: "INVALID_QUERY" } });
  });

  it("runs in the asynchronous context of its caller", async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const handler = handlerFor(async () => {
      seen.push(storage.getStore());
      return { answer: "ok" };
    });
    await handler.ready;

    await Promise.all(
      ["a", "b"].map((name) =>
        storage.run(name, async () => (await handler(ask(name))).arrayBuffer()),
      ),
    );

    expect(seen.sort()).toEqual(["a", "b"]);
  });

  it("answers requests that were in progress when it closes, and refuses later ones", async () => {
    const held = heldLibrarian();
    const handler = handlerFor(held.librarian);
    const reply = handler(ask("hi"));
    await held.asked;

    const closed = handler.close();
    held.answer();
    await closed;

    expect((await reply).status).toBe(200);
    const late = await handler(ask("hi"));
    expect(late.status).toBe(503);
    expect(await late.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } });
  });

  it("refuses wrong options at once, and a journal that cannot be opened when it is ready", async () => {
    const router = createRouter();
    expect(() => createHandler(router, { console: "yes" } as never)).toThrow("console: expected");
    expect(() => createHandler(router, { debug: true })).toThrow("debug: it shows stacks");

    const store = createSqliteStore({ file: "/dev/null/journal.db" });
    const handler = createHandler(router, { journal: createJournal({ store }) });
    await expect(handler.ready).rejects.toThrow("/dev/null/journal.db cannot be opened");
    await expect(handler(get("/healthz"))).rejects.toThrow("cannot be opened");
    await handler.close();
  });
});

describe("users of a handler", () => {
  it("are those that the application passes, and see their own runs only", async () => {
    const users: unknown[] = [];
    const handler = handlerFor(
      async (_query, context) => {
        users.push(context?.user);
        return { answer: "ok" };
      },
      { allowAnonymous: false },
    );

    const anonymous = await handler(ask("hi"));
    const answered = await handler(ask("mine"), { user: { id: "ann" } });
    const path = `/runs/${answered.headers.get("x-run-id")}`;
    const own = await handler(get(path), { user: { id: "ann" } });
    const other = await handler(get(path), { user: { id: "bob" } });

    expect(anonymous.status).toBe(401);
    expect(users).toEqual([{ id: "ann" }]);
    expect(await own.json()).toMatchObject({ record: { query: "mine" } });
    expect(await other.json()).toMatchObject({ withheld: true });
    expect((await handler(get("/healthz"))).status).toBe(200);
  });

  it("answer what names them, and ask again in their own name only", async () => {
    const journal = createJournal({ store: createMemoryStore() });
    const router = createRouter({ journal });
    router.register({
      id: "only",
      description: "answers",
      librarian: async (_query, { approve }) => {
        await approve({ what: "Pay", by: { users: ["boss"] } });
        return { answer: "Paid." };
      },
    });
    const handler = createHandler(router, { journal, mayReadRun: () => true });
    onTestFinished(async () => {
      await handler.close();
      await router.close({ timeoutMs: 100 });
    });
    const [ada, boss] = ["ada", "boss"].map((id) => ({ user: { id } }));
    const runId = (await handler(ask("Why?"), ada)).headers.get("x-run-id") ?? "";
    const waitingFor = async (caller: object | undefined) => {
      const reply = await handler(get("/waiting"), caller);
      return ((await reply.json()) as { readonly waiting: readonly unknown[] }).waiting.length;
    };
    const listed = [await waitingFor(ada), await waitingFor(boss)];
    const fork = new Request(`https://app.example/runs/${runId}/fork`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ at: "only", query: "Pay me" }),
    });
    const forked = await handler(fork, boss);

    expect(listed).toEqual([0, 1]);
    expect(forked.status).toBe(403);
  });

  it("are counted by the address that the application passes", async () => {
    const handler = handlerFor(echo, { limits: { requestsPerMinute: 1 } });
    const statuses: number[] = [];

    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.2"]) {
      statuses.push((await handler(ask("hi"), { address })).status);
    }

    expect(statuses).toEqual([200, 429, 200]);
  });

  it("may have a token of `auth` instead", async () => {
    const token = "a-token-of-24-characters";
    const handler = handlerFor(echo, {
      allowAnonymous: false,
      auth: { tokens: [{ token, user: { id: "ci" } }] },
    });

    expect((await handler(ask("hi"))).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await handler(ask("hi", { headers }))).status).toBe(200);
  });

  it("cannot come from a page of another origin", async () => {
    const handler = handlerFor(echo);

    const own = await handler(ask("hi", { headers: { origin: "https://app.example" } }));
    const other = await handler(ask("hi", { headers: { origin: "https://evil.example" } }));

    expect([own.status, other.status]).toEqual([200, 403]);
  });
});

describe("basePath", () => {
  it("is taken off requests, and put before the links of the page and the URLs that mounts receive", async () => {
    const handler = handlerFor(echo, {
      basePath: "/mesh",
      mounts: { "/hello": async (request) => new Response(request.url) },
    });

    const page = await (await handler(get("/mesh"))).text();
    const links = [...page.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, link = ""]) => link);
    const statuses = await Promise.all(
      links.map(async (link) => (await handler(get(link))).status),
    );

    expect(links.length).toBeGreaterThan(5);
    expect(links.every((link) => link.startsWith("/mesh/"))).toBe(true);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await handler(ask("hi", {}, "/mesh/ask"))).status).toBe(200);
    expect((await handler(ask("hi", {}, "/meshes/ask"))).status).toBe(404);
    expect(await (await handler(get("/mesh/hello?a=1"))).text()).toBe(
      "https://app.example/mesh/hello?a=1",
    );
    expect(await (await handler(get("/mesh/openapi.json"))).json()).toMatchObject({
      servers: [{ url: "/mesh" }],
    });
  });
});

describe("nodeListener", () => {
  it("answers requests of node:http, and learns of clients that leave", async () => {
    const held = heldLibrarian();
    const handler = handlerFor(held.librarian, { allowAnonymous: false });
    const listener = handler.nodeListener(({ headers }) => ({
      user: headers["x-user"] === undefined ? undefined : { id: String(headers["x-user"]) },
    }));
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    expect((await fetch(`${url}/ask/stream?query=hi`)).status).toBe(401);
    const client = new AbortController();
    await fetch(`${url}/ask/stream?query=hi`, {
      headers: { "x-user": "ann" },
      signal: client.signal,
    });
    const signal = await held.asked;
    client.abort();

    await until(() => signal.aborted);
  });
});
