import { type Part, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, type ExecutionEventBus } from "@a2a-js/sdk/server";
import {
  type AskOptions,
  type ErrorInfo,
  MeshError,
  type MeshEvent,
  type Response,
  type Router,
  type Run,
  type TraceContext,
  type User,
} from "@constellation/core";
import { decodeCall, encodeReply } from "@constellation/core/envelope";
import { envelopeExtension } from "../envelope-extension.js";
import { agentMessage, dataPart, textOf, textPart } from "./message.js";

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
}

/** Maximum number of progress lines of one task, and of characters of one. */
const progressLimits = { lines: 100, length: 1_000 };

/** Runs tasks by asking a mesh; `cancelTask` cancels the run. */
export function createExecutor(
  router: Router,
  { maxQueryLength, maxQueries }: ExecutorBounds,
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
    async execute({ taskId, contextId, userMessage, request, context }, bus) {
      const withEnvelope = userMessage.metadata?.[envelopeExtension] !== undefined;
      const publish = createPublisher({ taskId, contextId, bus, withEnvelope });
      publish.begin();
      const call = (context.state.get(callKey) ?? {}) as Call; // only we write it
      const { user, trace } = call;
      // A caller that does not wait may disconnect and fetch the task later.
      const signal = request.configuration?.returnImmediately === true ? undefined : call.signal;
      const to = librarianOf(userMessage.metadata) ?? librarianOf(request.metadata);
      const incoming = incomingOf(userMessage.metadata);
      if ("error" in incoming) return publish.end(incoming);
      const options = { to, user, trace, signal, ...incoming };
      const begun = begin(taskId, textOf(userMessage), options);
      if (!("response" in begun)) return publish.end(begun);
      try {
        let lines = 0;
        for await (const event of begun.events) {
          const line = lineOf(event);
          if (line !== undefined && ++lines <= progressLimits.lines) publish.progress(line);
        }
        publish.end(await begun.response);
      } finally {
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

/** The limits that the envelope of a calling mesh brings; it can only tighten those of this one. */
function incomingOf(
  metadata: Readonly<Record<string, unknown>> | undefined,
): Pick<AskOptions, "path" | "callerRemainingMs"> | { readonly error: ErrorInfo } {
  const envelope = metadata?.[envelopeExtension];
  if (envelope === undefined) return {};
  try {
    const { path, remainingMs } = decodeCall(envelope);
    return { path, callerRemainingMs: remainingMs };
  } catch (thrown) {
    return { error: MeshError.from(thrown, "a2a").toInfo() };
  }
}

function refused(
  code: "SERVICE_UNAVAILABLE" | "INVALID_QUERY",
  message: string,
  reason?: "overloaded",
): Response {
  return { error: new MeshError(code, message, { reason }).toInfo() };
}

/** The librarian the caller names: `librarian` in the metadata of the message or the request. */
function librarianOf(metadata: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const id = metadata?.librarian;
  return typeof id === "string" ? id : undefined;
}

function lineOf(event: MeshEvent): string | undefined {
  if (event.type === "hop:start") return `Asking ${event.to}.`;
  if (event.type !== "hop:progress" || !("message" in event.progress)) return undefined;
  return `${event.to}: ${event.progress.message}`.slice(0, progressLimits.length);
}

interface Publication {
  readonly taskId: string;
  readonly contextId: string;
  readonly bus: ExecutionEventBus;
  /** Whether the caller sent an envelope, and so understands one. */
  readonly withEnvelope: boolean;
}

/** Publishes the events of one task. */
function createPublisher({ taskId, contextId, bus, withEnvelope }: Publication) {
  const status = (state: TaskState, parts: Part[]) => ({
    state,
    message: parts.length === 0 ? undefined : agentMessage(taskId, contextId, parts),
    timestamp: new Date().toISOString(),
  });
  const update = (state: TaskState, parts: Part[], outcome?: Response) =>
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        status: status(state, parts),
        // The SDK merges it into the metadata of the task.
        metadata:
          withEnvelope && outcome !== undefined
            ? { [envelopeExtension]: encodeReply(outcome) }
            : undefined,
      }),
    );
  return {
    begin() {
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_WORKING, []),
          artifacts: [],
          history: [],
          metadata: undefined,
        }),
      );
    },
    progress(line: string) {
      update(TaskState.TASK_STATE_WORKING, [textPart(line)]);
    },
    /** An answer, whole or partial, completes the task; its error alone fails it. */
    end(response: Response) {
      const { answer, error } = response;
      if (answer !== undefined) {
        const parts = [textPart(answer, "text/markdown"), dataPart(response)];
        bus.publish(
          AgentEvent.artifactUpdate({
            taskId,
            contextId,
            artifact: {
              artifactId: "answer",
              name: "answer",
              description: "",
              parts,
              metadata: undefined,
              extensions: [],
            },
            append: false,
            lastChunk: true,
            metadata: undefined,
          }),
        );
        update(TaskState.TASK_STATE_COMPLETED, [], response);
        return;
      }
      const isCancelled = error?.details?.reason === "cancelled";
      const { code, message, suggestion = "" } = error ?? { code: "INTERNAL_ERROR", message: "" };
      const text = `${code}: ${message}${suggestion === "" ? "" : `\n${suggestion}`}`;
      const state = isCancelled ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED;
      update(state, [textPart(text), dataPart(response)], response);
    },
  };
}
