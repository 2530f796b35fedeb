import { type Message, type Part, type Task, TaskState } from "@a2a-js/sdk";
import {
  type ErrorCode,
  type ErrorReason,
  errorReasons,
  isErrorCode,
  MeshError,
  type Response,
  type Source,
} from "@constellation/core";
import { isSafeLink } from "./safe-link.js";
import { sanitizeData } from "./untrusted-data.js";
import { cutMarkdown, sanitizeMarkdown, sanitizeMarkdownLine } from "./untrusted-markdown.js";

/** How an outcome is read. */
export interface Reading {
  /** Name on the agent's card. */
  readonly agent: string;
  readonly confidence: number;
  readonly maxAnswerLength: number;
}

/** Bounds of what is taken of an outcome besides its answer. */
const limits = { parts: 1_000, sources: 100, name: 500, message: 1_000 };

type Data = Readonly<Record<string, unknown>>;

/**
 * Reads what an agent gave back, which is data of somebody else and nothing more.
 *
 * @returns An answer with its sources, or the error that fits the state of the task.
 */
export function readOutcome(outcome: Message | Task, reading: Reading): Response {
  if ("messageId" in outcome) return answerOf(outcome.parts, reading);
  const { status, artifacts } = outcome;
  const said = status?.message?.parts ?? [];
  if (status?.state === TaskState.TASK_STATE_COMPLETED) {
    const made = artifacts.flatMap(({ parts }) => parts);
    return answerOf(made.length > 0 ? made : said, reading);
  }
  return { error: errorOf(status?.state, said.slice(0, limits.parts)).toInfo() };
}

/** Whether a task is still at work. */
export function isAtWork(outcome: Message | Task): outcome is Task {
  if ("messageId" in outcome) return false;
  const state = outcome.status?.state;
  return state === TaskState.TASK_STATE_WORKING || state === TaskState.TASK_STATE_SUBMITTED;
}

/** What an agent says of its task so far. */
export function statusLine({ status }: Task): string | undefined {
  const text = textOf(status?.message?.parts ?? []);
  return text === "" ? undefined : messageOf(text);
}

function answerOf(given: readonly Part[], reading: Reading): Response {
  const parts = given.slice(0, limits.parts);
  const data = cleanData(parts);
  const stated = data.items.find(
    ({ sources, confidence }) => Array.isArray(sources) || shareOf(confidence) !== undefined,
  );
  const text = textOf(parts);
  const said = text === "" ? jsonOf(data.items) : text;
  if (said.trim() === "") {
    const message = "The agent gave no text.";
    return { error: new MeshError("NOT_FOUND", message, { reason: "no-information" }).toInfo() };
  }
  const { maxAnswerLength } = reading;
  const whole = sanitizeMarkdown(said.slice(0, maxAnswerLength + 1));
  const isCut = said.length > maxAnswerLength || whole.length > maxAnswerLength;
  const confidence = shareOf(stated?.confidence) ?? reading.confidence;
  const sources = [...fileSources(parts), ...statedSources(stated?.sources)];
  return {
    answer: isCut ? cutMarkdown(said, maxAnswerLength) : whole,
    sources: [...sources.slice(0, limits.sources), { name: nameOf(reading.agent), type: "agent" }],
    confidence,
    ...((isCut || data.isCut || stated?.partial === true || confidence < 0.6) && { partial: true }),
    ...(data.items.length > 0 && { metadata: { data: data.items } }),
  };
}

function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))
    .join("\n\n");
}

function dataOf(parts: readonly Part[]): readonly Data[] {
  return parts.flatMap(({ content }) => {
    const data = content?.$case === "data" ? asRecord(content.value) : undefined;
    return data === undefined ? [] : [data];
  });
}

function cleanData(parts: readonly Part[]) {
  const cleaned = dataOf(parts).map(sanitizeData);
  return { items: cleaned.map(({ data }) => data), isCut: cleaned.some(({ isCut }) => isCut) };
}

function jsonOf(data: readonly Data[]): string {
  if (data.length === 0) return "";
  const json = JSON.stringify(data.length === 1 ? data[0] : data, undefined, 2);
  return `\`\`\`json\n${json.replaceAll("```", "` ` `")}\n\`\`\``;
}

function fileSources(parts: readonly Part[]): readonly Source[] {
  return parts.flatMap(({ content, filename }) => {
    if (content?.$case === "url")
      return [sourceOf(filename || addressOf(content.value), content.value, "file")];
    if (content?.$case === "raw") return [sourceOf(filename, undefined, "file")];
    return [];
  });
}

function addressOf(url: string): string {
  return isSafeLink(url) ? url : "";
}

function statedSources(sources: unknown): readonly Source[] {
  if (!Array.isArray(sources)) return [];
  return sources.slice(0, limits.sources).flatMap((item: unknown) => {
    const source = asRecord(item);
    if (typeof source?.name !== "string" || source.name.trim() === "") return [];
    const { name, url, type, relevance } = source;
    const share = shareOf(relevance);
    return [
      {
        ...sourceOf(name, url, typeof type === "string" ? nameOf(type) : undefined),
        ...(share !== undefined && { relevance: share }),
      },
    ];
  });
}

function sourceOf(name: string, url: unknown, type: string | undefined): Source {
  return {
    name: nameOf(name) || "file",
    ...(isSafeLink(url) && { url }),
    ...(type !== undefined && type !== "" && { type }),
  };
}

/** Codes a mesh on the other side may give that mean the same on this side. */
const passedOn: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "INVALID_QUERY",
  "UNAUTHORIZED",
  "NOT_FOUND",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "AI_UNAVAILABLE",
  "DATA_SOURCE_ERROR",
]);

function errorOf(state: TaskState | undefined, said: readonly Part[]): MeshError {
  const error = asRecord(dataOf(said).find((data) => asRecord(data.error) !== undefined)?.error);
  const code = isErrorCode(error?.code) ? error.code : undefined;
  if (code !== undefined && passedOn.has(code) && typeof error?.message === "string") {
    const { message, suggestion } = error;
    return new MeshError(code, messageOf(message), {
      reason: reasonOf(code, error.reason),
      suggestion: typeof suggestion === "string" ? messageOf(suggestion) : undefined,
    });
  }
  const text = quoteOf(textOf(said)) || "It did not say why.";
  const details = { text, ...(code !== undefined && { code }) };
  switch (state) {
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return new MeshError("INVALID_QUERY", "The agent needs to know more.", {
        suggestion: "Read what the agent asks in details.text, and put the answer into the query.",
        details,
      });
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return new MeshError("UNAUTHORIZED", "The agent wants further credentials.", {
        reason: "not-allowed",
        details,
      });
    case TaskState.TASK_STATE_REJECTED:
      return new MeshError("NOT_FOUND", "The agent decided not to do it.", {
        reason: "out-of-domain",
        details,
      });
    case TaskState.TASK_STATE_CANCELED:
      return new MeshError("SERVICE_UNAVAILABLE", "The agent cancelled its task.", { details });
    case TaskState.TASK_STATE_FAILED:
      return new MeshError("DATA_SOURCE_ERROR", "The agent's task failed.", {
        suggestion: "Read what the agent said in details.text, then ask in other words.",
        details,
      });
    default:
      return new MeshError("DATA_SOURCE_ERROR", "The agent's task is in no state that is known.", {
        reason: "invalid-response",
      });
  }
}

function reasonOf(code: ErrorCode, reason: unknown): ErrorReason | undefined {
  if (typeof reason !== "string" || !Object.hasOwn(errorReasons, reason)) return undefined;
  const known = reason as ErrorReason; // it is a key of the table
  const codes: readonly ErrorCode[] = errorReasons[known].codes;
  return codes.includes(code) ? known : undefined;
}

function messageOf(text: string): string {
  return sanitizeMarkdownLine(text, limits.message) || "It did not say why.";
}

function quoteOf(text: string): string {
  return text.length > limits.message ? cutMarkdown(text, limits.message) : sanitizeMarkdown(text);
}

function nameOf(text: string): string {
  return sanitizeMarkdownLine(text, limits.name);
}

function shareOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}

function asRecord(value: unknown): Data | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Data) // an object has string keys
    : undefined;
}
