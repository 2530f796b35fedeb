import type { Message } from "@a2a-js/sdk";
import type { User, WaitAnswer, Waiting } from "@constellation/core";
import { mayAnswer } from "@constellation/core/checks";
import { joinText } from "./message.js";

/** The first wait that a caller of the agent can answer with a message. */
export function findWait(
  waiting: readonly Waiting[] | undefined,
  user: User | undefined,
): Waiting | undefined {
  return waiting?.find((wait) => wait.kind !== "event" && mayAnswer(wait, user));
}

/** The question for the caller, and how to answer it. */
export function describeWait({ kind, what, why }: Waiting): string {
  const how = {
    approval: "Reply yes to approve it, or no to refuse it.",
    question: "Reply with the answer.",
    event: "",
    "outcome-unknown": "Its outcome is not known. Reply repeat if it did not happen.",
  }[kind];
  return [what, why, how].filter((part) => part !== undefined && part !== "").join("\n");
}

/**
 * Reads a reply: its text, or a data part with `approve`, `value`, `repeat` or `comment`. @returns `undefined` for no
 * answer.
 */
export function readReply(
  { kind }: Waiting,
  message: Message,
): Omit<WaitAnswer, "id" | "user"> | undefined {
  for (const { content } of message.parts) {
    if (content?.$case !== "data") continue;
    const { approve, value, repeat, comment } = Object(content.value);
    const given = {
      ...(typeof approve === "boolean" && { approve }),
      ...(value !== undefined && { value }),
      ...(repeat === true && { repeat }),
    };
    if (Object.keys(given).length === 0) continue;
    return { ...given, ...(typeof comment === "string" && { comment }) };
  }
  const text = joinText(message).trim();
  const word = text.toLowerCase().replace(/[.!]$/, "");
  if (kind === "approval") {
    if (yes.has(word)) return { approve: true };
    return no.has(word) ? { approve: false } : undefined;
  }
  if (kind === "outcome-unknown") return word === "repeat" ? { repeat: true } : undefined;
  return text === "" ? undefined : { value: text };
}

const yes: ReadonlySet<string> = new Set(["yes", "y", "approve", "approved"]);
const no: ReadonlySet<string> = new Set(["no", "n", "refuse", "refused", "reject", "rejected"]);
