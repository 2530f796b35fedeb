import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Chat, useChat } from "@ai-sdk/react";
import { createRouter, type Librarian, type MeshLibrarian } from "@constellation/core";
import { createJournal, createSqliteStore } from "@constellation/journal";
import { toSSE, toUIMessageStream, type UIMessagePart } from "@constellation/server/streams";
import {
  createUIMessageStream,
  createUIMessageStreamResponse,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
} from "ai";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, onTestFinished } from "vitest";
import { aborted, heldLibrarian, type ServedMesh, serveMesh, until } from "./served-mesh.js";

/** A chat page of the AI SDK, without the page. */
function openChat(mesh: ServedMesh, options: ChatOptions = {}) {
  const { path = "/ask/ui-messages", body, headers, id = "chat-1", onError } = options;
  return new Chat<UIMessage>({
    id,
    transport: new DefaultChatTransport({
      api: `${mesh.url}${path}`,
      ...(body !== undefined && { body }),
      ...(headers !== undefined && { headers }),
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    ...(onError !== undefined && { onError }),
  });
}

interface ChatOptions {
  readonly path?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly id?: string;
  readonly onError?: (error: Error) => void;
}

function textOf(message: UIMessage | undefined): string {
  return (message?.parts ?? [])
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("|");
}

function partsOf(message: UIMessage | undefined, type: string) {
  return (message?.parts ?? []).filter((part) => part.type === type);
}

const desk: Librarian = async () => ({
  delegate: { to: "docs", context: { reason: "It is about runbooks." } },
});

const docs: MeshLibrarian = async (query, { report }) => {
  report("reading runbooks");
  report({ text: "Drain it, " });
  report({ text: "then restart." });
  return {
    answer: `Drain it, then restart. (${query})`,
    confidence: 0.9,
    sources: [
      { name: "Runbook", url: "https://docs.example.com/runbook" },
      { name: "Trap", url: "javascript:alert(1)" },
      { name: "notes.md" },
    ],
  };
};

/** A process with a librarian that asks for an approval, and its journal. */
function serveOperator(operator: Librarian) {
  const folder = mkdtempSync(join(tmpdir(), "constellation-chat-"));
  const store = createSqliteStore({ file: join(folder, "journal.db") });
  const journal = createJournal({ store, leaseMs: 1_000 });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return serveMesh({ operator }, { journal }, { journal });
}

const restarting: Librarian = async (query, context) => {
  const decision = await context?.approve?.({ what: `Restart ${query}?`, why: "It is down." });
  return { answer: decision?.approved === true ? "Restarted." : `It is ${decision?.outcome}.` };
};

describe("UI messages", () => {
  it("reach useChat as text, sources, and hops", async () => {
    const mesh = await serveMesh({ desk, docs: docs as Librarian });
    const chat = openChat(mesh);

    await chat.sendMessage({ text: "restart billing" });

    const message = chat.lastMessage;
    expect(chat.status).toBe("ready");
    expect(textOf(message)).toBe("Drain it, then restart. (restart billing)");
    expect(message?.metadata).toMatchObject({ runId: expect.any(String), confidence: 0.9 });
    expect(partsOf(message, "data-hop")).toMatchObject([
      { data: { id: 1, to: "desk", state: "delegate" } },
      { data: { id: 2, to: "docs", state: "answer", reason: "It is about runbooks." } },
    ]);
    expect(partsOf(message, "source-url")).toMatchObject([
      { url: "https://docs.example.com/runbook", title: "Runbook" },
    ]);
    expect(partsOf(message, "source-document")).toMatchObject([
      { title: "Trap" },
      { title: "notes.md" },
    ]);

    function Page() {
      const { messages, status } = useChat({ chat });
      return createElement("p", null, `${status}: ${textOf(messages.at(-1))}`);
    }
    expect(renderToStaticMarkup(createElement(Page))).toBe(
      "<p>ready: Drain it, then restart. (restart billing)</p>",
    );
  });

  it("show text while it is written, and take back what is withdrawn", async () => {
    let goOn: () => void = () => undefined;
    const shown = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const writer: MeshLibrarian = async (_query, { report }) => {
      report({ text: "An invented claim." });
      await shown;
      report({ text: "", replaces: true });
      report("it did not pass the check");
      return { answer: "A checked sentence." };
    };
    const mesh = await serveMesh({ writer: writer as Librarian });
    const chat = openChat(mesh);

    const sent = chat.sendMessage({ text: "what?" });
    await until(() => textOf(chat.lastMessage) === "An invented claim.");
    goOn();
    await sent;

    expect(textOf(chat.lastMessage)).toBe("A checked sentence.");
    expect(partsOf(chat.lastMessage, "data-hop")).toMatchObject([{ data: { state: "answer" } }]);
  });

  it("leave out what branches of a fan-out write, until it is merged", async () => {
    const branch =
      (text: string): MeshLibrarian =>
      async (_query, { report }) => {
        report({ text });
        return { answer: text };
      };
    const mesh = await serveMesh({
      both: async () => ({ delegate: [{ to: "one" }, { to: "two" }] }),
      one: branch("First.") as Librarian,
      two: branch("Second.") as Librarian,
    });
    const chat = openChat(mesh);

    await chat.sendMessage({ text: "all of it" });

    const { answer } = await mesh.router.ask("all of it");
    expect(textOf(chat.lastMessage)).toBe(answer);
  });

  it("carry options of a question in the body, and the conversation for librarians", async () => {
    const metadataSeen: unknown[] = [];
    const second: Librarian = async (query, context) => {
      metadataSeen.push(context?.metadata);
      return { answer: `${query}!` };
    };
    const mesh = await serveMesh({ first: desk, second });
    const chat = openChat(mesh, { body: { to: "second", metadata: { tier: "gold" } } });

    await chat.sendMessage({ text: "one" });
    await chat.sendMessage({ text: "two" });

    expect(textOf(chat.lastMessage)).toBe("two!");
    expect(metadataSeen).toEqual([
      { tier: "gold" },
      { tier: "gold", conversation: [{ query: "one", answer: "one!" }] },
    ]);
  });

  it("are chosen by a header of POST /ask too, also for a plain question", async () => {
    const mesh = await serveMesh({ docs: docs as Librarian });
    const headers = { "constellation-stream": "ui-messages" };
    const chat = openChat(mesh, { path: "/ask", headers });
    await chat.sendMessage({ text: "restart" });
    expect(textOf(chat.lastMessage)).toContain("Drain it");

    const plain = await mesh.post("/ask", { query: "restart" }, { headers });
    expect(plain.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect((await plain.text()).trimEnd().endsWith("data: [DONE]")).toBe(true);

    const wrong = await mesh.post(
      "/ask",
      { query: "restart" },
      { headers: { "constellation-stream": "smoke-signals" } },
    );
    expect(wrong.status).toBe(400);
  });

  it("end with the error of a run that has no answer", async () => {
    const lost: Librarian = async () => ({
      error: { code: "NOT_FOUND", message: "No runbook covers this.", suggestion: "Ask ops." },
    });
    const mesh = await serveMesh({ lost });
    const chat = openChat(mesh);

    await chat.sendMessage({ text: "why?" });

    expect(chat.status).toBe("error");
    expect(chat.error?.message).toBe("No runbook covers this.");
    expect(partsOf(chat.lastMessage, "data-error")).toMatchObject([
      { data: { code: "NOT_FOUND", suggestion: "Ask ops." } },
    ]);
  });

  it("refuse messages without a question, naming the field", async () => {
    const mesh = await serveMesh({ docs: docs as Librarian });
    const assistant = { id: "m", role: "assistant", parts: [{ type: "text", text: "Hello." }] };
    for (const [body, field] of [
      [{}, "messages"],
      [{ messages: [] }, "messages"],
      [{ messages: [assistant] }, "messages"],
      [{ messages: [{ id: "m", role: "user", parts: [{ type: "file" }] }] }, "query"],
    ] as const) {
      const reply = await mesh.post("/ask/ui-messages", body);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { details: { field } } });
    }
  });

  it("stop the run when the page stops reading", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian });
    const chat = openChat(mesh);

    void chat.sendMessage({ text: "wait" });
    const signal = await held.asked;
    await chat.stop();
    await aborted(signal);

    expect(signal.aborted).toBe(true);
  });
});

describe("what a run waits for", () => {
  it("is a tool that the user approves, and the same message continues", async () => {
    const mesh = await serveOperator(restarting);
    const chat = openChat(mesh);

    await chat.sendMessage({ text: "billing" });
    const [asked] = partsOf(chat.lastMessage, "dynamic-tool");
    expect(asked).toMatchObject({
      toolName: "approval",
      state: "approval-requested",
      input: { what: "Restart billing?", why: "It is down.", librarian: "operator" },
    });
    const approval = (asked as { readonly approval: { readonly id: string } }).approval;
    await chat.addToolApprovalResponse({ id: approval.id, approved: true });
    await until(() => textOf(chat.lastMessage).includes("Restarted."));
    await until(() => chat.status === "ready");

    expect(chat.messages).toHaveLength(2);
    const listed = await (await mesh.fetch("/threads")).json();
    expect(listed).toMatchObject({ threads: [{ id: "chat-1" }] });
    expect(partsOf(chat.lastMessage, "dynamic-tool")).toMatchObject([
      { state: "output-available", output: { approved: true } },
    ]);
  });

  it("is refused, in the user's words", async () => {
    const comments: unknown[] = [];
    const mesh = await serveOperator(async (query, context) => {
      const decision = await context?.approve?.({ what: `Restart ${query}?` });
      comments.push(decision?.comment);
      return { answer: `It is ${decision?.outcome}.` };
    });
    const chat = openChat(mesh);

    await chat.sendMessage({ text: "billing" });
    const [asked] = partsOf(chat.lastMessage, "dynamic-tool");
    const { id } = (asked as { readonly approval: { readonly id: string } }).approval;
    await chat.addToolApprovalResponse({ id, approved: false, reason: "Not on a Friday." });
    await until(() => textOf(chat.lastMessage).includes("It is refused."));

    expect(comments).toEqual(["Not on a Friday."]);
    expect(partsOf(chat.lastMessage, "dynamic-tool")).toMatchObject([{ state: "output-denied" }]);
  });

  it("cannot be answered twice, nor by made-up ids", async () => {
    const mesh = await serveOperator(restarting);
    const asked = await mesh.post("/ask", { query: "billing" });
    const runId = asked.headers.get("x-run-id") ?? "";
    const responded = (toolCallId: string) => ({
      id: "chat-1",
      messages: [
        {
          id: "m",
          role: "assistant",
          parts: [
            {
              ...{ type: "dynamic-tool", toolName: "approval", toolCallId, input: {} },
              ...{ state: "approval-responded", approval: { id: toolCallId, approved: true } },
            },
          ],
        },
      ],
    });

    expect((await mesh.post("/ask/ui-messages", responded("no-run/no-wait"))).status).toBe(404);
    expect((await mesh.post("/ask/ui-messages", responded(`${runId}/no-wait`))).status).toBe(404);
  });
});

describe("a chat in the background", () => {
  it("continues without its page, which reads it again from the beginning", async () => {
    const held = heldLibrarian();
    const mesh = await serveOperator(held.librarian);
    const first = openChat(mesh, { body: { background: true } });
    void first.sendMessage({ text: "wait" });
    const signal = await held.asked;
    await first.stop();

    const again = openChat(mesh);
    const resumed = again.resumeStream();
    await until(() => partsOf(again.lastMessage, "data-hop").length > 0);
    held.answer();
    await resumed;

    expect(signal.aborted).toBe(false);
    expect(textOf(again.lastMessage)).toBe("Here it is.");
    const other = await mesh.fetch("/ask/ui-messages/another-chat/stream");
    expect(other.status).toBe(204);
  });
});

describe("one's own route", () => {
  it("merges a run into a message of the AI SDK", async () => {
    const router = createRouter();
    router.register({ id: "docs", description: "answers", librarian: docs });
    const run = router.start("restart");

    const stream = createUIMessageStream({
      execute: ({ writer }) => writer.merge(asChunks(toUIMessageStream(run))),
    });
    const response = createUIMessageStreamResponse({ stream });

    expect(await response.text()).toContain('"delta":"Drain it, "');
    await router.close();
  });

  it("sends server-sent events, and cancels the run when they are not read any more", async () => {
    const held = heldLibrarian();
    const router = createRouter();
    router.register({ id: "held", description: "waits", librarian: held.librarian });
    const run = router.start("wait");

    const response = toSSE(run, { format: "ui-messages" });
    const reader = response.body?.getReader();
    await reader?.read();
    const signal = await held.asked;
    await reader?.cancel();
    await aborted(signal);
    await run.settled;

    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect((await run.response).error?.details?.reason).toBe("cancelled");
    await router.close();
  });

  it("hides librarians that the reader may not ask", async () => {
    const router = createRouter({ entry: "desk" });
    router.register({ id: "desk", description: "delegates", librarian: desk });
    router.register({
      id: "docs",
      description: "answers",
      librarian: docs,
      allow: { teams: ["a"] },
    });
    const run = router.start("restart");

    const text = await toSSE(run, { format: "ui-messages", router, user: { id: "bob" } }).text();

    expect(text).toContain("(hidden)");
    expect(text).not.toContain('"to":"docs"');
    await router.close();
  });

  it("gives parts that the AI SDK reads as they are", async () => {
    const router = createRouter();
    router.register({ id: "docs", description: "answers", librarian: docs });
    let last: UIMessage | undefined;
    const stream = asChunks(toUIMessageStream(router.start("restart")));
    for await (const message of readUIMessageStream({ stream })) last = message;
    expect(textOf(last)).toBe("Drain it, then restart. (restart)");
    await router.close();
  });
});

/** Compiles only while each part is one of the AI SDK's; a copy, since its arrays are not read-only. */
function asChunks(stream: ReadableStream<UIMessagePart>): ReadableStream<UIMessageChunk> {
  return stream.pipeThrough(
    new TransformStream<UIMessagePart, UIMessageChunk>({
      transform: (part, controller) => controller.enqueue(part),
    }),
  );
}
