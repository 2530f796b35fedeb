import { type Message, Role, type Task } from "@a2a-js/sdk";
import type { AgentExecutor } from "@a2a-js/sdk/server";
import {
  type AskOptions,
  MeshError,
  type MeshEvent,
  type Response,
  type Router,
  type Run,
  type TraceContext,
  type User,
} from "@constellation/core";
import { createTextLines, modelLine, type TextLines } from "@constellation/core/authoring";
import {
  askOptionsOf,
  decodeCall,
  type IncomingCall,
  openServerSpan,
  refuseCall,
  replyTo,
} from "@constellation/core/envelope";
import { envelopeExtension } from "../envelope-extension.js";
import { spanDetails } from "../span-details.js";
import { textOf } from "./message.js";
import { createPublisher } from "./publisher.js";

/** The {@link Call} of a request is under this key of the call's state. */
export const callKey = "constellation.call";

/** What a request states about its run. */
export interface Call {
  readonly user?: User | undefined;
  readonly trace?: TraceContext | undefined;
  /** Aborts when the caller disconnects, where it waits for the outcome. */
  readonly signal?: AbortSignal | undefined;
}

/** Bounds of {@link createExecutor}. */
export interface ExecutorBounds {
  readonly maxQueryLength: number;
  readonly maxQueries: number;
  /** Ids of users whose calls may name another user. */
  readonly trustedPeers: readonly string[];
}

/** Maximum number of progress lines of one task, and of characters of one. */
const progressLimits = { lines: 100, length: 1_000 };

/** Runs tasks by asking a mesh; `cancelTask` cancels the run. */
export function createExecutor(
  router: Router,
  { maxQueryLength, maxQueries, trustedPeers }: ExecutorBounds,
): AgentExecutor & { close(): void } {
  const runs = new Map<string, Run>();

  /** Starts the run of a task, or returns why not. */
  function begin(taskId: string, query: string, options: AskOptions): Run | Response {
    if (runs.size >= maxQueries) {
      return refused("SERVICE_UNAVAILABLE", "Too many queries are in flight.", "overloaded");
    }
    if (query.length > maxQueryLength) {
      return refused("INVALID_QUERY", `The query has more than ${maxQueryLength} characters.`);
    }
    const run = router.start(query, options);
    runs.set(taskId, run);
    return run;
  }

  return {
    async execute({ taskId, contextId, userMessage, request, context, task }, bus) {
      const envelope = userMessage.metadata?.[envelopeExtension];
      const publish = createPublisher({ taskId, contextId, bus });
      publish.begin(task);
      const call = (context.state.get(callKey) ?? {}) as Call; // only we write it
      const { user, trace } = call;
      // A caller that does not wait may disconnect and fetch the task later.
      const signal = request.configuration?.returnImmediately === true ? undefined : call.signal;
      const messages = messagesOf(task, userMessage);
      const to =
        librarianOf(userMessage.metadata) ??
        librarianOf(request.metadata) ??
        librarianOf(messages[0]?.metadata);
      let incoming: IncomingCall | undefined;
      try {
        incoming = envelope === undefined ? undefined : decodeCall(envelope);
      } catch (thrown) {
        const error = MeshError.from(thrown, "a2a").toInfo();
        return publish.end({ error }, refuseCall(error));
      }
      const calledFor = incoming && askOptionsOf(incoming, { user, trustedPeers });
      const span = openServerSpan(spanDetails, { trace, baggage: incoming?.baggage });
      const options = { user, ...calledFor, to, trace: span.place, signal };
      const begun = span.within(() => begin(taskId, messages.map(textOf).join("\n\n"), options));
      if (!("response" in begun)) {
        const { error } = begun;
        span.end(error);
        return publish.end(begun, incoming && error && refuseCall(error, incoming.requestId));
      }
      try {
        const texts = createTextLines();
        let lines = 0;
        let isAskedBack = false;
        for await (const event of begun.events) {
          isAskedBack ||= asksBack(event);
          const line = lineOf(event, texts);
          if (line !== undefined && ++lines <= progressLimits.lines) publish.progress(line);
        }
        const response = await begun.response;
        span.end(response.answer === undefined ? response.error : undefined);
        // A calling mesh reads the error, and continues no task.
        if (isAskedBack && isQuestion(response) && incoming === undefined) {
          return publish.askBack(response);
        }
        publish.end(response, incoming && (await replyTo(begun, incoming.requestId)));
      } finally {
        span.end();
        runs.delete(taskId);
      }
    },
    async cancelTask(taskId) {
      runs.get(taskId)?.cancel("The task was cancelled.");
    },
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

/** What the user wrote in a task so far, oldest first: the question, and replies to what was asked back. */
function messagesOf(task: Task | undefined, message: Message): readonly Message[] {
  // The SDK has added the message to the history of a task that it continues.
  return task === undefined
    ? [message]
    : task.history.filter(({ role }) => role === Role.ROLE_USER);
}

/** The librarian the caller names: `librarian` in the metadata of the message or the request. */
function librarianOf(metadata: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const id = metadata?.librarian;
  return typeof id === "string" ? id : undefined;
}

/** Whether a librarian, and not the router, lacks something that the user can add. */
function asksBack(event: MeshEvent): boolean {
  return event.type === "hop:end" && isQuestion(event.response);
}

function isQuestion({ answer, error }: Response = {}): boolean {
  return answer === undefined && error?.code === "INVALID_QUERY";
}

function lineOf(event: MeshEvent, texts: TextLines): string | undefined {
  if (event.type === "hop:start") return `Asking ${event.to}.`;
  if (!("hopId" in event)) return undefined;
  const line = workLine(event, texts);
  return line === undefined ? undefined : `${event.to}: ${line}`.slice(0, progressLimits.length);
}

/** What a librarian reports, or the model that it waits for. */
function workLine(event: MeshEvent, texts: TextLines): string | undefined {
  if (event.type === "model:start" || event.type === "model:end") return modelLine(event);
  if (event.type !== "hop:progress") return undefined;
  const { progress } = event;
  return "message" in progress ? progress.message : texts.add(event.hopId, progress);
}
