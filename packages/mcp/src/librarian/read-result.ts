import {
  type ErrorCode,
  type ErrorReason,
  errorReasons,
  isErrorCode,
  MeshError,
  type Response,
  type Source,
} from "@constellation/core";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { isSafeLink } from "./safe-link.js";
import { sanitizeData } from "./untrusted-data.js";
import { cutMarkdown, sanitizeMarkdown, sanitizeMarkdownLine } from "./untrusted-markdown.js";

const noData = { data: undefined, isCut: false };

/** How a result is read. */
export interface Reading {
  readonly tool: string;
  /** Name the server gave itself. */
  readonly server: string;
  readonly confidence: number;
  readonly maxAnswerLength: number;
}

/** Bounds of what is taken of a result besides its answer. */
const limits = { items: 1_000, sources: 100, name: 500, message: 1_000 };

/**
 * Reads what a tool gave back, which is data of somebody else and nothing more.
 *
 * @returns An answer with its sources; an error for a tool that reports one, and `NOT_FOUND` for one
 *   that gives nothing.
 */
export function readResult(result: CallToolResult, reading: Reading): Response {
  const given = asRecord(result.structuredContent);
  const { data: structured, isCut: isDataCut } = given === undefined ? noData : sanitizeData(given);
  const items = result.content.slice(0, limits.items);
  const text = items.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n\n");
  if (result.isError === true) return { error: reportedError(structured, text, reading) };

  const said = answerOf(structured, text, items);
  if (said.trim() === "") {
    const message = `The tool "${reading.tool}" gave no text.`;
    return { error: new MeshError("NOT_FOUND", message, { reason: "no-information" }).toInfo() };
  }
  const { maxAnswerLength } = reading;
  const whole = sanitizeMarkdown(said.slice(0, maxAnswerLength + 1));
  const isCut = said.length > maxAnswerLength || whole.length > maxAnswerLength;
  const confidence = shareOf(structured?.confidence) ?? reading.confidence;
  const sources = [...linkedSources(items), ...statedSources(structured?.sources)];
  return {
    answer: isCut ? cutMarkdown(said, maxAnswerLength) : whole,
    sources: [
      ...sources.slice(0, limits.sources),
      { name: `${reading.tool} (${nameOf(reading.server)})`, type: "tool" },
    ],
    confidence,
    ...((isCut || isDataCut || structured?.partial === true || confidence < 0.6) && {
      partial: true,
    }),
    ...(structured !== undefined && { metadata: { structured } }),
  };
}

/** `answer` of a tool that has one, as the tools of a mesh do; else its text, else its data as JSON. */
function answerOf(
  structured: Readonly<Record<string, unknown>> | undefined,
  text: string,
  items: CallToolResult["content"],
): string {
  if (typeof structured?.answer === "string") return structured.answer;
  if (text.trim() !== "") return text;
  const embedded = items.flatMap((item) =>
    item.type === "resource" && "text" in item.resource ? [item.resource.text] : [],
  );
  if (embedded.length > 0) return embedded.join("\n\n");
  return structured === undefined
    ? ""
    : `\`\`\`json\n${JSON.stringify(structured, undefined, 2).replaceAll("```", "` ` `")}\n\`\`\``;
}

function linkedSources(items: CallToolResult["content"]): readonly Source[] {
  return items.flatMap((item) => {
    if (item.type === "resource_link")
      return [sourceOf(item.title ?? item.name, item.uri, "resource")];
    if (item.type === "resource")
      return [sourceOf(item.resource.uri, item.resource.uri, "resource")];
    return [];
  });
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
    name: nameOf(name) || "resource",
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

function reportedError(
  structured: Readonly<Record<string, unknown>> | undefined,
  text: string,
  { tool }: Reading,
): NonNullable<Response["error"]> {
  const error = asRecord(structured?.error);
  const code = isErrorCode(error?.code) ? error.code : undefined;
  if (code !== undefined && passedOn.has(code) && typeof error?.message === "string") {
    const { message, suggestion } = error;
    return new MeshError(code, messageOf(message), {
      reason: reasonOf(code, error.reason),
      suggestion: typeof suggestion === "string" ? messageOf(suggestion) : undefined,
    }).toInfo();
  }
  return new MeshError("DATA_SOURCE_ERROR", `The tool "${tool}" reported an error.`, {
    suggestion: "Read what the tool said in details.text, then ask in other words.",
    details: { text: quoteOf(text) || "It did not say why.", ...(code !== undefined && { code }) },
  }).toInfo();
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

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>) // an object has string keys
    : undefined;
}
