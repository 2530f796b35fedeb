import { isRecord } from "@constellation/core/checks";
import type { ChatSpan } from "../model/chat-span.js";
import { type Beginning, checkResponse } from "../model/check-response.js";
import { tryParseJson } from "../model/events.js";
import { statusFailure } from "../model/failure.js";
import type { ModelCall } from "../model/port.js";
import { retryAfterMs, sendWithRetries } from "../model/retry.js";
import type { OpenAICompatibleSettings } from "./options.js";

/**
 * Sends one request, and sends it again within the call's time while the server is busy. Follows no redirect, and limits
 * the size of the reply.
 *
 * @returns A response of status 2xx.
 * @throws MeshError for any other.
 */
export async function postChat(
  body: string,
  { url, apiKey, maxRetries, maxReplyBytes, fetch: own }: OpenAICompatibleSettings,
  { signal, remainingMs, onRetry }: ModelCall,
  span: ChatSpan,
): Promise<Response> {
  const headers = {
    ...span.headers,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  const response = await sendWithRetries(
    // The conversation must not follow a redirect. "error" instead of "manual" would lose an abort
    // after a garbage collection.
    async () => {
      const init = { method: "POST", headers, body, signal, redirect: "manual" } as const;
      const answer = await (own ?? fetch)(url.href, init);
      return checkResponse(answer, maxReplyBytes, classifyBeginning);
    },
    {
      maxRetries,
      signal,
      remainingMs,
      onRetry: (retry) => {
        span.retried(retry);
        onRetry();
      },
    },
  );
  if (response.ok) return response;
  throw statusFailure({
    status: response.status,
    serviceMessage: messageIn(await response.text()),
    retryAfterMs: retryAfterMs(response.headers),
    requestId: response.headers.get("x-request-id") ?? undefined,
    keySource: "apiKey",
    secret: apiKey,
  });
}

/** Classifies an event at the beginning of a stream. */
function classifyBeginning(event: unknown): Beginning {
  if (!isRecord(event)) return "text";
  if (event.error != null) return { status: errorStatus(event.error) };
  const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
  if (!isRecord(choice)) return "nothing";
  const { content, refusal, tool_calls: calls } = isRecord(choice.delta) ? choice.delta : {};
  return content || refusal || calls || choice.finish_reason ? "text" : "nothing";
}

/** An error within a stream has a code, which is a status on some servers, or none. */
export function errorStatus(error: unknown): number {
  const code = isRecord(error) ? error.code : undefined;
  return typeof code === "number" && code >= 400 && code <= 599 ? code : 500;
}

/** The message of a failure: `error.message`, `message`, or none. */
function messageIn(text: string): string | undefined {
  const body = tryParseJson(text);
  const readErrorMessage = (value: unknown): string | undefined =>
    typeof value === "object" && value !== null && "message" in value
      ? String(value.message)
      : undefined;
  return typeof body === "object" && body !== null && "error" in body
    ? (readErrorMessage(body.error) ?? (typeof body.error === "string" ? body.error : undefined))
    : readErrorMessage(body);
}
