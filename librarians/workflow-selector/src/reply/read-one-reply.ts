import { readJsonReply } from "@constellation/authoring";

/** Longest fenced block that is looked for, in characters. */
const maxLength = 200_000;

/**
 * Reads the JSON object of a reply, as `readJsonReply` does.
 *
 * @returns Undefined where there is none, and where the reply is a list of several: which of them counts is not known.
 */
export function readOneReply(reply: string): Readonly<Record<string, unknown>> | undefined {
  const text = reply.slice(0, maxLength).trim();
  const start = text.startsWith("```") ? text.indexOf("\n") + 1 : 0;
  const end = text.startsWith("```") ? text.lastIndexOf("```") : text.length;
  const list = parsed(text.slice(start, end));
  return Array.isArray(list) && list.length !== 1 ? undefined : readJsonReply(reply);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
