import { readRemoteReply, remoteMessage, sanitizeData } from "@constellation/authoring";
import type { ErrorInfo, MeshEvent, RemoteReport, Response, Run } from "@constellation/core";
import { isErrorCode, responseLimits } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { encodeReport } from "./remote-report.js";

/**
 * What a reply carries back from one mesh to another: the whole response, with its metadata.
 *
 * @beta
 */
export interface ReplyEnvelope {
  readonly v: 1;
  /** Without delegate and merge strategy. */
  readonly response: Readonly<Record<string, unknown>>;
  /** Calls and usage on the other side, for records only. */
  readonly report?: RemoteReport | undefined;
  /** Id of the answered call, if the call has one. */
  readonly requestId?: string | undefined;
  /** Whether the reply was remembered from an earlier delivery of the same call. */
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
 *
 * @beta
 */
export async function replyTo(
  run: Run,
  requestId?: string,
  maxMetadata: number = maxMetadataLength,
  onEvent?: (event: MeshEvent) => void,
): Promise<ReplyEnvelope> {
  // Librarians that ignored their cancel are known only after the last event.
  for await (const event of run.events) onEvent?.(event);
  return {
    ...encodeReply(await run.response, maxMetadata),
    report: encodeReport(run.explain()),
    ...requestIdField(requestId),
  };
}

/**
 * Writes the envelope of a call that was refused before a run began.
 *
 * @beta
 */
export function refuseCall(error: ErrorInfo, requestId?: string): ReplyEnvelope {
  const run = { mesh: "", host: "", runId: "", durationMs: 0, hops: [] };
  return { ...encodeReply({ error }), report: { run, ...noReport }, ...requestIdField(requestId) };
}

function requestIdField(requestId: string | undefined): { readonly requestId?: string } {
  return requestId === undefined ? {} : { requestId };
}

/**
 * Writes the envelope of a response. Metadata that is not JSON, or too large, is left out and named.
 *
 * @beta
 */
export function encodeReply(
  response: Response,
  maxMetadata: number = maxMetadataLength,
): ReplyEnvelope {
  const { answer, headline, sources, confidence, partial, error, metadata } = response;
  const kept: Record<string, unknown> = {};
  const cut: string[] = [];
  const entries = Object.entries(metadata ?? {})
    .map(([key, value]) => ({ key, json: tryStringify(value) }))
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
      ...(headline !== undefined && { headline }),
      ...(sources !== undefined && { sources }),
      ...(confidence !== undefined && { confidence }),
      ...(isPartial !== undefined && { partial: isPartial }),
      ...(error !== undefined && {
        error: JSON.parse(tryStringify(error) ?? tryStringify(plain(error)) ?? ""),
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
 * Reads the envelope of a reply from another mesh: untrusted text and data, sanitized and bounded, and nothing
 * added. A delegate or a merge strategy of the other mesh is ignored.
 *
 * @param maxAnswerLength - In characters; a longer answer is cut, and partial. Default: what a response may have.
 * @returns `undefined` where it is not an envelope of a known version.
 *
 * @beta
 */
export function decodeReply(
  value: unknown,
  maxAnswerLength: number = responseLimits.answerLength,
): Response | undefined {
  if (!isRecord(value) || value.v !== 1 || !isRecord(value.response)) return undefined;
  const { data, isCut } = sanitizeData(value.response);
  const { answer, error, metadata } = value.response;
  const info = parseError(error, isRecord(data.error) ? data.error.details : undefined);
  const kept = isRecord(metadata) && isRecord(data.metadata) ? { metadata: data.metadata } : {};
  if (typeof answer !== "string") return info === undefined ? undefined : { error: info, ...kept };
  const response = readRemoteReply({
    text: answer,
    data: value.response,
    isDataCut: isCut,
    sources: [],
    maxAnswerLength,
  });
  return { ...response, ...(info !== undefined && { error: info }), ...kept };
}

/** Every code of a mesh has the same meaning here. */
function parseError(error: unknown, details: unknown): ErrorInfo | undefined {
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

function tryStringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // a cycle, or a bigint
  }
}
