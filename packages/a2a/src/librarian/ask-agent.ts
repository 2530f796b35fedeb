import { randomUUID } from "node:crypto";
import { type Message, Role, type SendMessageRequest, type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { pause } from "@constellation/authoring";
import { withDeadline } from "@constellation/core";
import { isInProgress, statusLine } from "./read-outcome.js";

/** One question to an agent. */
export interface Question {
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Sent with each request, such as `traceparent`. */
  readonly headers: Record<string, string>;
  readonly pollMs: number;
  /** Milliseconds until the question is abandoned. */
  readonly remainingMs: () => number;
  /** Called with each new status of the task. */
  readonly onStatus: (line: string) => void;
  /** Called with a task that was cancelled because the caller has left. */
  readonly onCancelled: (task: Task) => void;
}

/** Time before the first poll of a task, between two polls, and for cancelling one, in milliseconds. */
const limits = { firstPollMs: 25, minPollMs: 10, cancelMs: 2_000 };

/**
 * Sends a question, and waits until the agent's task has ended or needs input. On abort the task is cancelled at the
 * agent; so is a task that needs input, because it is not continued.
 */
export async function askAgent(
  client: Client,
  question: Question,
  signal: AbortSignal,
): Promise<Message | Task> {
  const { headers, pollMs, remainingMs, onStatus } = question;
  const options = { signal, serviceParameters: headers };
  let outcome = await send(client, question, signal);
  let waitMs = Math.min(pollMs, limits.firstPollMs);
  let last: string | undefined;
  while (isInProgress(outcome)) {
    const { id } = outcome;
    const line = statusLine(outcome);
    if (line !== undefined && line !== last) onStatus(line);
    last = line;
    try {
      // More often near the end: a mesh ends in time, and reports what it did.
      await pause(Math.min(waitMs, Math.max(limits.minPollMs, remainingMs() / 4)), signal);
      waitMs = Math.min(waitMs * 1.5, pollMs);
      outcome = await client.getTask({ tenant: "", id, historyLength: 0 }, options);
    } catch (thrown) {
      if (signal.aborted) cancel(client, id, question);
      throw thrown;
    }
  }
  if (isInterrupted(outcome)) {
    cancel(client, outcome.id, { headers, onCancelled: () => undefined }); // this outcome is the reply
  }
  return outcome;
}

/** Whether a task waits at the agent for input or for credentials. */
function isInterrupted(outcome: Message | Task): outcome is Task {
  if ("messageId" in outcome) return false;
  const state = outcome.status?.state;
  return (
    state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED
  );
}

/**
 * Sends the message. An abort meanwhile ends the wait at once, but not the request: only its reply
 * names the task that is to be cancelled.
 */
async function send(
  client: Client,
  question: Question,
  signal: AbortSignal,
): Promise<Message | Task> {
  const { headers } = question;
  const request = new AbortController();
  const sent = client.sendMessage(buildRequest(question), {
    signal: request.signal,
    serviceParameters: headers,
  });
  try {
    return await withDeadline({ signal }, () => sent);
  } catch (thrown) {
    if (signal.aborted) {
      const timer = setTimeout(() => request.abort(), limits.cancelMs);
      sent
        .then((outcome) => isInProgress(outcome) && cancel(client, outcome.id, question))
        .catch(() => undefined) // the caller has left, so a failure does not matter
        .finally(() => clearTimeout(timer));
    }
    throw thrown;
  }
}

/** Cancels a task, without keeping the caller waiting. */
function cancel(
  client: Client,
  id: string,
  { headers, onCancelled }: Pick<Question, "headers" | "onCancelled">,
): void {
  const cancelled = withDeadline({ timeoutMs: limits.cancelMs }, (signal) => {
    const options = { signal, serviceParameters: headers };
    return client
      .cancelTask({ tenant: "", id, metadata: undefined }, options)
      .catch(() => client.getTask({ tenant: "", id, historyLength: 0 }, options)); // it has ended
  });
  cancelled.then(onCancelled).catch(() => undefined); // the caller has left: a failure concerns no one
}

function buildRequest({ text, metadata }: Question): SendMessageRequest {
  return {
    tenant: "",
    message: {
      messageId: randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [
        {
          content: { $case: "text", value: text },
          mediaType: "text/plain",
          filename: "",
          metadata: undefined,
        },
      ],
      metadata: metadata === undefined ? undefined : { ...metadata },
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: {
      acceptedOutputModes: ["text/markdown", "text/plain", "application/json"],
      taskPushNotificationConfig: undefined,
      historyLength: 0,
      returnImmediately: true, // so that the task's id is known, and it can be cancelled
    },
    metadata: undefined,
  };
}
