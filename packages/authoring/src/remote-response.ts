import type { Response, Source } from "@constellation/core";
import {
  type ErrorCode,
  type ErrorReason,
  errorReasons,
  isErrorCode,
  MeshError,
} from "@constellation/core";
import { isSafeLink } from "./safe-link.js";
import { cutMarkdown, sanitizeMarkdown, sanitizeMarkdownLine } from "./sanitize-markdown.js";

/** The untrusted reply of a remote system, before it becomes a response. */
export interface RemoteReply {
  /** Its text, as Markdown. */
  readonly text: string;
  /** Its structured data, sanitized: `headline`, `confidence`, `sources` and `partial` are read from it. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  /** Whether a part of its data was left out. */
  readonly isDataCut: boolean;
  /** Sources it names beside its data, such as files and links. */
  readonly sources: readonly Source[];
  /** The remote system itself, as the last source. Absent for the reply of a mesh, which names its own. */
  readonly origin?: Source | undefined;
  /** Confidence where the reply states none, 0 to 1. Absent: the answer then has no confidence. */
  readonly confidence?: number | undefined;
  /** Maximum length of the answer, in characters. A longer one is cut, and partial. */
  readonly maxAnswerLength: number;
}

/** Limits on the parts of a reply besides its answer. */
const limits = { headlineLength: 5_000, sources: 100, nameLength: 500, messageLength: 1_000 };

/**
 * Converts the untrusted reply of a remote system to a response. HTML, images, hidden links and invisible
 * characters are removed.
 *
 * @returns An answer with its sources; `NOT_FOUND`, reason `no-information`, for a reply without text.
 */
export function readRemoteReply(reply: RemoteReply): Response {
  const { text, data, maxAnswerLength, origin } = reply;
  if (text.trim() === "") {
    const message = "The reply holds no text.";
    return { error: new MeshError("NOT_FOUND", message, { reason: "no-information" }).toInfo() };
  }
  const whole = sanitizeMarkdown(text.slice(0, maxAnswerLength + 1));
  const isCut = text.length > maxAnswerLength || whole.length > maxAnswerLength;
  const confidence = readShare(data?.confidence) ?? reply.confidence;
  const named = [...reply.sources, ...readSources(data?.sources)].slice(0, limits.sources);
  const sources = origin === undefined ? named : [...named, origin];
  const isUnsure = origin !== undefined && confidence !== undefined && confidence < 0.6;
  const isPartial = isCut || reply.isDataCut || data?.partial === true || isUnsure;
  const hasSources = sources.length > 0 || Array.isArray(data?.sources);
  return {
    answer: isCut ? cutMarkdown(text, maxAnswerLength) : whole,
    ...(typeof data?.headline === "string" && {
      headline: sanitizeMarkdown(data.headline.slice(0, limits.headlineLength)),
    }),
    ...(hasSources && { sources }),
    ...(confidence !== undefined && { confidence }),
    ...(isPartial && { partial: true }),
  };
}

/** Codes that mean the same on this side when a remote mesh reports them. */
const forwardedCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "INVALID_QUERY",
  "UNAUTHORIZED",
  "NOT_FOUND",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "AI_UNAVAILABLE",
  "DATA_SOURCE_ERROR",
]);

/**
 * Reads the error that a remote mesh states in its data.
 *
 * @param value - `{ code, message, reason?, suggestion? }`, or anything else.
 * @returns `undefined` where it is not such an error, or has a code that means something about the
 *   remote mesh alone, such as `LOOP_DETECTED`.
 */
export function readRemoteError(value: unknown): MeshError | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code, message, reason, suggestion } = value as Partial<Record<string, unknown>>;
  if (!isErrorCode(code) || !forwardedCodes.has(code) || typeof message !== "string") {
    return undefined;
  }
  return new MeshError(code, remoteMessage(message), {
    reason: toErrorReason(code, reason),
    suggestion: typeof suggestion === "string" ? remoteMessage(suggestion) : undefined,
  });
}

/** A message of a remote system: one line of at most 1,000 characters. */
export function remoteMessage(text: string): string {
  return sanitizeMarkdownLine(text, limits.messageLength) || "No reason given.";
}

/** What a remote system wrote, to be quoted in `details`: Markdown of at most 1,000 characters. */
export function remoteQuote(text: string): string {
  const { messageLength } = limits;
  const quote =
    text.length > messageLength ? cutMarkdown(text, messageLength) : sanitizeMarkdown(text);
  return quote || "No reason given.";
}

/**
 * A source that a remote system names.
 *
 * @param name - Where it is blank, the name is the type.
 * @param url - Left out where it is not a link that is safe to show.
 */
export function remoteSource(name: string, url: unknown, type: string): Source {
  return {
    name: sanitizeMarkdownLine(name, limits.nameLength) || type,
    ...(isSafeLink(url) && { url }),
    type,
  };
}

function readSources(sources: unknown): readonly Source[] {
  if (!Array.isArray(sources)) return [];
  return sources.slice(0, limits.sources).flatMap((item: unknown) => {
    if (typeof item !== "object" || item === null) return [];
    const { name, url, type, relevance } = item as Partial<Record<string, unknown>>;
    if (typeof name !== "string" || name.trim() === "") return [];
    const share = readShare(relevance);
    const { type: kind, ...source } = remoteSource(name, url, typeof type === "string" ? type : "");
    return [
      {
        ...source,
        ...(kind && { type: sanitizeMarkdownLine(kind, limits.nameLength) }),
        ...(share !== undefined && { relevance: share }),
      },
    ];
  });
}

function toErrorReason(code: ErrorCode, reason: unknown): ErrorReason | undefined {
  if (typeof reason !== "string" || !Object.hasOwn(errorReasons, reason)) return undefined;
  const known = reason as ErrorReason; // it is a key of the table
  const codes: readonly ErrorCode[] = errorReasons[known].codes;
  return codes.includes(code) ? known : undefined;
}

function readShare(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}
