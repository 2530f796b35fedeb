import { withBoundedBody } from "../model/bounded-body.js";
import { statusFailure } from "../model/failure.js";
import type { ModelCall } from "../model/port.js";
import { retryAfterMs, sendWithRetries } from "../model/retry.js";
import type { OpenAICompatibleSettings } from "./options.js";
import type { ChatSpan } from "./span.js";

/**
 * Makes the `fetch` below the SDK for one exchange: it retries within the call's time, follows no
 * redirect, bounds the reply, and sends the headers named here and no others, whatever the
 * environment holds for OpenAI's own service.
 *
 * @throws MeshError, from the function it gives, for a response that is a failure.
 */
export function createChatFetch(
  { apiKey, maxRetries, maxReplyBytes, fetch: own }: OpenAICompatibleSettings,
  { signal, remainingMs, onRetry }: ModelCall,
  span: ChatSpan,
): typeof fetch {
  return async (input, { method = "POST", body = null } = {}) => {
    const headers = {
      ...span.headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    };
    const response = await sendWithRetries(
      // The conversation goes nowhere but there; "error" instead of "manual" loses an abort after a
      // garbage collection.
      () => (own ?? fetch)(input, { method, headers, body, signal, redirect: "manual" }),
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
    const bounded = withBoundedBody(response, maxReplyBytes);
    if (bounded.ok) return bounded;
    throw statusFailure({
      status: bounded.status,
      serviceMessage: messageIn(await bounded.text()),
      retryAfterMs: retryAfterMs(bounded.headers),
      requestId: bounded.headers.get("x-request-id") ?? undefined,
      keySource: "apiKey",
      secret: apiKey,
    });
  };
}

/** The message of a failure: `error.message`, `message`, or none. */
function messageIn(text: string): string | undefined {
  const body = jsonOf(text);
  const messageOf = (value: unknown): string | undefined =>
    typeof value === "object" && value !== null && "message" in value
      ? String(value.message)
      : undefined;
  return typeof body === "object" && body !== null && "error" in body
    ? (messageOf(body.error) ?? (typeof body.error === "string" ? body.error : undefined))
    : messageOf(body);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
