import type { WaitAnswer } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { z } from "zod";
import { wrongField } from "../http/problem.js";
import { readBody } from "../http/read-request.js";
import type { AGUIOptions } from "../streams/ag-ui.js";
import type { StreamFormat } from "../streams/to-stream.js";
import { readToolCallId, type UIMessageOptions } from "../streams/ui-messages.js";
import { type AskRequest, readAsk } from "./ask-request.js";

/** A request of a chat page, in the form that its library sends. */
export interface ChatRequest {
  /** A question; absent where the user answers what a run waits for. */
  readonly ask?: AskRequest | undefined;
  /** Answers of the user, all for one run. */
  readonly answers: readonly ChatAnswer[];
  /** Id of the conversation, as the client names it. */
  readonly chatId?: string | undefined;
  readonly options: Omit<UIMessageOptions & AGUIOptions, "user" | "answers">;
}

/** An answer to something that a run waits for. */
export interface ChatAnswer {
  readonly runId: string;
  readonly waitId: string;
  readonly toolCallId: string;
  readonly answer: Omit<WaitAnswer, "id" | "user">;
}

/** How a server reads chats. */
export interface ChatReading {
  readonly schema: z.ZodType<AskRequest>;
  /** Whether a chat is a thread of its user. Otherwise librarians get the conversation as the client sends it. */
  readonly hasThreads: boolean;
}

const id = z.string().min(1).max(200).optional();

const uiMessagesSchema = z.looseObject({
  id,
  messages: z
    .array(
      z.looseObject({
        id,
        role: z.string().max(50),
        parts: z.array(z.looseObject({ type: z.string().max(200) })).max(10_000),
      }),
      "expected the messages of a chat",
    )
    .min(1, "expected at least one message")
    .max(10_000),
});

const aguiSchema = z.looseObject({
  threadId: id,
  runId: id,
  messages: z
    .array(z.looseObject({ role: z.string().max(50) }), "expected the messages of a thread")
    .max(10_000),
  state: z.unknown(),
  forwardedProps: z.unknown(),
  resume: z
    .array(
      z.looseObject({
        interruptId: z.string().max(500),
        status: z.enum(["resolved", "cancelled"]),
        payload: z.unknown(),
      }),
    )
    .max(100)
    .nullish(),
});

/**
 * Reads a body: that of `POST /ask`, or what the client library of a format sends. Beside it the fields of `POST /ask` that
 * options of a question are: in the body itself, or in `forwardedProps`.
 *
 * @throws Problem 400 that names the field.
 */
export function readChat(
  format: StreamFormat,
  { schema, hasThreads }: ChatReading,
  body: unknown,
): ChatRequest {
  if (format === "events" || (isRecord(body) && "query" in body)) {
    return { ask: readAsk(schema, body), answers: [], options: {} };
  }
  const { question, ...rest } = format === "ui-messages" ? readUIMessages(body) : readAGUI(body);
  if (question === undefined) return rest;
  return {
    ...rest,
    ask: readAsk(schema, buildAsk(question, hasThreads ? rest.chatId : undefined)),
  };
}

/** A body as read, before its question is checked. */
interface ReadBody extends Omit<ChatRequest, "ask"> {
  readonly question?: Question;
}

interface Question {
  readonly turns: readonly Turn[];
  /** The object in which the client sets options of a question. */
  readonly given: Readonly<Record<string, unknown>>;
}

function readUIMessages(body: unknown): ReadBody {
  const { messages, id: chatId, ...rest } = readBody(uiMessagesSchema, body);
  const turns = messages.map(({ role, parts }) => ({ role, text: parts.map(readText).join("") }));
  const last = messages.at(-1);
  if (last?.role === "assistant") {
    const answers = last.parts.flatMap(readAnswers);
    if (answers.length === 0) throw wrongField("messages", "the last one must be of the user");
    return { answers, chatId, options: { messageId: last.id } };
  }
  return { question: { turns, given: rest }, answers: [], chatId, options: {} };
}

function readAGUI(body: unknown): ReadBody {
  const { threadId, runId, messages, state, forwardedProps, resume } = readBody(aguiSchema, body);
  const options = { threadId, runId, messages, ...(isRecord(state) && { state }) };
  if (resume != null && resume.length > 0) {
    const answers = resume.flatMap(({ interruptId, status, payload }): ChatAnswer[] => {
      const wait = readToolCallId(interruptId);
      if (wait === undefined) return [];
      return [{ ...wait, toolCallId: interruptId, answer: readPayload(status, payload) }];
    });
    if (answers.length === 0) throw wrongField("resume", "expected the ids of interrupts");
    return { answers, chatId: threadId, options };
  }
  const turns = messages.map(({ role, content }) => ({ role, text: joinContent(content) }));
  const given = isRecord(forwardedProps) ? forwardedProps : {};
  return { question: { turns, given }, answers: [], chatId: threadId, options };
}

interface Turn {
  readonly role: string;
  readonly text: string;
}

/** Fields of a question that a client may set beside its messages. */
const askFields = ["to", "thread", "timeoutMs", "merge", "background"] as const;

/** The last message of the user as a question, with the earlier conversation where the chat is not a thread. */
function buildAsk({ turns, given }: Question, thread: string | undefined): object {
  const at = turns.findLastIndex(({ role }) => role === "user");
  const options = askFields.flatMap((name) =>
    given[name] === undefined ? [] : [[name, given[name]] as const],
  );
  const conversation = thread === undefined ? pairTurns(turns.slice(0, Math.max(0, at))) : [];
  const before = conversation.length === 0 ? {} : { conversation };
  const metadata = { ...before, ...(isRecord(given.metadata) && given.metadata) };
  return {
    query: turns[at]?.text ?? "",
    ...(thread !== undefined && { thread }),
    ...Object.fromEntries(options),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Limits of the conversation that librarians get. */
const maxTurns = 10;
const maxTurnLength = 4_000;

/** Questions and their answers, oldest first, as librarians read them in `metadata.conversation`. */
function pairTurns(turns: readonly Turn[]) {
  const conversation: { query: string; answer: string }[] = [];
  for (const { role, text } of turns) {
    const current = conversation.at(-1);
    const cut = text.slice(0, maxTurnLength);
    if (role === "user") conversation.push({ query: cut, answer: "" });
    else if (role === "assistant" && current !== undefined) current.answer += cut;
  }
  return conversation.slice(-maxTurns);
}

function readText({ type, text }: Readonly<Record<string, unknown>>): string {
  return type === "text" && typeof text === "string" ? text : "";
}

function joinContent(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content)
    ? content.map((part: unknown) => (isRecord(part) ? readText(part) : "")).join("")
    : "";
}

/** The answer in a part of a message: to an approval, or the output of a question. */
function readAnswers(part: Readonly<Record<string, unknown>>): readonly ChatAnswer[] {
  const { type, toolCallId, state, approval, output } = part;
  const wait = typeof toolCallId === "string" ? readToolCallId(toolCallId) : undefined;
  if (type !== "dynamic-tool" || typeof toolCallId !== "string" || wait === undefined) return [];
  if (state === "approval-responded" && isRecord(approval)) {
    const { approved, reason } = approval;
    if (typeof approved !== "boolean") return [];
    return [{ ...wait, toolCallId, answer: { approve: approved, ...readComment(reason) } }];
  }
  if (state === "output-available" && part.toolName === "question") {
    return [{ ...wait, toolCallId, answer: { value: output } }];
  }
  return [];
}

/** The payload says whether it is a refusal; a cancelled interrupt is one too. */
function readPayload(status: "resolved" | "cancelled", payload: unknown): ChatAnswer["answer"] {
  if (status === "cancelled") return { approve: false };
  if (!isRecord(payload) || typeof payload.approved !== "boolean") return { value: payload };
  return { approve: payload.approved, ...readComment(payload.comment) };
}

function readComment(comment: unknown): { comment?: string } {
  return typeof comment === "string" ? { comment: comment.slice(0, 2_000) } : {};
}
