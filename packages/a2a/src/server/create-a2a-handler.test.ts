import { Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory } from "@a2a-js/sdk/client";
import { type AskOptions, createRouter, type Router, type User } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import fc from "fast-check";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Loopback, serveLoopback } from "../../test/loopback.js";
import { exampleMesh } from "../../test/meshes.js";
import { slowMesh } from "../../test/slow-mesh.js";
import { userMessage } from "../../test/user-message.js";
import { createAgentCard } from "./agent-card.js";
import { type A2AHandler, createA2AHandler } from "./create-a2a-handler.js";
import type { A2AHandlerOptions } from "./options.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

interface Served {
  readonly handler: A2AHandler;
  readonly server: Loopback;
  /** The user, as the host of the handler authenticated it. */
  user: User | undefined;
}

async function serve(router: Router, options?: A2AHandlerOptions): Promise<Served> {
  const handler = createA2AHandler(router, options);
  const server = await serveLoopback((request) => handler(request, { user: served.user }));
  const served: Served = { handler, server, user: undefined };
  cleanUp.push(server.close, handler.close);
  return served;
}

function clientOf({ server }: Served): Promise<Client> {
  return new ClientFactory().createFromUrl(server.url);
}

/** Sends one JSON-RPC request by hand, as protocol 0.3 has it where nothing says otherwise. */
function post({ server }: Served, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/a2a`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function legacySend(text: string) {
  const parts = [{ kind: "text", text }];
  const message = { kind: "message", messageId: "m-1", role: "user", parts };
  return { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
}

const immediately = {
  acceptedOutputModes: [],
  taskPushNotificationConfig: undefined,
  returnImmediately: true,
};

/** What a task has to say: its state, the texts of its artifact or its status, and its data. */
function outcomeOf(result: unknown) {
  const { status, artifacts } = result as Task;
  const parts = artifacts[0]?.parts ?? status?.message?.parts ?? [];
  return {
    state: status?.state,
    text: parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join(),
    data: parts.flatMap(({ content }): unknown[] =>
      content?.$case === "data" ? [content.value] : [],
    )[0],
  };
}

describe("createAgentCard", () => {
  it("has a skill for each librarian, and an interface for each revision of the protocol", () => {
    const router = createRouter();
    router.register({
      id: "runbooks",
      name: "Runbooks",
      description: "answers from runbooks",
      capabilities: ["docs.runbooks"],
      examples: ["How do I restart billing?"],
      librarian: async () => ({ answer: "so" }),
    });

    const card = createAgentCard(router, {
      url: "https://mesh.example/a2a",
      name: "Support",
      provider: { organization: "Example", url: "https://example.test" },
    });

    expect(card).toMatchObject({
      name: "Support",
      provider: { organization: "Example" },
      capabilities: { streaming: true, pushNotifications: false },
      supportedInterfaces: [
        { url: "https://mesh.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url: "https://mesh.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
      skills: [
        {
          id: "runbooks",
          name: "Runbooks",
          description: "answers from runbooks",
          tags: ["docs.runbooks"],
          examples: ["How do I restart billing?"],
        },
      ],
    });
  });

  it("names bearer tokens as its security scheme, for both revisions, where the server takes them", async () => {
    const served = await serve(exampleMesh(), { auth: "bearer" });

    const card: unknown = await (
      await fetch(`${served.server.url}/.well-known/agent-card.json`)
    ).json();

    expect(card).toMatchObject({
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: "Bearer" }, type: "http", scheme: "Bearer" },
      },
      securityRequirements: [{ schemes: { bearer: {} } }],
      security: [{ bearer: [] }],
    });
    const { securitySchemes } = await (await clientOf(served)).getAgentCard();
    expect(Object.keys(securitySchemes ?? {})).toEqual(["bearer"]);
  });

  it("refuses wrong options, naming key and value", () => {
    const create = (options: unknown) => () =>
      createAgentCard(exampleMesh(), options as { readonly url: string });

    expect(create({})).toThrow("url: expected a URL, got undefined.");
    expect(create({ url: "https://x.test", nam: "Support" })).toThrow('unknown key "nam"');
    expect(create({ url: "https://x.test", provider: { organization: "Example" } })).toThrow(
      "provider.url: expected a URL, got undefined.",
    );
  });
});

describe("createA2AHandler", () => {
  it("serves its card, with the address it was asked at, for both revisions", async () => {
    const { server } = await serve(exampleMesh(), { name: "Support" });

    const card: unknown = await (await fetch(`${server.url}/.well-known/agent-card.json`)).json();

    expect(card).toMatchObject({
      name: "Support",
      supportedInterfaces: [{ url: `${server.url}/a2a`, protocolVersion: "1.0" }, {}],
      protocolVersion: "0.3.0",
      url: `${server.url}/a2a`,
      preferredTransport: "JSONRPC",
      skills: [{ id: "desk", tags: [] }, { id: "runbooks" }, { id: "empty" }],
    });
  });

  it("neither shows in its card nor asks a librarian that the user may not ask", async () => {
    const router = exampleMesh();
    let calls = 0;
    router.register({
      id: "payroll",
      description: "knows salaries",
      allow: { roles: ["hr"] },
      librarian: async () => {
        calls++;
        return { answer: "42" };
      },
    });
    const served = await serve(router);
    const card = async () =>
      await (await fetch(`${served.server.url}/.well-known/agent-card.json`)).text();
    const client = await clientOf(served);
    const salary = userMessage("salary?", { metadata: { librarian: "payroll" } });
    const asked = async () => outcomeOf(await client.sendMessage(salary));

    served.user = { id: "u1", roles: ["clerk"] };
    expect(await card()).not.toContain("payroll");
    expect((await asked()).text).toContain("UNAUTHORIZED");
    expect(calls).toBe(0);

    served.user = { id: "u2", roles: ["hr"] };
    expect(await card()).toContain("payroll");
    expect((await asked()).text).toBe("42");
  });

  it("answers with a completed task: the answer as text, and what else there is as data", async () => {
    const client = await clientOf(await serve(exampleMesh()));

    const task = await client.sendMessage(userMessage("restart"));

    expect(outcomeOf(task)).toEqual({
      state: TaskState.TASK_STATE_COMPLETED,
      text: 'See the runbook for "restart".',
      data: {
        confidence: 0.9,
        partial: false,
        sources: [{ name: "runbooks/billing.md#Restart", url: "https://example.test/billing" }],
        missing: [],
      },
    });
  });

  it("shows an answer as the parts that the application makes of it, and as text where it makes none", async () => {
    const served = await serve(exampleMesh(), {
      present: ({ sources }) =>
        sources === undefined
          ? undefined
          : [
              { bytes: Buffer.from("a,b"), filename: "a.csv", mediaType: "text/csv" },
              { url: "https://example.test/a.csv" },
              { data: { sources: sources.length, none: undefined } },
              { text: "so" },
            ],
    });
    const client = await clientOf(served);

    const { artifacts } = (await client.sendMessage(userMessage("restart"))) as Task;
    const refused = await client.sendMessage(
      userMessage("restart", { metadata: { librarian: "empty" } }),
    );

    expect(artifacts[0]?.parts).toMatchObject([
      { content: { $case: "raw" }, filename: "a.csv", mediaType: "text/csv" },
      { content: { $case: "url", value: "https://example.test/a.csv" } },
      { content: { $case: "data", value: { sources: 1 } } },
      { content: { $case: "text", value: "so" } },
    ]);
    expect(outcomeOf(refused).text).toContain("NOT_FOUND");
  });

  it("answers without a task where a caller that waits names a librarian that answers at once", async () => {
    const served = await serve(exampleMesh(), { direct: ["runbooks", "empty"] });
    const client = await clientOf(served);
    const ask = (librarian: string | undefined, configuration?: typeof immediately) =>
      client.sendMessage(userMessage("restart", { metadata: { librarian } }, configuration));

    const message = await ask("runbooks");

    expect(message).toMatchObject({
      role: Role.ROLE_AGENT,
      taskId: "",
      parts: [{ content: { $case: "text", value: 'See the runbook for "restart".' } }, {}],
    });
    const listed = await post(
      served,
      { jsonrpc: "2.0", id: 7, method: "ListTasks", params: {} },
      { "a2a-version": "1.0" },
    );
    expect(await listed.json()).toMatchObject({ result: { tasks: [] } });
    expect(outcomeOf(await ask("empty")).state).toBe(TaskState.TASK_STATE_FAILED);
    expect(outcomeOf(await ask(undefined)).state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(outcomeOf(await ask("runbooks", immediately)).state).toBe(TaskState.TASK_STATE_WORKING);
  });

  it("has only fields of 1.0 on its card, and refuses calls of 0.3, where it speaks 1.0 alone", async () => {
    const served = await serve(exampleMesh(), { versions: ["1.0"] });

    const card: unknown = await (
      await fetch(`${served.server.url}/.well-known/agent-card.json`)
    ).json();
    const reply: unknown = await (await post(served, legacySend("restart"))).json();

    expect(card).toMatchObject({ supportedInterfaces: [{ protocolVersion: "1.0" }] });
    expect(card).not.toHaveProperty("protocolVersion");
    expect(reply).toMatchObject({ error: { code: -32_009 } });
    const client = await clientOf(served);
    expect(outcomeOf(await client.sendMessage(userMessage("restart"))).state).toBe(
      TaskState.TASK_STATE_COMPLETED,
    );
  });

  it("answers a client of protocol 0.3", async () => {
    const served = await serve(exampleMesh());

    const reply: unknown = await (await post(served, legacySend("restart"))).json();

    expect(reply).toMatchObject({
      id: 1,
      result: {
        kind: "task",
        status: { state: "completed" },
        artifacts: [{ parts: [{ kind: "text", text: 'See the runbook for "restart".' }, {}] }],
      },
    });
  });

  it("asks the librarian named in the message, and fails the task with an error's code", async () => {
    const client = await clientOf(await serve(exampleMesh()));

    const task = await client.sendMessage(
      userMessage("restart", { metadata: { librarian: "empty" } }),
    );

    expect(outcomeOf(task)).toMatchObject({
      state: TaskState.TASK_STATE_FAILED,
      text: "NOT_FOUND: Nothing is known about it.\nAsk the runbooks.",
      data: {
        error: { code: "NOT_FOUND", reason: "no-information", suggestion: "Ask the runbooks." },
      },
    });
  });

  it("streams how far it is, then the answer", async () => {
    const ai = Object.assign(scriptedAI(["ok"]), { model: "model-1" });
    const client = await clientOf(await serve(exampleMesh(ai)));
    const events: StreamResponse[] = [];

    for await (const event of client.sendMessageStream(userMessage("restart"))) events.push(event);

    const reported = events.flatMap(({ payload }): unknown[] => {
      if (payload?.$case === "task") return ["task"];
      if (payload?.$case === "artifactUpdate") return ["artifact"];
      if (payload?.$case !== "statusUpdate") return [];
      const [part] = payload.value.status?.message?.parts ?? [];
      return part?.content?.$case === "text" ? [part.content.value] : [payload.value.status?.state];
    });
    expect(reported).toEqual([
      "task",
      "Asking desk.",
      "Asking runbooks.",
      "runbooks: asking the model (model-1)",
      "runbooks: reading runbooks",
      "artifact",
      TaskState.TASK_STATE_COMPLETED,
    ]);
  });

  it("streams to a client of protocol 0.3", async () => {
    const served = await serve(exampleMesh());

    const stream = await post(served, { ...legacySend("restart"), method: "message/stream" });

    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    const events = (await stream.text()).trim().split("\n\n");
    const results = events.map((event): unknown => JSON.parse(event.replace(/^data: /, "")));
    expect(results.at(0)).toMatchObject({ result: { kind: "task", status: { state: "working" } } });
    expect(results.at(-1)).toMatchObject({
      result: { kind: "status-update", status: { state: "completed" }, final: true },
    });
  });

  it("reports the rest of a task to who subscribes to it", async () => {
    const { router, begun } = slowMesh();
    const client = await clientOf(await serve(router));
    const { id } = (await client.sendMessage(userMessage("slow", {}, immediately))) as Task;
    await begun;
    const states: unknown[] = [];

    const stream = client.resubscribeTask({ tenant: "", id });
    for await (const { payload } of stream) {
      if (payload?.$case === "task") {
        states.push(payload.value.status?.state);
        void client.cancelTask({ tenant: "", id, metadata: undefined });
      }
      if (payload?.$case === "statusUpdate") states.push(payload.value.status?.state);
    }

    expect(states).toEqual([TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_CANCELED]);
  });

  it("asks as the user of the request, in the caller's trace", async () => {
    const asked: AskOptions[] = [];
    const router = exampleMesh();
    const served = await serve({
      ...router,
      start: (query, options = {}) => {
        asked.push(options);
        return router.start(query, options);
      },
    });
    served.user = { id: "ada", roles: ["reader"] };
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

    await post(served, legacySend("restart"), {
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    });

    expect(asked).toMatchObject([
      { user: { id: "ada", roles: ["reader"] }, trace: { traceId, spanId: "00f067aa0ba902b7" } },
    ]);
  });

  it("gives a task to the user who began it, and to no one else", async () => {
    const served = await serve(exampleMesh());
    served.user = { id: "ada" };
    const client = await clientOf(served);
    const { id } = (await client.sendMessage(userMessage("restart"))) as Task;
    const get = () => client.getTask({ tenant: "", id });

    expect((await get()).id).toBe(id);
    served.user = { id: "eve" };
    await expect(get()).rejects.toThrow("Task not found");
  });

  it("begins a task without waiting for its end, where asked to", async () => {
    const { router, begun } = slowMesh();
    const client = await clientOf(await serve(router));

    const task = await client.sendMessage(userMessage("slow", {}, immediately));
    await begun;

    expect(outcomeOf(task).state).toBe(TaskState.TASK_STATE_WORKING);
    const { id } = task as Task;
    expect(outcomeOf(await client.getTask({ tenant: "", id })).state).toBe(
      TaskState.TASK_STATE_WORKING,
    );
  });

  it("stops the run of a task that is cancelled", async () => {
    const { router, begun, stopped } = slowMesh();
    const client = await clientOf(await serve(router));
    const { id } = (await client.sendMessage(userMessage("slow", {}, immediately))) as Task;
    await begun;

    const cancelled = await client.cancelTask({ tenant: "", id, metadata: undefined });

    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(stopped).resolves.toMatchObject({ details: { reason: "cancelled" } });
  });

  it("stops the run when a caller who waits for it goes away", async () => {
    const { router, begun, stopped } = slowMesh();
    const client = await clientOf(await serve(router));
    const caller = new AbortController();
    const sent = client.sendMessage(userMessage("slow"), { signal: caller.signal });
    const failed = expect(sent).rejects.toThrow();
    await begun;

    caller.abort();

    await failed;
    await expect(stopped).resolves.toMatchObject({ details: { reason: "cancelled" } });
  });

  it("continues with a task whose stream no one reads any more", async () => {
    const { router, begun } = slowMesh();
    const client = await clientOf(await serve(router));
    const stream = client.sendMessageStream(userMessage("slow"));
    const first = await stream.next();
    await begun;
    const payload = first.done === true ? undefined : first.value.payload;
    const id = payload?.$case === "task" ? payload.value.id : "";

    await stream.return();

    expect((await client.getTask({ tenant: "", id })).status?.state).toBe(
      TaskState.TASK_STATE_WORKING,
    );
  });

  it("forgets the tasks that ended first when there are too many", async () => {
    const client = await clientOf(await serve(exampleMesh(), { maxTasks: 2 }));
    const begin = async () => ((await client.sendMessage(userMessage("restart"))) as Task).id;
    const [first, second, third] = [await begin(), await begin(), await begin()];

    await expect(client.getTask({ tenant: "", id: first })).rejects.toThrow("Task not found");
    expect((await client.getTask({ tenant: "", id: second })).id).toBe(second);
    expect((await client.getTask({ tenant: "", id: third })).id).toBe(third);
  });

  it("forgets tasks that ended long ago", async () => {
    const client = await clientOf(await serve(exampleMesh(), { taskTtlMs: 60_000 }));
    const { id } = (await client.sendMessage(userMessage("restart"))) as Task;
    expect((await client.getTask({ tenant: "", id })).id).toBe(id);

    const endedAt = Date.now();
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"], now: endedAt + 60_001 });

    await expect(client.getTask({ tenant: "", id })).rejects.toThrow("Task not found");
  });

  it("forgets the tasks that ended first when they are too large together", async () => {
    const router = createRouter();
    router.register({
      id: "long",
      description: "answers at length",
      librarian: async () => ({ answer: "x".repeat(100_000) }),
    });
    const client = await clientOf(await serve(router, { maxStoredBytes: 500_000 }));
    const begin = async () => ((await client.sendMessage(userMessage("long"))) as Task).id;
    const [first, second, third] = [await begin(), await begin(), await begin()];

    await expect(client.getTask({ tenant: "", id: first })).rejects.toThrow("Task not found");
    expect((await client.getTask({ tenant: "", id: second })).id).toBe(second);
    expect((await client.getTask({ tenant: "", id: third })).id).toBe(third);
  });

  it("fails a query that is too long, or one too many, without asking anybody", async () => {
    const { router, begun } = slowMesh();
    const client = await clientOf(await serve(router, { maxQueries: 1, maxQueryLength: 10 }));
    const long = await client.sendMessage(userMessage("x".repeat(11)));
    await client.sendMessage(userMessage("slow", {}, immediately));
    await begun;

    const busy = await client.sendMessage(userMessage("one more"));

    expect(outcomeOf(long).data).toMatchObject({ error: { code: "INVALID_QUERY" } });
    expect(outcomeOf(busy).data).toMatchObject({
      error: { code: "SERVICE_UNAVAILABLE", reason: "overloaded" },
    });
  });

  it.each([
    ["no JSON", "{", {}, 400],
    ["several requests in one body", [legacySend("a"), legacySend("b")], {}, 400],
    ["another content type", legacySend("a"), { "content-type": "text/plain" }, 415],
    ["a body that is too large", legacySend("x".repeat(2_000)), {}, 413],
  ])("answers %s with the status that fits", async (_what, body, headers, status) => {
    const served = await serve(exampleMesh(), { maxBodyBytes: 1_000 });

    expect((await post(served, body, headers as Record<string, string>)).status).toBe(status);
  });

  it.each([
    ["another version of JSON-RPC", { jsonrpc: "1.0", id: 7, method: "GetTask", params: {} }, 7],
    ["no version of JSON-RPC", { id: "a", method: "GetTask", params: {} }, "a"],
    ["no method", { jsonrpc: "2.0", id: 7, params: {} }, 7],
    ["a method that is a number", { jsonrpc: "2.0", id: 7, method: 1 }, 7],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "GetTask", params: {} }, null],
  ])("refuses a request with %s as invalid", async (_what, body, id) => {
    const served = await serve(exampleMesh());

    const reply: unknown = await (await post(served, body)).json();

    expect(reply).toMatchObject({ jsonrpc: "2.0", id, error: { code: -32_600 } });
  });

  it.each(["CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set"])(
    "answers %s with -32003, as its card has no push notifications",
    async (method) => {
      const served = await serve(exampleMesh());

      const reply: unknown = await (
        await post(served, { jsonrpc: "2.0", id: 7, method, params: {} })
      ).json();

      expect(reply).toMatchObject({ id: 7, error: { code: -32_003 } });
    },
  );

  it.each(["99.0", "2.0", "x"])(
    "refuses version %s of the protocol with -32009",
    async (version) => {
      const served = await serve(exampleMesh());
      const body = { jsonrpc: "2.0", id: 7, method: "GetTask", params: { id: "a" } };

      const reply = await post(served, body, { "a2a-version": version });

      expect(await reply.json()).toMatchObject({
        id: 7,
        error: { code: -32_009, data: [{ reason: "VERSION_NOT_SUPPORTED" }] },
      });
    },
  );

  it("refuses another content type with -32005", async () => {
    const served = await serve(exampleMesh());

    const reply = await post(served, legacySend("a"), { "content-type": "text/plain" });

    expect(await reply.json()).toMatchObject({
      error: { code: -32_005, data: [{ reason: "CONTENT_TYPE_NOT_SUPPORTED" }] },
    });
  });

  it("has no fields of 0.3 on its card where 1.0 is asked for, in a header or in the URL", async () => {
    const { server } = await serve(exampleMesh());
    const at = `${server.url}/.well-known/agent-card.json`;
    const cards = await Promise.all([
      fetch(at, { headers: { "a2a-version": "1.0" } }),
      fetch(`${at}?A2A-Version=1.0`),
      fetch(at),
    ]);
    const [byHeader, byUrl, both] = await Promise.all(
      cards.map(async (card) => (await card.json()) as Record<string, unknown>),
    );

    expect(byHeader).toEqual(byUrl);
    for (const key of ["protocolVersion", "url", "preferredTransport", "security"]) {
      expect(byHeader).not.toHaveProperty(key);
    }
    expect(byHeader?.supportedInterfaces).toEqual(both?.supportedInterfaces);
    expect(both).toMatchObject({ protocolVersion: "0.3.0", preferredTransport: "JSONRPC" });
  });

  it.each([
    ["SubscribeToTask", { id: "no-such-task" }],
    ["tasks/resubscribe", { id: "no-such-task" }],
  ])("answers %s of an unknown task with the protocol's error", async (method, params) => {
    const served = await serve(exampleMesh());

    const reply: unknown = await (
      await post(served, { jsonrpc: "2.0", id: 7, method, params }, { "a2a-version": "1.0" })
    ).json();

    expect(reply).toMatchObject({ id: 7, error: { code: -32_001 } });
  });

  it("lists the tasks of a user: the last updated first, in pages, filtered", async () => {
    const served = await serve(exampleMesh());
    const client = await clientOf(served);
    const begin = async (text: string, contextId = "") =>
      ((await client.sendMessage(userMessage(text, { contextId }))) as Task).id;
    const ids = [await begin("one"), await begin("two", "context-2"), await begin("three")];
    const list = (request: object) =>
      client.listTasks({
        tenant: "",
        contextId: "",
        pageToken: "",
        status: 0,
        ...request,
      } as never);

    const first = await list({ pageSize: 2 });
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
    const listed = [...first.tasks, ...second.tasks];

    expect(first.totalSize).toBe(3);
    expect(second.nextPageToken).toBe("");
    expect(listed.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const times = listed.map(({ status }) => status?.timestamp ?? "");
    expect(times).toEqual([...times].sort().reverse());
    expect(listed.flatMap(({ artifacts }) => artifacts)).toEqual([]);
    const inContext = await list({ contextId: "context-2", includeArtifacts: true });
    expect(inContext.tasks.map(({ id }) => id)).toEqual([ids[1]]);
    expect(inContext.tasks[0]?.artifacts).toHaveLength(1);
    expect((await list({ status: TaskState.TASK_STATE_FAILED })).tasks).toEqual([]);
    served.user = { id: "eve" };
    expect((await list({})).totalSize).toBe(0);
  });

  it.each([
    ["a page token that is not one", { pageToken: "garbage" }],
    ["a negative history length", { historyLength: -1 }],
    ["a time that is not one", { statusTimestampAfter: "yesterday" }],
    ["pages too large", { pageSize: 1_000 }],
  ])("refuses to list tasks with %s", async (_what, params) => {
    const served = await serve(exampleMesh());

    const reply: unknown = await (
      await post(
        served,
        { jsonrpc: "2.0", id: 7, method: "ListTasks", params },
        { "a2a-version": "1.0" },
      )
    ).json();

    expect(reply).toMatchObject({ id: 7, error: { code: -32_602 } });
  });

  it.each(["SendMessage", "message/send", "no/such", "tasks/get"])(
    "answers %s without parameters with an error, and stays as it was",
    async (method) => {
      const served = await serve(exampleMesh());

      const reply: unknown = await (await post(served, { jsonrpc: "2.0", id: 1, method })).json();

      expect(reply).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
      expect((await post(served, legacySend("restart"))).status).toBe(200);
    },
  );

  it("answers whatever JSON it gets, and stays as it was", async () => {
    const handler = createA2AHandler(exampleMesh());
    cleanUp.push(handler.close);
    const parts = fc.array(fc.oneof(fc.jsonValue(), fc.record({ text: fc.string() })));
    const messages = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0"),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.constantFrom("SendMessage", "message/send", "GetTask", "tasks/cancel", "x"),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({
            message: fc.oneof(fc.jsonValue(), fc.record({ messageId: fc.string(), parts })),
            configuration: fc.jsonValue(),
          }),
        ),
      },
      { requiredKeys: [] },
    );

    await fc.assert(
      fc.asyncProperty(fc.oneof(messages, fc.jsonValue()), async (body) => {
        const response = await handler(
          new Request("http://localhost/a2a", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        );

        expect([200, 400]).toContain(response.status);
        const reply: unknown = await response.json();
        expect(reply).toEqual(expect.objectContaining({ jsonrpc: "2.0" }));
      }),
    );
  });

  it("refuses methods it does not know", async () => {
    const { server } = await serve(exampleMesh());

    expect((await fetch(`${server.url}/a2a`)).status).toBe(405);
  });

  it("cancels what is at work when it closes, and answers 503 from then on", async () => {
    const { router, begun, stopped } = slowMesh();
    const served = await serve(router);
    const client = await clientOf(served);
    const sent = client.sendMessage(userMessage("slow"));
    await begun;

    await served.handler.close();

    await expect(stopped).resolves.toMatchObject({ details: { reason: "cancelled" } });
    expect(outcomeOf(await sent).state).toBe(TaskState.TASK_STATE_CANCELED);
    expect((await post(served, legacySend("restart"))).status).toBe(503);
  });

  it.each([
    [{ maxTasks: 0 }, RangeError, "maxTasks: expected an integer from 1 to 1000000, got 0."],
    [{ url: "ftp://mesh.example" }, RangeError, "url: expected an http or https URL, or a path"],
    [{ port: 1 }, TypeError, 'options: unknown key "port".'],
  ])("refuses the options %j, naming key and value", (options, kind, message) => {
    const create = () => createA2AHandler(exampleMesh(), options as A2AHandlerOptions);

    expect(create).toThrow(kind);
    expect(create).toThrow(message);
  });
});
