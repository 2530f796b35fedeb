import { MeshError } from "@constellation/core";
import { brokenReply, connectionFailure, statusFailure } from "../model/failure.js";
import type { ModelCall, ModelPort, ModelRequest } from "../model/port.js";
import { retryAfterMs, sendWithRetries } from "../model/retry.js";
import {
  bodyOf,
  type ChatMessage,
  type Completion,
  completionSchema,
  estimateTokens,
  replyOf,
  usageOf,
} from "./chat.js";
import { gather } from "./gather.js";
import type { OpenAICompatibleSettings } from "./options.js";
import { type ChatSpan, inChatSpan } from "./span.js";

/** Talks to `/chat/completions` with fetch: the only file that does. */
export function createChatPort(settings: OpenAICompatibleSettings): ModelPort<ChatMessage> {
  return {
    exchange(request, call) {
      const { model, maxTokens } = request;
      return inChatSpan(settings, model, maxTokens, call.signal, async (span) => {
        try {
          const completion = await ask(request, call, settings, span);
          const reply = replyOf(completion, model);
          if (reply === undefined) throw brokenReply("the reply has no end");
          return reply;
        } catch (thrown) {
          throw thrown instanceof MeshError ? thrown : connectionFailure(thrown);
        }
      });
    },
  };
}

async function ask(
  request: ModelRequest<ChatMessage>,
  call: ModelCall,
  settings: OpenAICompatibleSettings,
  span: ChatSpan,
): Promise<Completion> {
  const { onText, charge } = call;
  const body = JSON.stringify(bodyOf(request, settings, onText !== undefined));
  const response = await send(body, call, settings, span);
  const charged = (completion: Completion) => {
    const usage = usageOf(completion, request.model, body);
    charge(usage);
    span.replied(completion, usage);
    return completion;
  };
  if (onText === undefined || response.body === null) return charged(await completionOf(response));
  if (!(response.headers.get("content-type") ?? "").includes("text/event-stream")) {
    // A server that does not stream answers whole.
    const completion = charged(await completionOf(response));
    onText(completion.choices[0]?.message.content ?? "");
    return completion;
  }
  let latest = (): Completion | undefined => undefined;
  const sent = estimateTokens(Buffer.byteLength(body));
  try {
    const completion = await gather(
      response.body,
      (text, written, soFar) => {
        latest = soFar;
        // What it used is told at the end, which a reply that is cut does not have.
        charge({ model: request.model, inputTokens: sent, outputTokens: estimateTokens(written) });
        onText(text);
      },
      settings.apiKey,
    );
    return charged(completion);
  } catch (thrown) {
    const completion = latest();
    if (completion !== undefined) charged(completion);
    throw thrown;
  }
}

async function send(
  body: string,
  { signal, remainingMs }: ModelCall,
  { url, apiKey, maxRetries }: OpenAICompatibleSettings,
  span: ChatSpan,
): Promise<globalThis.Response> {
  const response = await sendWithRetries(
    () =>
      fetch(url, {
        method: "POST",
        headers: {
          ...span.headers,
          "content-type": "application/json",
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body,
        signal,
        redirect: "manual", // the conversation goes nowhere but there; "error" loses an abort after a GC
      }),
    { maxRetries, signal, remainingMs, onRetry: span.retried },
  );
  if (response.ok) return response;
  throw statusFailure({
    status: response.status,
    said: saidIn(await response.text()),
    retryAfterMs: retryAfterMs(response.headers),
    requestId: response.headers.get("x-request-id") ?? undefined,
    keySource: "apiKey",
    secret: apiKey,
  });
}

async function completionOf(response: globalThis.Response): Promise<Completion> {
  const text = await response.text();
  const checked = completionSchema.safeParse(jsonOf(text));
  if (!checked.success) throw brokenReply("the reply is no chat completion");
  return checked.data;
}

/** A failure says why in `error.message`, in `message`, or not at all. */
function saidIn(text: string): string | undefined {
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
