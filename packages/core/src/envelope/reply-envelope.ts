import { type RemoteReply, readRemoteReply, remoteMessage } from "../authoring/remote-response.js";
import { sanitizeData } from "../authoring/sanitize-data.js";
import { isErrorCode } from "../contract/error-code.js";
import type { ErrorInfo } from "../contract/error-info.js";
import type { RemoteReport } from "../contract/remote-call.js";
import type { Response } from "../contract/response.js";
import { isRecord } from "../contract/unknown-value.js";
import type { MeshEvent } from "../events/events.js";
import type { Run } from "../router/run.js";
import { encodeReport } from "./remote-report.js";

/** What a reply carries back from one mesh to another: the whole response, with its metadata. */
export interface ReplyEnvelope {
  readonly v: 1;
  /** Without delegate and merge strategy. */
  readonly response: Readonly<Record<string, unknown>>;
  /** What the call did and used there: decides nothing here. */
  readonly report?: RemoteReport | undefined;
  /** The id of the call that it answers, where that had one. */
  readonly requestId?: string | undefined;
  /** Answered from memory: the call had come before. */
  readonly repeat?: true | undefined;
  /** Metadata keys that were left out because the envelope would be too large. */
  readonly cut?: readonly string[] | undefined;
}

/** Maximum length of an envelope's metadata, in characters of its JSON. */
const maxMetadataLength = 262_144;

/** Nothing was called. */
const noReport = { spent: { hops: 0 }, unsettled: [] } as const;

/**
 * Writes the envelope of a run's response, once its events have ended: then it is known which of its
 * librarians ignored their cancel. Never rejects.
 *
 * @param maxMetadata - Maximum length of the metadata, in characters of its JSON.
 * @param onEvent - Called with each event of the run, as it comes.
 */
export async function replyTo(
  run: Run,
  requestId?: string,
  maxMetadata: number = maxMetadataLength,
  onEvent?: (event: MeshEvent) => void,
): Promise<ReplyEnvelope> {
  // The last one has come when those who ignored their cancel are known.
  for await (const event of run.events) onEvent?.(event);
  return {
    ...encodeReply(await run.response, maxMetadata),
    report: encodeReport(run.explain()),
    ...idOf(requestId),
  };
}

/** Writes the envelope of a call that was refused before a run began. */
export function refuseCall(error: ErrorInfo, requestId?: string): ReplyEnvelope {
  const run = { mesh: "", host: "", runId: "", durationMs: 0, hops: [] };
  return { ...encodeReply({ error }), report: { run, ...noReport }, ...idOf(requestId) };
}

function idOf(requestId: string | undefined): { readonly requestId?: string } {
  return requestId === undefined ? {} : { requestId };
}

/** Writes the envelope of a response. Metadata that is not JSON, or too large, is left out and named. */
export function encodeReply(
  response: Response,
  maxMetadata: number = maxMetadataLength,
): ReplyEnvelope {
  const { answer, sources, confidence, partial, error, metadata } = response;
  const kept: Record<string, unknown> = {};
  const cut: string[] = [];
  const entries = Object.entries(metadata ?? {})
    .map(([key, value]) => ({ key, json: jsonOf(value) }))
    .sort((one, other) => (one.json?.length ?? 0) - (other.json?.length ?? 0));
  let length = 0;
  for (const { key, json } of entries) {
    length += json?.length ?? 0;
    if (json === undefined || length > maxMetadata) cut.push(key);
    else kept[key] = JSON.parse(json);
  }
  const isPartial = cut.length > 0 ? true : partial;
  return {
    v: 1,
    response: {
      ...(answer !== undefined && { answer }),
      ...(sources !== undefined && { sources }),
      ...(confidence !== undefined && { confidence }),
      ...(isPartial !== undefined && { partial: isPartial }),
      ...(error !== undefined && {
        error: JSON.parse(jsonOf(error) ?? jsonOf(plain(error)) ?? ""),
      }),
      ...(metadata !== undefined && { metadata: kept }),
    },
    ...(cut.length > 0 && { cut }),
  };
}

/** An error without details, which may not be JSON. */
function plain({ code, message }: ErrorInfo): ErrorInfo {
  return { code, message };
}

/**
 * Reads the envelope of a reply from another mesh: untrusted text and data, sanitized and bounded. A
 * delegate or a merge strategy of the other mesh is ignored.
 *
 * @returns `undefined` where it is not an envelope of a known version.
 */
export function decodeReply(
  value: unknown,
  reading: Pick<RemoteReply, "origin" | "confidence" | "maxAnswerLength">,
): Response | undefined {
  if (!isRecord(value) || value.v !== 1 || !isRecord(value.response)) return undefined;
  const { data, isCut } = sanitizeData(value.response);
  const { answer, error, metadata } = value.response;
  const info = errorOf(error, isRecord(data.error) ? data.error.details : undefined);
  const kept = isRecord(metadata) && isRecord(data.metadata) ? { metadata: data.metadata } : {};
  if (typeof answer !== "string") return info === undefined ? undefined : { error: info, ...kept };
  const response = readRemoteReply({
    ...reading,
    text: answer,
    data: value.response,
    isDataCut: isCut,
    sources: [],
  });
  return { ...response, ...(info !== undefined && { error: info }), ...kept };
}

/** Every code of a mesh means the same here: its guards are those of this one. */
function errorOf(error: unknown, details: unknown): ErrorInfo | undefined {
  if (!isRecord(error)) return undefined;
  const { code, message, suggestion, recoverable } = error;
  if (!isErrorCode(code) || typeof message !== "string") return undefined;
  return {
    code,
    message: remoteMessage(message),
    ...(typeof suggestion === "string" && { suggestion: remoteMessage(suggestion) }),
    ...(typeof recoverable === "boolean" && { recoverable }),
    ...(isRecord(details) && { details }),
  };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // a cycle, or a bigint
  }
}
