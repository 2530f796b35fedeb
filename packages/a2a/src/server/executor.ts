import { type Message, Role, type Task } from "@a2a-js/sdk";
import type { AgentExecutor } from "@a2a-js/sdk/server";
import { createTextLines, modelLine, type TextLines } from "@constellation/authoring";
import {
  type AskOptions,
  MeshError,
  type MeshEvent,
  type Response,
  type ResponseFields,
  type Router,
  type Run,
  type TraceContext,
  type User,
  type Waiting,
} from "@constellation/core";
import {
  createLibrarianFilter,
  decodeCall,
  type IncomingCall,
  openServerSpan,
  refuseCall,
  replyTo,
  toAskOptions,
} from "@constellation/transport/envelope";
import { envelopeExtension } from "../envelope-extension.js";
import { spanDetails } from "../span-details.js";
import { joinText } from "./message.js";
import type { A2AHandlerSettings } from "./options.js";
import { createPublisher } from "./publisher.js";
import { describeWait, findWait, readReply } from "./waits.js";

/** The {@link Call} of a request is under this key of the call's state. */
export const callKey = "constellation.call";

/** Data of a request about its run. */
export interface Call {
  readonly user?: User | undefined;
  /** Whether its metadata counts as observed. */
  readonly observed?: boolean | undefined;
  readonly trace?: TraceContext | undefined;
  /** Aborts when the caller disconnects, where it waits for the outcome. */
  readonly signal?: AbortSignal | undefined;
}

/** What {@link createExecutor} reads of the settings of the handler. */
type ExecutorSettings = Pick<
  A2AHandlerSettings,
  "maxQueryLength" | "maxQueries" | "trustedPeers" | "present" | "threads" | "direct"
>;

/** Maximum number of tasks that wait for an answer; the oldest are still in the journal. */
const maxWaits = 1_000;

/** Maximum length of a contextId that is a thread, in characters. */
const maxThreadLength = 200;

/** Maximum number of progress lines of one task, and of characters of one. */
const progressLimits = { lines: 100, length: 1_000 };

/** Runs tasks by asking a mesh; `cancelTask` cancels the run. */
export function createExecutor(
  router: Router,
  { maxQueryLength, maxQueries, trustedPeers, present, threads, direct }: ExecutorSettings,
): AgentExecutor & { close(): void; isAtWork(taskId: string): boolean } {
  const runs = new Map<string, Run>();
  /** Tasks whose librarians still work, also after the response. */
  const unsettled = new Set<Run>();

  /** Waits of tasks, and the response until they are answered. */
  const waits = new Map<string, { readonly wait: Waiting; readonly response: Response }>();

  /** Ends a task, or makes it wait for its user. */
  function finish(
    taskId: string,
    response: Response,
    user: User | undefined,
    publish: ReturnType<typeof createPublisher>,
  ): void {
    const wait = findWait(response.metadata?.waiting, user);
    if (wait === undefined) {
      publish.end(response);
      return;
    }
    waits.set(taskId, { wait, response });
    const [oldest] = waits.keys();
    if (waits.size > maxWaits && oldest !== undefined) waits.delete(oldest);
    publish.waitFor(describeWait(wait), response);
  }

  /** Continues the run of a task with its user's reply. */
  async function answer(
    taskId: string,
    message: Message,
    user: User | undefined,
    publish: ReturnType<typeof createPublisher>,
  ): Promise<void> {
    const { wait, response } = waits.get(taskId) ?? {};
    if (wait === undefined || response === undefined) return;
    const reply = readReply(wait, message);
    if (reply === undefined) return publish.waitFor(describeWait(wait), response);
    waits.delete(taskId);
    try {
      const run = await router.resume(wait.runId, { ...reply, id: wait.id, user });
      if ("cancel" in run) runs.set(taskId, run);
      const filter = createLibrarianFilter(router, user);
      finish(taskId, filter.apply(await run.response), user, publish);
    } catch (thrown) {
      publish.end({ error: MeshError.from(thrown, "a2a").toInfo() });
    } finally {
      runs.delete(taskId);
    }
  }

  /** Starts the run of a task, or returns why not. */
  function begin(taskId: string, query: string, options: AskOptions): Run | Response {
    if (unsettled.size >= maxQueries) {
      return refused("SERVICE_UNAVAILABLE", "Too many queries are in flight.", "overloaded");
    }
    if (query.length > maxQueryLength) {
      return refused("INVALID_QUERY", `The query has more than ${maxQueryLength} characters.`);
    }
    if ((options.thread?.length ?? 0) > maxThreadLength) {
      return refused("INVALID_QUERY", `The contextId has more than ${maxThreadLength} characters.`);
    }
    const run = router.start(query, options);
    runs.set(taskId, run);
    unsettled.add(run);
    void run.settled.then(() => unsettled.delete(run));
    return run;
  }

  return {
    async execute({ taskId, contextId, userMessage, request, context, task }, bus) {
      const envelope = userMessage.metadata?.[envelopeExtension];
      const publish = createPublisher({ taskId, contextId, bus, present });
      const call = (context.state.get(callKey) ?? {}) as Call; // only we write it
      const { user, observed, trace } = call;
      if (waits.has(taskId)) {
        publish.begin(task);
        return answer(taskId, userMessage, user, publish);
      }
      // A caller that does not wait may disconnect and fetch the task later.
      const signal = request.configuration?.returnImmediately === true ? undefined : call.signal;
      const messages = listMessages(task, userMessage);
      const to =
        readLibrarian(userMessage.metadata) ??
        readLibrarian(request.metadata) ??
        readLibrarian(messages[0]?.metadata);
      // Only the caller knows a task that it waits for.
      const isNew = task === undefined && envelope === undefined && signal !== undefined;
      const isDirect = isNew && to !== undefined && direct.includes(to);
      if (!isDirect) publish.begin(task);
      let incoming: IncomingCall | undefined;
      try {
        incoming = envelope === undefined ? undefined : decodeCall(envelope);
      } catch (thrown) {
        const error = MeshError.from(thrown, "a2a").toInfo();
        return publish.end({ error }, refuseCall(error));
      }
      const calledFor = incoming && toAskOptions(incoming, { user, trustedPeers });
      const span = openServerSpan(spanDetails, { trace, baggage: incoming?.baggage });
      const thread = threads && incoming === undefined ? contextId : undefined;
      const options = { user, observed, ...calledFor, to, thread, trace: span.place, signal };
      const filter = createLibrarianFilter(router, options.user);
      const begun = span.within(() => begin(taskId, messages.map(joinText).join("\n\n"), options));
      if (!("response" in begun)) {
        const { error } = begun;
        span.end(error);
        if (isDirect) publish.begin(task);
        return publish.end(begun, incoming && error && refuseCall(error, incoming.requestId));
      }
      try {
        const texts = createTextLines();
        let lines = 0;
        let isAskedBack = false;
        for await (const event of begun.events) {
          isAskedBack ||= asksBack(event);
          const line = describeProgress(filter.apply(event), texts);
          const isShown = line !== undefined && !isDirect && ++lines <= progressLimits.lines;
          if (isShown) publish.progress(line);
        }
        const whole = await begun.response;
        span.end(whole.answer === undefined ? whole.error : undefined);
        const response = filter.apply(whole);
        const { answer: text, metadata } = response;
        if (isDirect && text !== undefined && metadata?.waiting === undefined) {
          return publish.answer(text, response);
        }
        if (isDirect) publish.begin(task);
        // A calling mesh reads the error, and continues no task.
        if (isAskedBack && isQuestion(response) && incoming === undefined) {
          return publish.askBack(response);
        }
        if (incoming === undefined) return finish(taskId, response, options.user, publish);
        const reply = filter.apply(await replyTo(begun, incoming.requestId));
        publish.end(response, reply);
      } finally {
        span.end();
        runs.delete(taskId);
      }
    },
    async cancelTask(taskId) {
      runs.get(taskId)?.cancel("The task was cancelled.");
    },
    isAtWork: (taskId) => runs.has(taskId),
    close() {
      for (const run of runs.values()) run.cancel("The agent is closing.");
    },
  };
}

function refused(
  code: "SERVICE_UNAVAILABLE" | "INVALID_QUERY",
  message: string,
  reason?: "overloaded",
): Response {
  return { error: new MeshError(code, message, { reason }).toInfo() };
}

/** Messages of the user in a task, oldest first: the question, and replies to questions of librarians. */
function listMessages(task: Task | undefined, message: Message): readonly Message[] {
  // The SDK has added the message to the history of a task that it continues.
  return task === undefined
    ? [message]
    : task.history.filter(({ role }) => role === Role.ROLE_USER);
}

/** The librarian the caller names: `librarian` in the metadata of the message or the request. */
function readLibrarian(
  metadata: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const id = metadata?.librarian;
  return typeof id === "string" ? id : undefined;
}

/** Whether a librarian, and not the router, lacks something that the user can add. */
function asksBack(event: MeshEvent): boolean {
  return event.type === "hop:end" && isQuestion(event.response);
}

function isQuestion({ answer, error }: ResponseFields = {}): boolean {
  return answer === undefined && error?.code === "INVALID_QUERY";
}

function describeProgress(event: MeshEvent, texts: TextLines): string | undefined {
  if (event.type === "hop:start") return `Asking ${event.to}.`;
  if (!("hopId" in event)) return undefined;
  const line = workLine(event, texts);
  return line === undefined ? undefined : `${event.to}: ${line}`.slice(0, progressLimits.length);
}

/** Progress of a librarian, or the model that it waits for. */
function workLine(event: MeshEvent, texts: TextLines): string | undefined {
  if (event.type === "model:start" || event.type === "model:end") return modelLine(event);
  if (event.type !== "hop:progress") return undefined;
  const { progress } = event;
  return "message" in progress ? progress.message : texts.add(event.hopId, progress);
}
