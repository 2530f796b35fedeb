import { createRouter, type ServiceHost } from "@constellation/core";
import { createServer, type ServerOptions } from "@constellation/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { aborted, echo, serveMesh, until } from "./served-mesh.js";

const tokens = [{ token: "the-token-of-ada", user: { id: "ada" } }];
const asAda = { authorization: "Bearer the-token-of-ada" };

describe("a mount", () => {
  it("gets the request as it came, and its response goes out as it is", async () => {
    const mesh = await serveMesh(
      { echo },
      {
        mounts: {
          "/mcp": async (request) => {
            const { method, url, headers } = request;
            const told = {
              method,
              url,
              type: headers.get("content-type"),
              body: await request.text(),
            };
            return Response.json(told, { status: 202, headers: { "mcp-session-id": "s1" } });
          },
        },
      },
    );

    const reply = await mesh.fetch("/mcp/deep?x=1", {
      method: "PUT",
      headers: { "content-type": "application/weird" },
      body: "some bytes",
    });

    expect(reply.status).toBe(202);
    expect(reply.headers.get("mcp-session-id")).toBe("s1");
    expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await reply.json()).toEqual({
      method: "PUT",
      url: `${mesh.url}/mcp/deep?x=1`,
      type: "application/weird",
      body: "some bytes",
    });
  });

  it("requires the token, gets the user, and does not get the token", async () => {
    const handler = vi.fn(async (request: Request, info: object) =>
      Response.json({ ...info, token: request.headers.get("authorization") }),
    );
    const mesh = await serveMesh({ echo }, { auth: { tokens }, mounts: { "/mcp": handler } });

    expect((await mesh.fetch("/mcp")).status).toBe(401);
    expect(handler).not.toHaveBeenCalled();
    const reply = await mesh.fetch("/mcp", { headers: { ...asAda, "x-request-id": "r1" } });
    expect(await reply.json()).toEqual({
      user: { id: "ada" },
      observed: false,
      requestId: "r1",
      token: null,
    });
  });

  it("is behind the limits of body, rate and concurrency", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handler = vi.fn(async () => {
      await released;
      return new Response("ok");
    });
    const mesh = await serveMesh(
      { echo },
      {
        mounts: { "/mcp": handler },
        limits: { bodyBytes: 10, concurrency: 1, requestsPerMinute: 3 },
      },
    );
    const post = (body: string) => mesh.fetch("/mcp", { method: "POST", body });

    expect((await post("x".repeat(11))).status).toBe(413);
    expect(handler).not.toHaveBeenCalled();
    const first = post("short");
    await until(() => handler.mock.calls.length === 1);
    expect((await post("short")).status).toBe(503);
    release();
    expect((await first).status).toBe(200);
    expect((await post("short")).status).toBe(200); // what was refused for want of a place is not counted
    expect((await post("short")).status).toBe(429);
  });

  it("streams as it writes, and its signal aborts when the client leaves", async () => {
    let signal: AbortSignal | undefined;
    const cancelled = vi.fn();
    const mesh = await serveMesh(
      { echo },
      {
        mounts: {
          "/mcp": async (request) => {
            signal = request.signal;
            const body = new ReadableStream({
              start: (stream) => stream.enqueue(new TextEncoder().encode("first")),
              cancel: cancelled,
            });
            return new Response(body, { headers: { "content-type": "text/event-stream" } });
          },
        },
      },
    );
    const client = new AbortController();
    const reply = await mesh.fetch("/mcp", { signal: client.signal });
    const first = await reply.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe("first");
    expect(signal?.aborted).toBe(false);

    client.abort();

    if (signal !== undefined) await aborted(signal);
    await until(() => cancelled.mock.calls.length === 1);
  });

  it("aborts before there is a response, too", async () => {
    let signal: AbortSignal | undefined;
    const mesh = await serveMesh(
      { echo },
      {
        mounts: {
          "/mcp": async (request) => {
            signal = request.signal;
            await aborted(request.signal);
            return new Response("late");
          },
        },
      },
    );
    const client = new AbortController();
    mesh.fetch("/mcp", { signal: client.signal }).catch(() => undefined);
    await until(() => signal !== undefined);

    client.abort();

    await until(() => signal?.aborted === true);
  });

  it.each([
    ["rejects", () => Promise.reject(new Error("password=hunter2"))],
    ["gives no response", async () => ({}) as Response],
  ])("that %s is a 500 without its words", async (_what, handler) => {
    const failures: unknown[] = [];
    const mesh = await serveMesh(
      { echo },
      { mounts: { "/mcp": handler }, log: ({ failure }) => failures.push(failure) },
    );

    const reply = await mesh.fetch("/mcp");

    expect(reply.status).toBe(500);
    expect(await reply.text()).not.toContain("hunter2");
    await until(() => failures.length === 1);
    expect(failures[0]).toMatch(/Error$/);
  });

  it("whose body breaks ends the connection, so that half looks like half", async () => {
    const mesh = await serveMesh(
      { echo },
      {
        mounts: {
          "/mcp": async () =>
            new Response(
              new ReadableStream({
                start: (stream) => stream.enqueue(new Uint8Array(10)),
                pull: (stream) => stream.error(new Error("password=hunter2")),
              }),
            ),
        },
      },
    );

    const read = mesh.fetch("/mcp").then((reply) => reply.arrayBuffer());

    await expect(read).rejects.toThrow();
  });

  it("shows the agent card that it declares without a token, where `open` has `card`", async () => {
    const handler = async () => Response.json({ name: "agent" });
    const mounts = { "/a2a": Object.assign(handler, { hasAgentCard: true }) };
    const path = "/a2a/.well-known/agent-card.json";
    const open = await serveMesh({ echo }, { auth: { tokens }, mounts });
    const closed = await serveMesh({ echo }, { auth: { tokens }, mounts, open: ["healthz"] });

    expect((await open.fetch(path)).status).toBe(200);
    expect((await open.post(path, {})).status).toBe(401);
    expect((await open.fetch("/a2a")).status).toBe(401);
    expect((await closed.fetch(path)).status).toBe(401);
    expect((await closed.fetch(path, { headers: asAda })).status).toBe(200);
  });
});

describe("a route that a librarian offers", () => {
  const handler = (host: ServiceHost) => async (request: Request, info: object) =>
    Response.json({ id: host.id, path: new URL(request.url).pathname, ...info });

  /** Serves a librarian `catalog` for ada alone, with a route, and one for everyone. */
  async function served(options: ServerOptions = {}, routes = { "/workflows": handler }) {
    const router = createRouter();
    const allow = { users: ["ada"] };
    const definition = { description: "d", librarian: echo };
    router.register({ ...definition, id: "catalog", allow, services: { routes } });
    router.register({ ...definition, id: "open" });
    const auth = { tokens: [...tokens, { token: "the-token-of-bob-here", user: { id: "bob" } }] };
    const server = await createServer(router, { auth, ...options });
    onTestFinished(async () => {
      await server.close();
      await router.close();
    });
    const { url } = await server.listen();
    return (path: string, headers = {}) => fetch(url + path, { headers });
  }

  it("is behind the token, for users who may ask the librarian", async () => {
    const get = await served();
    const asBob = { authorization: "Bearer the-token-of-bob-here" };

    const replies = await Promise.all([
      get("/workflows/search"),
      get("/workflows/search", asBob),
      get("/workflows/search", asAda),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([401, 403, 200]);
    expect(await replies[2]?.json()).toMatchObject({
      id: "catalog",
      path: "/workflows/search",
      user: { id: "ada" },
    });
  });

  it("is behind the limits of the server", async () => {
    const get = await served({ limits: { requestsPerMinute: 1 } });

    expect((await get("/workflows", asAda)).status).toBe(200);
    expect((await get("/workflows", asAda)).status).toBe(429);
  });

  it("gives way to a mount of the host, and is left out where `services` is false", async () => {
    const mounted = await served({ mounts: { "/workflows": async () => new Response("mine") } });
    const without = await served({ services: false });

    expect(await (await mounted("/workflows", asAda)).text()).toBe("mine");
    expect((await without("/workflows", asAda)).status).toBe(404);
  });

  it("is refused where it is a path of the server, or of two librarians", async () => {
    const router = createRouter();
    for (const id of ["one", "two"]) {
      router.register({
        id,
        description: "d",
        librarian: echo,
        services: { routes: { "/alerts": handler } },
      });
    }

    await expect(served({}, { "/runs/x": handler } as never)).rejects.toThrow(
      'services: /runs/x of librarian "catalog" is a path of the server itself.',
    );
    await expect(createServer(router)).rejects.toThrow(
      'services: /alerts is a route of librarian "one" and of "two". Set `services: false`',
    );
  });
});
