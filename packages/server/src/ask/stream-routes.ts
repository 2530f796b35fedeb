import type { ContinuedRun, Run, User } from "@constellation/core";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { sendEvents } from "../http/event-stream.js";
import { Problem, wrongField } from "../http/problem.js";
import { jobOf } from "../http/work.js";
import { readOwnRun, requireJournal, resumeRun } from "../journal/journal-routes.js";
import type { Service } from "../service.js";
import { type StreamedRun, streamedRun } from "../streams/streamed-run.js";
import {
  type StreamFormat,
  streamFormats,
  streamHeaders,
  streamTexts,
} from "../streams/to-stream.js";
import type { GivenAnswer } from "../streams/ui-messages.js";
import { type AskRequest, noJournal, readAskParameters } from "./ask-request.js";
import { type ChatAnswer, type ChatRequest, readChat } from "./chat-request.js";
import { startAsk } from "./started-run.js";

/** Header of `POST /ask` that asks for a stream, and names its form. */
export const formatHeader = "constellation-stream";

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Adds `/ask/stream` by GET and POST, and `POST /ask/ui-messages` and `/ask/ag-ui`, which stream in the form of other
 * libraries, as `POST /ask` does with the header `constellation-stream`.
 *
 * @returns A function that handles a request with that header, and returns `undefined` for others.
 */
export function addStreamRoutes(
  app: FastifyInstance,
  service: Service,
  schema: z.ZodType<AskRequest>,
): (header: string | readonly string[] | undefined) => Handler | undefined {
  const config = { isWork: true };
  const chats = createOpenChats();
  const reading = { schema, hasThreads: service.settings.journal !== undefined };
  const streamAs =
    (format: StreamFormat): Handler =>
    (request, reply) =>
      stream(service, request, reply, {
        ...{ format, chats, chat: readChat(format, reading, request.body) },
      });
  app.post("/ask/stream", { config }, streamAs("events"));
  app.get("/ask/stream", { config }, (request, reply) => {
    const chat = { ask: readAskParameters(schema, request.query), answers: [], options: {} };
    return stream(service, request, reply, { format: "events", chats, chat });
  });
  for (const format of ["ui-messages", "ag-ui"] as const) {
    app.post(`/ask/${format}`, { config }, streamAs(format));
    app.get<{ Params: { chatId: string } }>(
      `/ask/${format}/:chatId/stream`,
      { config },
      (request, reply) => resumeChat(service, request, reply, { format, chats }),
    );
  }
  return (header) => {
    if (header === undefined) return undefined;
    const format = streamFormats.find((each) => each === header);
    if (format !== undefined) return streamAs(format);
    throw wrongField(formatHeader, `expected ${streamFormats.join(", ")}`);
  };
}

/** Streams a run that the request starts, or continues with an answer. */
async function stream(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, chat, chats }: { format: StreamFormat; chat: ChatRequest; chats: OpenChats },
): Promise<void> {
  const { limits } = service.settings;
  const { chatId, ask, options } = chat;
  const begun =
    ask === undefined
      ? await continueRun(service, request, reply, chat.answers)
      : await begin(service, request, reply, ask);
  const { run, user, isInBackground, answers, end } = begun;
  if (isInBackground && chatId !== undefined) chats.add(request.user, chatId, { run, options });
  if (service.work.isDraining) reply.header("connection", "close");
  const onDisconnect = () => {
    if (!isInBackground) begun.cancel?.("The client disconnected.");
  };
  try {
    const texts = streamTexts(run, format, { ...options, user, answers });
    await sendEvents(reply, texts, { limits, headers: streamHeaders(format), onDisconnect });
  } finally {
    end();
  }
}

/** The run of a stream. */
interface BegunRun {
  readonly run: StreamedRun;
  readonly user: User | undefined;
  /** Whether it continues when its client disconnects. */
  readonly isInBackground: boolean;
  readonly answers: readonly GivenAnswer[];
  cancel?(reason: string): void;
  end(): void;
}

async function begin(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: AskRequest,
): Promise<BegunRun> {
  const isInBackground = ask.background === true;
  if (isInBackground && service.settings.journal === undefined) throw noJournal();
  if (ask.webhook !== undefined) throw wrongField("webhook", "not for a stream");
  const { run, traceId, filter, end } = await startAsk(service, request, reply, ask);
  return {
    ...{ user: request.user, isInBackground, answers: [] },
    run: streamedRun(run, (data) => filter.apply(data), traceId),
    cancel: (reason) => run.cancel(reason),
    end: () => end(200),
  };
}

/**
 * Answers what a run waits for. The run continues even without its client, because it may be about to change
 * something.
 */
async function continueRun(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  given: readonly ChatAnswer[],
): Promise<BegunRun> {
  const { user } = request;
  const [{ runId } = { runId: "" }] = given;
  await readOwnRun(service, { params: { id: runId }, user });
  const open = await requireJournal(service).waiting({ runId });
  const answers: GivenAnswer[] = [];
  let run: Run | ContinuedRun | undefined;
  for (const { waitId, toolCallId, answer, ...each } of given) {
    const isOpen = each.runId === runId && open.some(({ id }) => id === waitId);
    if (!isOpen) continue; // answered before, such as in an earlier request with the same messages
    run = await resumeRun(service, request, reply, runId, { ...answer, id: waitId });
    const { approve, value, comment } = answer;
    const output = approve === true ? { approved: true, comment } : value;
    answers.push({ toolCallId, output });
  }
  if (run === undefined) {
    throw new Problem(404, "NOT_FOUND", "Nothing waits for the answers.", {
      suggestion: "They may have been given before; GET /runs/{id} has the state of the run.",
    });
  }
  request.runId = run.id;
  reply.header("x-run-id", run.id);
  const filter = createLibrarianFilter(service.router, user);
  return {
    ...{ user, isInBackground: true, answers, end: () => undefined },
    run: streamedRun(run, (data) => filter.apply(data)),
  };
}

/** Runs of chats that continue without their client, so that the client can reconnect. */
interface OpenChats {
  add(user: User | undefined, chatId: string, chat: OpenChat): void;
  find(user: User | undefined, chatId: string): OpenChat | undefined;
}

interface OpenChat {
  readonly run: StreamedRun;
  readonly options: ChatRequest["options"];
}

/** Maximum number of chats; the oldest ones are dropped. */
const maxChats = 1_000;

function createOpenChats(): OpenChats {
  const open = new Map<string, OpenChat>();
  const keyOf = (user: User | undefined, chatId: string) => JSON.stringify([user?.id, chatId]);
  return {
    add(user, chatId, chat) {
      const key = keyOf(user, chatId);
      open.delete(key);
      open.set(key, chat);
      const [oldest] = open.keys();
      if (open.size > maxChats && oldest !== undefined) open.delete(oldest);
      void chat.run.response.then(() => {
        if (open.get(key) === chat) open.delete(key);
      });
    },
    find: (user, chatId) => open.get(keyOf(user, chatId)),
  };
}

/** Streams the run of a chat from its beginning: 204 where none is in progress. */
async function resumeChat(
  service: Service,
  request: FastifyRequest<{ Params: { chatId: string } }>,
  reply: FastifyReply,
  { format, chats }: { format: StreamFormat; chats: OpenChats },
): Promise<FastifyReply | undefined> {
  const { user, params } = request;
  const chat = chats.find(user, params.chatId);
  if (chat === undefined) return reply.code(204).send();
  const { limits } = service.settings;
  let isGone = false;
  const place = await service.work.begin({
    cancel: () => reply.raw.destroy(),
    ...jobOf(request, reply),
    isStanding: true,
  });
  async function* texts(open: OpenChat): AsyncGenerator<string> {
    for await (const text of streamTexts(open.run, format, { ...open.options, user })) {
      if (isGone) return;
      yield text;
    }
  }
  const onDisconnect = () => {
    isGone = true;
    place.leave();
  };
  try {
    await sendEvents(reply, texts(chat), { limits, headers: streamHeaders(format), onDisconnect });
  } finally {
    place.leave();
  }
  return undefined;
}
