import {
  readRemoteError,
  readRemoteReply,
  remoteMessage,
  remoteQuote,
  remoteSource,
  sanitizeData,
} from "@constellation/authoring";
import { isErrorCode, MeshError, type Response, type Source } from "@constellation/core";
import { decodeReply } from "@constellation/transport/envelope";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { replyKey } from "../envelope-keys.js";
import type { McpLibrarianOptions } from "./options.js";

/** How a result is read. */
export interface Reading {
  readonly tool: string;
  /** Name that the server reports. */
  readonly server: string;
  /** Confidence of an answer that states none, 0 to 1. */
  readonly confidence: number;
  readonly maxAnswerLength: number;
  /** The same for the answer of a mesh, which is cut only where the option is given. */
  readonly meshAnswerLength: number | undefined;
  /** See the option of the same name. */
  readonly answerFrom: McpLibrarianOptions["answerFrom"];
}

/** Maximum number of content items that are read. */
const maxItems = 1_000;

/**
 * Reads the result of a tool, which is untrusted text and data.
 *
 * @returns An answer with its sources; an error for a tool that reports one, and `NOT_FOUND` for one
 *   that returns nothing.
 */
export function readResult(result: CallToolResult, reading: Reading): Response {
  const fromMesh = decodeReply(result._meta?.[replyKey], reading.meshAnswerLength);
  if (fromMesh !== undefined) return fromMesh;
  const items = result.content.slice(0, maxItems);
  const text = items.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n\n");
  const { data, isCut } = sanitized(result.structuredContent);
  const { tool, answerFrom } = reading;
  if (result.isError === true) {
    const error = readRemoteError(data?.error) ?? toolFailed(tool, text, data?.error);
    return { error: error.toInfo() };
  }
  const response = readRemoteReply({
    text: mappedText(data, text, answerFrom) ?? chooseText(data, text, items),
    data,
    isDataCut: isCut,
    sources: linkedSources(items),
    ...toReadOptions(reading),
  });
  const { answer } = response;
  return answer === undefined || data === undefined
    ? response
    : { ...response, metadata: { structured: data } };
}

function toReadOptions({ tool, server, confidence, maxAnswerLength }: Reading) {
  const name = `${tool} (${remoteSource(server, undefined, "server").name})`;
  return { origin: { name, type: "tool" }, confidence, maxAnswerLength };
}

type Data = Readonly<Record<string, unknown>>;

function sanitized(structured: unknown): { readonly data: Data | undefined; isCut: boolean } {
  const isData = typeof structured === "object" && structured !== null;
  return isData ? sanitizeData(structured as Data) : { data: undefined, isCut: false }; // JSON of a schema: an object
}

/** The answer as the option `answerFrom` finds it. */
function mappedText(
  data: Data | undefined,
  text: string,
  answerFrom: McpLibrarianOptions["answerFrom"],
): string | undefined {
  if (answerFrom === undefined) return undefined;
  const found: unknown =
    typeof answerFrom === "function" ? answerFrom({ text, data }) : valueAt(data, answerFrom);
  if (found === undefined || found === null) return "";
  return typeof found === "string" ? found : toJson(found);
}

function valueAt(data: Data | undefined, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key)
          ? (value as Data)[key]
          : undefined,
      data,
    );
}

/** The field `answer` where there is one, as in tools of a mesh; else the text, else the data as JSON. */
function chooseText(
  data: Data | undefined,
  text: string,
  items: CallToolResult["content"],
): string {
  if (typeof data?.answer === "string") return data.answer;
  if (text.trim() !== "") return text;
  const embedded = items.flatMap((item) =>
    item.type === "resource" && "text" in item.resource ? [item.resource.text] : [],
  );
  if (embedded.length > 0) return embedded.join("\n\n");
  return data === undefined ? "" : toJson(data);
}

function toJson(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2) ?? "";
  return `\`\`\`json\n${json.replaceAll("```", "` ` `")}\n\`\`\``;
}

function linkedSources(items: CallToolResult["content"]): readonly Source[] {
  return items.flatMap((item) => {
    if (item.type === "resource_link") {
      return [remoteSource(item.title ?? item.name, item.uri, "resource")];
    }
    if (item.type === "resource") {
      return [remoteSource(item.resource.uri, item.resource.uri, "resource")];
    }
    return [];
  });
}

function toolFailed(tool: string, text: string, stated: unknown): MeshError {
  const code = typeof stated === "object" && stated !== null && "code" in stated ? stated.code : "";
  const message = `The tool "${tool}" reported an error`;
  const reported = text.trim() === "" ? `${message}.` : `${message}: ${remoteMessage(text)}`;
  return new MeshError("DATA_SOURCE_ERROR", reported, {
    suggestion: "Rephrase the query, or ask the operators of the tool.",
    details: { text: remoteQuote(text), ...(isErrorCode(code) && { code }) },
  });
}
