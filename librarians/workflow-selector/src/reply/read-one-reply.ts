import { readJsonReply } from "@constellation/authoring";

type Fields = Readonly<Record<string, unknown>>;

/** Longest reply that is read, in characters. */
const maxLength = 200_000;

/**
 * Reads the JSON object of a reply, as `readJsonReply` does: bare, as JSON in a text, fenced or among prose. What is fenced counts
 * before what is not.
 *
 * @returns Undefined where there is none, and where there are several lists or fences of them: which counts is not known.
 */
export function readOneReply(reply: string): Fields | undefined {
  const text = reply.slice(0, maxLength).trim();
  const whole = parsed(text);
  if (whole !== undefined) return onlyObject(whole);
  const fenced = text
    .split("```")
    .filter((_, at) => at % 2 === 1)
    .map((block) => parsed(block.replace(/^json/i, "")))
    .filter((value) => typeof value === "object" && value !== null);
  const distinct = new Map(fenced.map((value) => [JSON.stringify(value), value]));
  return fenced.length === 0 ? readJsonReply(reply) : onlyObject([...distinct.values()].flat());
}

/** An object, or the only one of a list. */
function onlyObject(value: unknown): Fields | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isFields(one) ? one : undefined;
}

/** A value in JSON, also as JSON in a text. */
function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "string" ? (JSON.parse(value) as unknown) : value;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object with fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
