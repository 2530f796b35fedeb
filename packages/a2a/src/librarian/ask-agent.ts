import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Message, Role, type SendMessageRequest, type Task } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { isAtWork, statusLine } from "./read-outcome.js";
import { within } from "./within.js";

/** One question to an agent. */
export interface Question {
  readonly text: string;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Headers that go along, such as `traceparent`. */
  readonly headers: Record<string, string>;
  readonly pollMs: number;
  /** Told how far the agent is. */
  readonly tell: (line: string) => void;
}

/** Longest wait before a task is looked at again, and most time to cancel one, in milliseconds. */
const limits = { pollMs: 5_000, cancelMs: 2_000 };

/**
 * Sends a question, and waits until the agent's task has come to an end. When nobody waits any more,
 * the agent is told to cancel it.
 */
export async function askAgent(
  client: Client,
  question: Question,
  signal: AbortSignal,
): Promise<Message | Task> {
  const { headers, pollMs, tell } = question;
  const options = { signal, serviceParameters: headers };
  let outcome: Message | Task = await client.sendMessage(requestOf(question), options);
  let waitMs = pollMs;
  let last: string | undefined;
  while (isAtWork(outcome)) {
    const { id } = outcome;
    const line = statusLine(outcome);
    if (line !== undefined && line !== last) tell(line);
    last = line;
    try {
      await sleep(waitMs, undefined, { signal });
      waitMs = Math.min(waitMs * 1.5, Math.max(pollMs, limits.pollMs));
      outcome = await client.getTask({ tenant: "", id, historyLength: 0 }, options);
    } catch (thrown) {
      if (signal.aborted) cancel(client, id, headers);
      throw thrown;
    }
  }
  return outcome;
}

function cancel(client: Client, id: string, headers: Record<string, string>): void {
  const cancelled = within({ timeoutMs: limits.cancelMs }, (signal) =>
    client.cancelTask(
      { tenant: "", id, metadata: undefined },
      { signal, serviceParameters: headers },
    ),
  );
  cancelled.catch(() => undefined); // nobody waits for the task, whether it heeds this or not
}

function requestOf({ text, metadata }: Question): SendMessageRequest {
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
      returnImmediately: false,
    },
    metadata: undefined,
  };
}
