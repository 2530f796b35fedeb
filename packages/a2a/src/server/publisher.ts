import { type Part, type Task, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type ExecutionEventBus } from "@a2a-js/sdk/server";
import type { Response } from "@constellation/core";
import type { ReplyEnvelope } from "@constellation/transport/envelope";
import { envelopeExtension } from "../envelope-extension.js";
import { type AnswerPart, agentMessage, dataPart, textPart, toPart } from "./message.js";

/** Target and settings of publishing. */
export interface Publication {
  readonly taskId: string;
  readonly contextId: string;
  readonly bus: ExecutionEventBus;
  /** Returns the parts that show an answer, in place of its text and data. */
  readonly present: ((response: Response) => readonly AnswerPart[] | undefined) | undefined;
}

/** Publishes the events of one task. */
export function createPublisher({ taskId, contextId, bus, present }: Publication) {
  const status = (state: TaskState, parts: Part[]) => ({
    state,
    message: parts.length === 0 ? undefined : agentMessage(taskId, contextId, parts),
    timestamp: new Date().toISOString(),
  });
  const update = (state: TaskState, parts: Part[], reply?: ReplyEnvelope) =>
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        status: status(state, parts),
        // The SDK merges it into the metadata of the task.
        metadata: reply === undefined ? undefined : { [envelopeExtension]: reply },
      }),
    );

  function toParts(answer: string, response: Response): Part[] {
    const parts = present?.(response)?.map(toPart) ?? [];
    return parts.length > 0 ? parts : plainParts(answer, response);
  }

  /** An answer, whole or partial, completes the task. */
  function complete(answer: string, response: Response, reply?: ReplyEnvelope): void {
    // Another mesh reads the envelope.
    const parts = reply === undefined ? toParts(answer, response) : plainParts(answer, response);
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
    update(TaskState.TASK_STATE_COMPLETED, [], reply);
  }

  return {
    /** @param task - The task that a message continues; a new one begins where not given. */
    begin(task: Task | undefined) {
      const begun = { artifacts: [], history: [], metadata: undefined, ...task };
      bus.publish(
        AgentEvent.task({
          ...begun,
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_WORKING, []),
        }),
      );
    },
    /** Answers without a task. */
    answer(answer: string, response: Response) {
      bus.publish(AgentEvent.message(agentMessage("", contextId, toParts(answer, response))));
    },
    progress(line: string) {
      update(TaskState.TASK_STATE_WORKING, [textPart(line)]);
    },
    /** The task waits for the user to add what a librarian lacks. */
    askBack(response: Response) {
      const parts = [textPart(describeError(response)), dataPart(response)];
      update(TaskState.TASK_STATE_INPUT_REQUIRED, parts);
    },
    /** The task waits for an answer to what its run waits for. @param text - The wait, and how to answer it. */
    waitFor(text: string, response: Response) {
      update(TaskState.TASK_STATE_INPUT_REQUIRED, [textPart(text), dataPart(response)]);
    },
    /** An answer, whole or partial, completes the task; its error alone fails it. */
    end(response: Response, reply?: ReplyEnvelope) {
      const { answer, error } = response;
      if (answer !== undefined) return complete(answer, response, reply);
      const text = `${error?.code ?? "INTERNAL_ERROR"}: ${describeError(response)}`;
      const isCancelled = error?.details?.reason === "cancelled";
      const state = isCancelled ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED;
      update(state, [textPart(text), dataPart(response)], reply);
    },
  };
}

function plainParts(answer: string, response: Response): Part[] {
  return [textPart(answer, "text/markdown"), dataPart(response)];
}

/** Message and advice of an error. */
function describeError({ error }: Response): string {
  const { message = "", suggestion = "" } = error ?? {};
  return suggestion === "" ? message : `${message}\n${suggestion}`;
}
