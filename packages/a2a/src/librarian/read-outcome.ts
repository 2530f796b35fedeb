import { type Message, type Part, type Task, TaskState } from "@a2a-js/sdk";
import {
  isSafeLink,
  readRemoteError,
  readRemoteReply,
  remoteMessage,
  remoteQuote,
  remoteSource,
  sanitizeData,
} from "@constellation/authoring";
import { isErrorCode, MeshError, type Response, type Source } from "@constellation/core";
import { decodeReply } from "@constellation/transport/envelope";
import { envelopeExtension } from "../envelope-extension.js";

/** How an outcome is read. */
export interface Reading {
  /** Name on the agent's card. */
  readonly agent: string;
  /** Confidence of an answer that states none, 0 to 1. */
  readonly confidence: number;
  readonly maxAnswerLength: number;
  /** The same for the answer of a mesh, which is cut only where the option is given. */
  readonly meshAnswerLength: number | undefined;
}

/** Maximum number of parts that are read. */
const maxParts = 1_000;

type Data = Readonly<Record<string, unknown>>;

/**
 * Reads what an agent returned, which is untrusted text and data.
 *
 * @returns An answer with its sources, or the error that fits the state of the task.
 */
export function readOutcome(outcome: Message | Task, reading: Reading): Response {
  if ("messageId" in outcome) return readAnswer(outcome.parts, reading);
  const { status, artifacts, metadata } = outcome;
  const fromMesh = decodeReply(metadata?.[envelopeExtension], reading.meshAnswerLength);
  if (fromMesh !== undefined) return fromMesh;
  const statusParts = status?.message?.parts ?? [];
  if (status?.state === TaskState.TASK_STATE_COMPLETED) {
    const artifactParts = artifacts.flatMap(({ parts }) => parts);
    return readAnswer(artifactParts.length > 0 ? artifactParts : statusParts, reading);
  }
  return { error: toError(status?.state, statusParts.slice(0, maxParts)).toInfo() };
}

/** Whether a task is still in progress. */
export function isInProgress(outcome: Message | Task): outcome is Task {
  if ("messageId" in outcome) return false;
  const state = outcome.status?.state;
  return state === TaskState.TASK_STATE_WORKING || state === TaskState.TASK_STATE_SUBMITTED;
}

/** Progress of an agent's task, as one line. */
export function statusLine({ status }: Task): string | undefined {
  const text = joinText(status?.message?.parts ?? []);
  return text === "" ? undefined : remoteMessage(text);
}

function toReadOptions({ agent, confidence, maxAnswerLength }: Reading) {
  return { origin: remoteSource(agent, undefined, "agent"), confidence, maxAnswerLength };
}

function readAnswer(given: readonly Part[], reading: Reading): Response {
  const parts = given.slice(0, maxParts);
  const sanitized = listData(parts).map(sanitizeData);
  const data = sanitized.map((each) => each.data);
  const text = joinText(parts);
  const response = readRemoteReply({
    text: text === "" ? toJson(data) : text,
    data: data.find(
      ({ sources, confidence }) => Array.isArray(sources) || confidence !== undefined,
    ),
    isDataCut: sanitized.some(({ isCut }) => isCut),
    sources: fileSources(parts),
    ...toReadOptions(reading),
  });
  return response.answer === undefined || data.length === 0
    ? response
    : { ...response, metadata: { data } };
}

function joinText(parts: readonly Part[]): string {
  return parts
    .flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))
    .join("\n\n");
}

function listData(parts: readonly Part[]): readonly Data[] {
  return parts.flatMap(({ content }) => {
    const data = content?.$case === "data" ? asRecord(content.value) : undefined;
    return data === undefined ? [] : [data];
  });
}

function toJson(data: readonly Data[]): string {
  if (data.length === 0) return "";
  const json = JSON.stringify(data.length === 1 ? data[0] : data, undefined, 2);
  return `\`\`\`json\n${json.replaceAll("```", "` ` `")}\n\`\`\``;
}

function fileSources(parts: readonly Part[]): readonly Source[] {
  return parts.flatMap(({ content, filename }) => {
    if (content?.$case === "raw") return [remoteSource(filename, undefined, "file")];
    if (content?.$case !== "url") return [];
    const { value: url } = content;
    return [remoteSource(filename || (isSafeLink(url) ? url : ""), url, "file")];
  });
}

function toError(state: TaskState | undefined, parts: readonly Part[]): MeshError {
  const stated = asRecord(listData(parts).find(({ error }) => error !== undefined)?.error);
  const code = isErrorCode(stated?.code) ? { code: stated.code } : {};
  const details = { text: remoteQuote(joinText(parts)), ...code };
  return readRemoteError(stated) ?? stateError(state, joinText(parts), details);
}

/** The agent's own words are in the message, sanitized, and longer ones in `details.text`. */
function stateError(state: TaskState | undefined, text: string, details: Data): MeshError {
  const message = (sentence: string) =>
    text === "" ? `${sentence}.` : `${sentence}: ${remoteMessage(text)}`;
  switch (state) {
    case TaskState.TASK_STATE_INPUT_REQUIRED:
      return new MeshError("INVALID_QUERY", message("The agent needs more information"), {
        suggestion: "Answer the agent's question in the query.",
        details,
      });
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return new MeshError("UNAUTHORIZED", message("The agent requires further credentials"), {
        reason: "not-allowed",
        details,
      });
    case TaskState.TASK_STATE_REJECTED:
      return new MeshError("NOT_FOUND", message("The agent rejected the task"), {
        reason: "out-of-domain",
        details,
      });
    case TaskState.TASK_STATE_CANCELED:
      return new MeshError("SERVICE_UNAVAILABLE", "The agent cancelled its task.", { details });
    case TaskState.TASK_STATE_FAILED:
      return new MeshError("DATA_SOURCE_ERROR", message("The agent's task failed"), {
        suggestion: "Rephrase the query, or ask the operators of the agent.",
        details,
      });
    default:
      return new MeshError("DATA_SOURCE_ERROR", "The agent's task is in an unknown state.", {
        reason: "invalid-response",
      });
  }
}

function asRecord(value: unknown): Data | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Data) // an object has string keys
    : undefined;
}
