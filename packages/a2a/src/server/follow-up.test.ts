import { Role, type Task, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory } from "@a2a-js/sdk/client";
import { createRouter, type Router, type User } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { serveLoopback } from "../../test/loopback.js";
import { slowMesh } from "../../test/slow-mesh.js";
import { userMessage } from "../../test/user-message.js";
import { createA2ALibrarian } from "../librarian/a2a-librarian.js";
import { createA2AHandler } from "./create-a2a-handler.js";
import type { A2AHandlerOptions } from "./options.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

interface Served {
  readonly client: Client;
  readonly url: string;
  /** The user, as the host of the handler authenticated it. */
  user: User | undefined;
}

async function serve(router: Router, options?: A2AHandlerOptions): Promise<Served> {
  const handler = createA2AHandler(router, options);
  const served: { user: User | undefined } = { user: undefined };
  const { url, close } = await serveLoopback((request) => handler(request, { user: served.user }));
  cleanUp.push(close, handler.close);
  return Object.assign(served, { url, client: await new ClientFactory().createFromUrl(url) });
}

/** A librarian that needs a city, and another that never asks back; both record what they were asked. */
function travelMesh() {
  const asked: string[] = [];
  const router = createRouter({ entry: "other" });
  router.register({
    id: "other",
    description: "answers anything",
    librarian: async () => ({ answer: "something" }),
  });
  router.register({
    id: "weather",
    description: "knows the weather",
    librarian: async (query) => {
      asked.push(query);
      return query.includes("Bergen")
        ? { answer: "It rains in Bergen." }
        : {
            error: {
              code: "INVALID_QUERY",
              message: "The query names no city.",
              suggestion: "Which city?",
            },
          };
    },
  });
  return { router, asked };
}

const toWeather = { metadata: { librarian: "weather" } };

function textOf({ status, artifacts }: Task): string {
  const parts = artifacts[0]?.parts ?? status?.message?.parts ?? [];
  return parts
    .flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))
    .join("\n");
}

const begin = async ({ client }: Served) =>
  (await client.sendMessage(userMessage("How is the weather?", toWeather))) as Task;
const reply = async ({ client }: Served, { id }: Task, text: string) =>
  (await client.sendMessage(userMessage(text, { messageId: "m-2", taskId: id }))) as Task;

describe("a second message to a task", () => {
  it("continues a task whose librarian asked back, with all that the user wrote", async () => {
    const { router, asked } = travelMesh();
    const served = await serve(router);

    const task = await begin(served);
    const ended = await reply(served, task, "In Bergen.");

    expect(task.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(textOf(task)).toBe("The query names no city.\nWhich city?");
    expect(ended).toMatchObject({ id: task.id, contextId: task.contextId });
    expect(ended.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(textOf(ended)).toBe("It rains in Bergen.");
    expect(asked).toEqual(["How is the weather?", "How is the weather?\n\nIn Bergen."]);
    const written = ended.history.filter(({ role }) => role === Role.ROLE_USER);
    expect(written.map(({ messageId }) => messageId)).toEqual(["m-1", "m-2"]);
  });

  it("may be followed by another question, and a third message", async () => {
    const served = await serve(travelMesh().router);

    const task = await begin(served);
    const again = await reply(served, task, "In the north.");
    const sent = userMessage("In Bergen.", { messageId: "m-3", taskId: task.id });
    const ended = (await served.client.sendMessage(sent)) as Task;

    expect(again.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(textOf(ended)).toBe("It rains in Bergen.");
  });

  it("continues a task in a stream, which begins with the task and ends with the next question", async () => {
    const served = await serve(travelMesh().router);
    const task = await begin(served);
    const states: (TaskState | undefined)[] = [];

    const sent = userMessage("Soon.", { messageId: "m-2", taskId: task.id });
    for await (const { payload } of served.client.sendMessageStream(sent)) {
      if (payload?.$case === "task" || payload?.$case === "statusUpdate") {
        states.push(payload.value.status?.state);
      }
    }

    expect(states[0]).toBe(TaskState.TASK_STATE_WORKING);
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });

  it("continues a task of protocol 0.3", async () => {
    const served = await serve(travelMesh().router);
    const send = async (text: string, more: object) => {
      const parts = [{ kind: "text", text }];
      const message = { kind: "message", messageId: text, role: "user", parts, ...more };
      const response = await fetch(`${served.url}/a2a`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "message/send",
          params: { message },
        }),
      });
      return ((await response.json()) as { result: { id: string; status: { state: string } } })
        .result;
    };

    const task = await send("How is the weather?", toWeather);
    const ended = await send("In Bergen.", { taskId: task.id });

    expect([task.status.state, ended.status.state]).toEqual(["input-required", "completed"]);
  });

  it.each([
    ["that has ended", "In Bergen.", {}, "terminal state"],
    ["of another context", "", { contextId: "c-other" }, "contextId mismatch"],
    ["that does not exist", "", { taskId: "t-none" }, "Task not found"],
  ])("is refused for a task %s", async (_what, first, more, message) => {
    const served = await serve(travelMesh().router);
    const task = await begin(served);
    if (first !== "") await reply(served, task, first);

    const sent = userMessage("In Bergen.", { messageId: "m-3", taskId: task.id, ...more });

    await expect(served.client.sendMessage(sent)).rejects.toThrow(message);
  });

  it("is refused for a task that is at work, and for one of another user", async () => {
    const slow = slowMesh();
    const busy = await serve(slow.router);
    const immediately = {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: true,
    };
    const working = (await busy.client.sendMessage(userMessage("slow", {}, immediately))) as Task;
    await slow.begun;
    const served = await serve(travelMesh().router);
    served.user = { id: "ada" };
    const waiting = await begin(served);
    served.user = { id: "bob" };

    await expect(reply(busy, working, "more")).rejects.toThrow("The task is at work.");
    await expect(reply(served, waiting, "In Bergen.")).rejects.toThrow("Task not found");
  });

  it("is taken once when two arrive together", async () => {
    const { router, asked } = travelMesh();
    const served = await serve(router);
    const task = await begin(served);

    const replies = await Promise.allSettled([
      reply(served, task, "In Bergen."),
      reply(served, task, "In Bergen, please."),
    ]);

    expect(replies.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(asked).toHaveLength(2);
  });
});

describe("a task whose run waits", () => {
  function operatorMesh() {
    const router = createRouter({ journal: createJournal({ store: createMemoryStore() }) });
    router.register({
      id: "operator",
      description: "restarts what people allow",
      librarian: async (query, context) => {
        const mine = { what: `Restart ${query}?`, by: { users: ["ada"] } };
        const { approved, outcome } = await context.approve(
          query === "theirs" ? { ...mine, excludeRequester: true } : mine,
        );
        if (!approved) return { answer: `It was ${outcome}.` };
        const { outcome: how, ...count } = await context.askUser("How many?", z.string());
        return { answer: how === "answered" ? `Restarted ${JSON.stringify(count)}.` : "None." };
      },
    });
    return router;
  }
  const start = async ({ client }: Served, query: string) =>
    (await client.sendMessage(userMessage(query))) as Task;

  it("asks for an approval and for an answer, and is completed with them", async () => {
    const served = await serve(operatorMesh());
    served.user = { id: "ada" };

    const task = await start(served, "checkout");
    const unclear = await reply(served, task, "Perhaps.");
    const asked = await reply(served, task, "Yes.");
    const ended = await reply(served, task, "two");

    expect(textOf(task)).toBe("Restart checkout?\nReply yes to approve it, or no to refuse it.");
    expect(textOf(asked)).toBe("How many?\nReply with the answer.");
    for (const { status } of [task, unclear, asked]) {
      expect(status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    }
    expect(ended.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(textOf(ended)).toMatch(/^Restarted .*"value":"two"/);
  });

  it("is refused with a reply, and ends with what it has where its user may not answer", async () => {
    const served = await serve(operatorMesh());
    served.user = { id: "ada" };

    const refused = await reply(served, await start(served, "checkout"), "no");
    const theirs = await start(served, "theirs");

    expect(textOf(refused)).toBe("It was refused.");
    expect(theirs.status?.state).not.toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });
});

describe("a task that waits for input", () => {
  it.each(["continues", "is cancelled"])("shows a subscriber how it %s", async (how) => {
    const served = await serve(travelMesh().router);
    const task = await begin(served);
    const events = served.client.resubscribeTask({ tenant: "", id: task.id });
    const states: unknown[] = [];
    const first = await events.next();
    const ended =
      how === "continues"
        ? reply(served, task, "In Bergen.")
        : served.client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    for await (const { payload } of events) {
      if (payload?.$case === "statusUpdate") states.push(payload.value.status?.state);
    }

    expect(first.value).toMatchObject({ payload: { value: { id: task.id } } });
    expect(states.at(-1)).toBe((await ended).status?.state);
  });

  it("can be cancelled, and is forgotten after a while", async () => {
    const served = await serve(travelMesh().router, { taskTtlMs: 60_000 });
    const [cancelled, forgotten] = [await begin(served), await begin(served)];

    const { status } = await served.client.cancelTask({
      tenant: "",
      id: cancelled.id,
      metadata: undefined,
    });
    expect(status?.state).toBe(TaskState.TASK_STATE_CANCELED);

    const waitingSince = Date.now();
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"], now: waitingSince + 60_001 });
    await expect(reply(served, forgotten, "In Bergen.")).rejects.toThrow("Task not found");
  });

  it("is not begun for what the router refuses, nor for another mesh, which reads the error", async () => {
    const served = await serve(travelMesh().router);
    const here = createRouter();
    const url = served.url;
    here.register(createA2ALibrarian({ id: "there", url, metadata: { librarian: "weather" } }));

    const blank = (await served.client.sendMessage(userMessage(" "))) as Task;
    const { error } = await here.ask("How is the weather?");

    expect(blank.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(error).toMatchObject({ code: "INVALID_QUERY", suggestion: "Which city?" });
    const { tasks } = await served.client.listTasks({
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_INPUT_REQUIRED,
      pageToken: "",
      statusTimestampAfter: undefined,
    });
    expect(tasks).toEqual([]);
  });
});

describe("a context", () => {
  it("is a thread of its user, where the handler has threads", async () => {
    const router = createRouter({ journal: createJournal({ store: createMemoryStore() }) });
    router.register({
      ...{ id: "recalling", description: "recalls" },
      librarian: async (query, { thread }) => ({
        answer: `${query} after ${JSON.stringify(thread?.turns.map((turn) => turn.query))}`,
      }),
    });
    cleanUp.push(() => router.close());
    const served = await serve(router, { threads: true });
    served.user = { id: "ann" };
    const send = async (text: string, contextId: string) =>
      (await served.client.sendMessage(userMessage(text, { messageId: text, contextId }))) as Task;

    const first = await send("One?", "");
    const second = await send("Two?", first.contextId);
    served.user = { id: "bob" };
    const other = await send("Mine?", first.contextId);
    const tooLong = await send("Long?", "c".repeat(201));

    expect(textOf(first)).toBe("One? after []");
    expect(textOf(second)).toBe('Two? after ["One?"]');
    expect(textOf(other)).toContain("The thread was not found.");
    expect(textOf(tooLong)).toContain("more than 200 characters");
  });
});
