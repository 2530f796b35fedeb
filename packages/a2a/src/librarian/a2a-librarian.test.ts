import {
  createRouter,
  type Librarian,
  type LibrarianDefinition,
  type Router,
} from "@constellation/core";
import { itBehavesLikeALibrarian, testContext } from "@constellation/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cardOf, type RpcRequest, said, serveAgent, task, tasks } from "../../test/agents.js";
import { type Loopback, serveLoopback } from "../../test/loopback.js";
import { exampleMesh } from "../../test/meshes.js";
import { slowMesh } from "../../test/slow-mesh.js";
import { createA2AHandler } from "../index.js";
import { createA2ALibrarian } from "./a2a-librarian.js";
import type { A2ALibrarianOptions } from "./options.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

/** Serves an agent of another party until the test has ended. */
async function played(...agent: Parameters<typeof serveAgent>): Promise<Loopback> {
  const server = await serveAgent(...agent);
  cleanUp.push(server.close);
  return server;
}

/** Serves a mesh as an agent, and keeps the requests it saw. */
async function serveMesh(router: Router) {
  const handler = createA2AHandler(router);
  const seen: Request[] = [];
  const server = await serveLoopback((request) => {
    seen.push(request);
    return handler(request);
  });
  cleanUp.push(server.close, handler.close);
  return { url: server.url, seen };
}

function librarianOf(
  url: string,
  more: Partial<A2ALibrarianOptions> = {},
): LibrarianDefinition<Librarian> {
  return createA2ALibrarian({ id: "travel", url, pollMs: 1, ...more });
}

function ask(url: string, more: Partial<A2ALibrarianOptions> = {}, context = testContext()) {
  return librarianOf(url, more).librarian("trains to Rome", context);
}

describe("createA2ALibrarian", () => {
  describe("asking a mesh on the loopback address", () => {
    let good: Loopback;
    let hanging: Loopback;
    let broken: Loopback;
    let brokenSays = "";

    beforeAll(async () => {
      const router = createRouter();
      router.register({
        id: "runbooks",
        description: "answers from runbooks",
        librarian: async (query) =>
          query === "restart"
            ? { answer: "See the runbook.", sources: [{ name: "runbook" }], confidence: 0.9 }
            : { error: { code: "NOT_FOUND", message: "Nothing is known about it." } },
      });
      good = await serveLoopback(createA2AHandler(router));
      hanging = await serveLoopback(createA2AHandler(slowMesh().router));
      broken = await serveLoopback(async () => new Response(brokenSays, { status: 500 }));
    });
    afterAll(async () => {
      await Promise.all([good.close(), hanging.close(), broken.close()]);
    });

    itBehavesLikeALibrarian({
      create: () => librarianOf(good.url),
      query: "restart",
      unanswerable: "weather",
      failing: (thrown) => {
        brokenSays = thrown.message;
        return librarianOf(broken.url);
      },
      hanging: () => librarianOf(hanging.url),
      withOptions: (options) => librarianOf(good.url, options),
      without: ["delegation"],
    });
  });

  it("reads the agent of another mesh as what it is", async () => {
    const { url } = await serveMesh(exampleMesh());

    expect(await ask(url)).toMatchObject({
      answer: 'See the runbook for "trains to Rome".',
      confidence: 0.9,
      sources: [
        { name: "runbooks/billing.md#Restart", url: "https://example.test/billing" },
        { name: "Constellation", type: "agent" },
      ],
    });
    expect((await ask(url, { metadata: { librarian: "empty" } })).error).toMatchObject({
      code: "NOT_FOUND",
      message: "Nothing is known about it.",
      suggestion: "Ask the runbooks.",
      librarian: "librarian-under-test",
      details: { reason: "no-information" },
    });
  });

  it("asks for the card once, and sends headers and trace with each request", async () => {
    const { url, seen } = await serveMesh(exampleMesh());
    const { librarian } = librarianOf(url, { headers: { authorization: "Bearer t0ken" } });
    const trace = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };

    await librarian("one", testContext({ trace }));
    await librarian("two", testContext({ trace }));

    const [card, ...calls] = seen;
    expect(card?.method).toBe("GET");
    expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(["POST"]));
    expect(new Set(seen.map(({ headers }) => headers.get("authorization")))).toEqual(
      new Set(["Bearer t0ken"]),
    );
    for (const { headers } of calls) expect(headers.get("traceparent")).toContain(trace.traceId);
  });

  it("asks an agent of protocol 0.3", async () => {
    const server = await played(
      ({ id, method }) =>
        Response.json({
          jsonrpc: "2.0",
          id,
          result: {
            kind: "message",
            messageId: "m-2",
            role: "agent",
            parts: [{ kind: "text", text: `by ${method}` }],
          },
        }),
      (url) => ({
        protocolVersion: "0.3.0",
        name: "Old",
        description: "an older agent",
        url: `${url}/rpc`,
        preferredTransport: "JSONRPC",
        version: "1",
        capabilities: {},
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [],
      }),
    );

    expect((await ask(server.url)).answer).toBe("by message/send");
  });

  it("takes texts for the answer, files for sources, and data for data", async () => {
    const parts = [
      { text: "Two trains \u001b[1mleave\u001b[0m. <img src=x>" },
      { url: "https://trains.test/plan.pdf", filename: "plan.pdf", mediaType: "application/pdf" },
      { url: "javascript:alert(1)" },
      { data: { trains: 2 } },
    ];
    const { url } = await played(
      tasks(task("COMPLETED", { artifacts: [{ artifactId: "a", parts }] })),
    );

    expect(await ask(url)).toEqual({
      answer: "Two trains leave. \\<img src=x>",
      sources: [
        { name: "plan.pdf", url: "https://trains.test/plan.pdf", type: "file" },
        { name: "file", type: "file" },
        { name: "Travel", type: "agent" },
      ],
      confidence: 0.7,
      metadata: { data: [{ trains: 2 }] },
    });
  });

  it("answers from data alone, and cuts what is too long", async () => {
    const { url } = await played(
      tasks(
        task("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ data: { trains: 2 } }] }] }),
      ),
    );

    expect((await ask(url)).answer).toBe('```json\n{\n  "trains": 2\n}\n```');
    expect(await ask(url, { maxAnswerLength: 14 })).toMatchObject({
      answer: "```json\n{…\n```",
      partial: true,
    });
  });

  it("looks at a task until it has ended, and reports what the agent says meanwhile", async () => {
    const { url } = await played(
      tasks(
        task("SUBMITTED"),
        task("WORKING", { status: { state: "TASK_STATE_WORKING", message: said("looking") } }),
        task("WORKING", { status: { state: "TASK_STATE_WORKING", message: said("looking") } }),
        task("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text: "found" }] }] }),
      ),
    );
    const report = vi.fn();
    const context = testContext();

    const { answer } = await ask(url, {}, { ...context, report } as typeof context);

    expect(answer).toBe("found");
    expect(report.mock.calls).toEqual([[{ message: "looking" }]]);
  });

  it("has a task cancelled when no one waits any more", async () => {
    const methods: string[] = [];
    const working = tasks(task("WORKING"));
    const { url } = await played((request) => {
      methods.push(request.method);
      return working(request);
    });
    const context = testContext();
    const response = ask(url, {}, context);
    await vi.waitFor(() => expect(methods).toContain("GetTask"), 20_000);

    context.cancel();

    await expect(response).resolves.toMatchObject({
      error: { code: "TIMEOUT", details: { reason: "cancelled" } },
    });
    await vi.waitFor(() => expect(methods.at(-1)).toBe("CancelTask"), 20_000);
  });

  it("cancels the run of another mesh at its own deadline", async () => {
    const { router, stopped } = slowMesh();
    const { url } = await serveMesh(router);

    const { error } = await ask(url, { timeoutMs: 300 });

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
    await stopped;
  });

  it("cancels the run of another mesh when the caller cancels, in the middle of the first request too", async () => {
    const { router, begun, stopped } = slowMesh();
    const { url } = await serveMesh(router);
    const context = testContext();
    const response = ask(url, {}, context);
    await begun;
    global.gc?.();

    context.cancel();

    await expect(response).resolves.toMatchObject({ error: { code: "TIMEOUT" } });
    await stopped;
  });

  it("gives up a task that never ends, by its own limit", async () => {
    const { url } = await played(tasks(task("WORKING")));

    expect((await ask(url, { timeoutMs: 50 })).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "deadline" },
    });
  });

  it.each([
    ["FAILED", "DATA_SOURCE_ERROR"],
    ["REJECTED", "NOT_FOUND"],
    ["CANCELED", "SERVICE_UNAVAILABLE"],
    ["INPUT_REQUIRED", "INVALID_QUERY"],
    ["AUTH_REQUIRED", "UNAUTHORIZED"],
  ])("reads a task that is %s as %s, with what the agent said", async (state, code) => {
    const status = { state: `TASK_STATE_${state}`, message: said("which day?") };
    const { url } = await played(tasks(task(state, { status })));

    const { error } = await ask(url);

    expect(error).toMatchObject({
      code,
      librarian: "librarian-under-test",
      details: { text: "which day?" },
    });
    // What the agent said is shown; a task that it cancelled needs no explanation.
    if (state !== "CANCELED") expect(error?.message).toContain(": which day?");
  });

  it.each(["INPUT_REQUIRED", "AUTH_REQUIRED"])(
    "cancels a task that is %s, which is not continued, without waiting for it",
    async (state) => {
      const cancelled: unknown[] = [];
      const reply = tasks(task(state));
      const { url } = await played((request) => {
        if (request.method !== "CancelTask") return reply(request);
        cancelled.push(request.params.id);
        return new Promise(() => {});
      });

      const { error } = await ask(url);

      expect(error?.code).toBeDefined();
      await vi.waitFor(() => expect(cancelled).toEqual(["t-1"]), 20_000);
    },
  );

  it("leaves a task alone that has ended", async () => {
    const methods: string[] = [];
    const reply = tasks(task("WORKING"), task("FAILED"));
    const { url } = await played((request) => {
      methods.push(request.method);
      return reply(request);
    });

    await ask(url);
    await ask(url);

    expect(methods).toEqual(["SendMessage", "GetTask", "SendMessage"]);
  });

  it("leaves no task waiting at an agent that asks back", async () => {
    const router = createRouter();
    const error = { code: "INVALID_QUERY" as const, message: "Which day?" };
    router.register({ id: "trains", description: "trains", librarian: async () => ({ error }) });
    const handler = createA2AHandler(router);
    const { url, close } = await serveLoopback(async (request) => {
      const reply = await handler(request);
      if (request.method !== "GET") return reply;
      return Response.json({ ...((await reply.json()) as object), capabilities: {} }); // an agent, not a mesh
    });
    cleanUp.push(close, handler.close);
    const states = async () => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} });
      const headers = { "content-type": "application/json", "a2a-version": "1.0" };
      const listed = await fetch(url, { method: "POST", headers, body });
      const { result } = (await listed.json()) as {
        result: { tasks: readonly { status: { state: string } }[] };
      };
      return result.tasks.map(({ status }) => status.state);
    };

    expect((await ask(url)).error?.message).toContain("Which day?");

    await vi.waitFor(async () => expect(await states()).toEqual(["TASK_STATE_CANCELED"]), 20_000);
  });

  it.each<[string, (request: RpcRequest) => Response, string]>([
    ["answers with garbage", () => new Response("garbage"), "DATA_SOURCE_ERROR"],
    [
      "answers with no result",
      ({ id }) => Response.json({ jsonrpc: "2.0", id, result: {} }),
      "DATA_SOURCE_ERROR",
    ],
    [
      "answers another message",
      () => tasks(task("COMPLETED"))({ id: 99, method: "SendMessage", params: {} }),
      "DATA_SOURCE_ERROR",
    ],
    ["gives nothing", tasks(task("COMPLETED")), "NOT_FOUND"],
    ["sends an unknown state", tasks(task("DREAMING")), "DATA_SOURCE_ERROR"],
    [
      "refuses",
      ({ id }) => Response.json({ jsonrpc: "2.0", id, error: { code: -32_004, message: "no" } }),
      "DATA_SOURCE_ERROR",
    ],
    ["sends 50 MB", () => new Response("x".repeat(50_000_000)), "DATA_SOURCE_ERROR"],
    ["rejects the credentials", () => new Response(null, { status: 401 }), "UNAUTHORIZED"],
    ["has too many requests", () => new Response(null, { status: 429 }), "RATE_LIMITED"],
    ["is not available", () => new Response(null, { status: 503 }), "SERVICE_UNAVAILABLE"],
    ["fails", () => new Response("stack trace", { status: 500 }), "DATA_SOURCE_ERROR"],
  ])("gives the code that fits when an agent %s", async (_what, reply, code) => {
    const { url } = await played(reply);

    expect((await ask(url)).error?.code).toBe(code);
  });

  it("follows no redirect, so that its headers stay with the agent", async () => {
    const stranger = vi.fn(async () => Response.json({}));
    const elsewhere = await serveLoopback(stranger);
    cleanUp.push(elsewhere.close);
    const headers = { authorization: "Bearer t0ken" };
    const location = `${elsewhere.url}/rpc`;
    const moved = await played(() => new Response(null, { status: 307, headers: { location } }));

    expect((await ask(moved.url, { headers })).error?.code).toBe("DATA_SOURCE_ERROR");
    expect(stranger).not.toHaveBeenCalled();
  });

  it("goes to no origin but the agent's own, unless another is allowed", async () => {
    const elsewhere = await played(
      tasks(task("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text: "here" }] }] })),
    );
    const agent = await played(
      () => Response.json({}),
      () => cardOf(elsewhere.url),
    );

    const refused = await ask(agent.url);
    const allowed = await ask(agent.url, { allowedOrigins: [elsewhere.url] });

    expect(refused.error).toMatchObject({
      code: "DATA_SOURCE_ERROR",
      suggestion: expect.stringContaining("allowedOrigins"),
    });
    expect(allowed.answer).toBe("here");
  });

  it.each([
    ["no card", () => ({})],
    ["no object", () => [1, 2]],
    [
      "a card without an interface we speak",
      (url: string) => ({
        ...cardOf(url),
        supportedInterfaces: [{ url, protocolBinding: "GRPC", protocolVersion: "1.0" }],
      }),
    ],
  ])("is DATA_SOURCE_ERROR when there is %s at its address", async (_what, card) => {
    const { url } = await played(() => Response.json({}), card);

    const { error } = await ask(url);

    expect(error?.code).toBe("DATA_SOURCE_ERROR");
    expect(await librarianOf(url).health?.(new AbortController().signal)).toMatchObject({
      status: "down",
    });
  });

  it("is SERVICE_UNAVAILABLE when no one listens, and TIMEOUT when no one answers", async () => {
    const gone = await serveLoopback(async () => new Response());
    await gone.close();
    const silent = await serveLoopback(() => new Promise(() => undefined));
    cleanUp.push(silent.close);

    expect((await ask(gone.url)).error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { reason: "remote-lost" },
    });
    expect((await ask(silent.url, { timeoutMs: 50 })).error?.code).toBe("TIMEOUT");
  });

  it("needs no address where it is given the card", async () => {
    const { url } = await played(
      tasks(task("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text: "so" }] }] })),
    );

    const definition = createA2ALibrarian({ id: "travel", card: cardOf(url) });

    expect(definition.description).toBe("knows trains");
    expect((await definition.librarian("trains", testContext())).answer).toBe("so");
    expect(await definition.health?.(new AbortController().signal)).toMatchObject({ status: "up" });
  });

  it.each([
    [{ url: "ftp://agent.test" }, RangeError, "url: expected an http or https URL"],
    [{ url: undefined }, TypeError, "url: expected the address of an agent, or `card`"],
    [{ url: undefined, card: {} }, RangeError, "card: expected an agent card"],
    [{ pollMs: 0 }, RangeError, "pollMs: expected an integer from 1 to 60000, got 0."],
    [
      { allowedOrigins: ["https://x.test/a2a"] },
      RangeError,
      "allowedOrigins.0: expected an origin",
    ],
    [{ port: 1 }, TypeError, 'options: unknown key "port".'],
  ])("refuses the options %j, naming key and value", (options, kind, message) => {
    const create = () => librarianOf("http://agent.test", options as Partial<A2ALibrarianOptions>);

    expect(create).toThrow(kind);
    expect(create).toThrow(message);
  });

  it("estimates by the skills of the agent's card, once it was read, and fetches nothing for it", async () => {
    const skill = { id: "trains", name: "Trains", description: "Finds trains", tags: ["rail"] };
    const { url, close } = await serveAgent(tasks(task("COMPLETED")), (base) => ({
      ...cardOf(base),
      skills: [skill],
    }));
    cleanUp.push(close);
    const definition = librarianOf(url);
    const signal = new AbortController().signal;
    const probe = (query: string) =>
      definition.canAnswer?.({ query, signal, deadline: Number.POSITIVE_INFINITY });

    expect(await probe("rail")).toBeUndefined();
    await definition.health?.(signal);
    expect((await probe("find trains by rail"))?.coverage).toBeGreaterThan(0.9);
    expect((await probe("who painted the chapel?"))?.chance).toBeLessThan(0.01);
  });
});
