import type { Anthropic } from "@anthropic-ai/sdk";
import type {
  Message,
  MessageCreateParamsNonStreaming,
  RawContentBlockDelta,
} from "@anthropic-ai/sdk/resources/messages";
import { deadlineError, MeshError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { type Beginning, checkResponse } from "../model/check-response.js";
import {
  brokenReply,
  connectionFailure,
  findConnectionCode,
  meshErrorIn,
  statusFailure,
} from "../model/failure.js";
import { longCallMs, type ModelCall, type ModelFormat, type ModelPort } from "../model/port.js";
import { retryAfterMs, sendWithRetries } from "../model/retry.js";
import { isOpen } from "../model/schema-in-words.js";
import {
  type Blocks,
  type OutputSchema,
  readReply,
  readUsage,
  toMessageParams,
} from "./messages.js";
import type { AnthropicSettings } from "./options.js";
import { wholeTurn } from "./whole-turn.js";

/** The parts of the SDK that are used. */
export interface Sdk {
  readonly client: typeof import("@anthropic-ai/sdk");
  readonly schemas: typeof import("@anthropic-ai/sdk/helpers/json-schema");
}

type RequestOptions = NonNullable<Parameters<Anthropic["messages"]["create"]>[1]>;

/** Above this number of tokens a reply may take so long that an idle connection is closed. */
const longReplyTokens = 16_000;

/** Calls the Messages API through the SDK. No other file uses the SDK. */
export function createAnthropicPort(
  settings: AnthropicSettings,
  load: () => Promise<Sdk> = loadSdk,
): ModelPort<Blocks> {
  let connected: { readonly sdk: Sdk; readonly client: Anthropic } | undefined;

  async function connect() {
    if (connected !== undefined) return connected;
    const sdk = await load().catch(() => {
      throw new MeshError("AI_UNAVAILABLE", "@anthropic-ai/sdk is not installed.", {
        suggestion: "Run: npm install @anthropic-ai/sdk",
      });
    });
    const { apiKey, baseURL } = settings;
    connected = {
      sdk,
      client: new sdk.client.Anthropic({
        apiKey,
        ...(baseURL !== undefined && { baseURL }),
        maxRetries: 0,
        // Conversation and key must not follow a redirect. "error" would lose an abort after a GC.
        fetchOptions: { redirect: "manual" },
        logLevel: "off", // the SDK's log may hold the conversation
      }),
    };
    return connected;
  }

  return {
    async exchange(request, call) {
      const { sdk, client } = await connect();
      call.signal.throwIfAborted(); // it may have aborted while the SDK was loaded
      const params = toMessageParams(request, settings, toOutputSchema(request.format, sdk));
      const options = createRequestOptions(settings, call);
      const isStreamed =
        call.onText !== undefined ||
        request.maxTokens > longReplyTokens ||
        call.remainingMs() > longCallMs;
      try {
        const message = await wholeTurn(params, call, (part, counted) =>
          isStreamed
            ? stream(client, part, options, counted)
            : create(client, part, options, counted),
        );
        return readReply(message);
      } catch (thrown) {
        throw toMeshError(thrown, sdk, settings);
      }
    },
  };
}

async function create(
  client: Anthropic,
  params: MessageCreateParamsNonStreaming,
  options: RequestOptions,
  call: ModelCall,
): Promise<Message> {
  const message: unknown = await client.messages.create(params, options);
  if (typeof message !== "object" || message === null || !("content" in message)) {
    throw brokenReply("the reply is not a message");
  }
  const usage = readUsage(message as Message); // read field by field, each checked where it is read
  if (usage !== undefined) call.charge(usage);
  return message as Message;
}

async function stream(
  client: Anthropic,
  params: MessageCreateParamsNonStreaming,
  options: RequestOptions,
  { onText, charge }: ModelCall,
): Promise<Message> {
  const events = client.messages.stream(params, options);
  let written = 0;
  events.on("streamEvent", (event, message) => {
    const usage = readUsage(message);
    if (event.type === "content_block_delta") written += writtenIn(event.delta);
    if (usage === undefined) return;
    // The API reports output tokens only at the end, which a truncated reply lacks.
    const atLeast = message.stop_reason === null ? Math.ceil(written / 4) : 0;
    charge({ ...usage, outputTokens: Math.max(usage.outputTokens, atLeast) });
  });
  if (onText !== undefined) events.on("text", (text) => onText(text));
  return await events.finalMessage();
}

/** Characters that a model wrote in one piece of a stream. */
function writtenIn(delta: RawContentBlockDelta): number {
  switch (delta.type) {
    case "text_delta":
      return delta.text.length;
    case "input_json_delta":
      return delta.partial_json.length;
    case "thinking_delta":
      return delta.thinking.length;
    default:
      return 0;
  }
}

/**
 * This client retries instead of the SDK: within the call's deadline, and inside one request of the
 * SDK, so that all attempts share a span.
 */
function createRequestOptions(settings: AnthropicSettings, call: ModelCall): RequestOptions {
  const { maxRetries, maxReplyBytes, conversationId } = settings;
  const { signal } = call;
  const remainingMs = call.remainingMs();
  const id = idFrom(conversationId);
  return {
    signal,
    maxRetries: 0,
    // A little before the client's own limit, so that the SDK's span distinguishes a timeout from a
    // cancellation, also on a busy machine.
    timeout: Math.max(
      1,
      Math.floor(Math.min(remainingMs, 2_147_483_647) - Math.min(50, remainingMs / 10)),
    ),
    middleware: [
      (request, next) =>
        sendWithRetries(
          async () => checkResponse(await next(request), maxReplyBytes, classifyBeginning),
          {
            maxRetries,
            signal,
            remainingMs: call.remainingMs,
            onRetry: call.onRetry,
          },
        ),
    ],
    ...(id !== undefined && { openTelemetry: { conversationId: id } }),
  };
}

/** An exception of `conversationId` must not break a call. */
function idFrom(conversationId: AnthropicSettings["conversationId"]): string | undefined {
  try {
    return conversationId?.();
  } catch {
    return undefined;
  }
}

/** The schema in the API's form. Rules that it cannot enforce go into descriptions and are checked later. */
function toOutputSchema(format: ModelFormat | undefined, { schemas }: Sdk): OutputSchema {
  if (format === undefined || isOpen(format.schema)) return undefined;
  try {
    return { ...schemas.jsonSchemaOutputFormat(format.schema as { type: "object" }).schema };
  } catch {
    return undefined;
  }
}

function toMeshError(thrown: unknown, { client }: Sdk, { apiKey }: AnthropicSettings): MeshError {
  const known = meshErrorIn(thrown);
  if (known !== undefined) return known;
  if (thrown instanceof client.APIConnectionTimeoutError)
    return deadlineError("The model did not answer in time.");
  if (thrown instanceof client.APIConnectionError) return connectionFailure(thrown);
  if (thrown instanceof client.APIError) {
    const { status = toHttpStatus(thrown.type), headers, apiMessage, requestID } = thrown;
    return statusFailure({
      status,
      serviceMessage: apiMessage ?? undefined,
      requestId: requestID ?? undefined,
      retryAfterMs: headers === undefined ? undefined : retryAfterMs(headers),
      keySource: "apiKey, or ANTHROPIC_API_KEY,",
      secret: apiKey,
    });
  }
  // A connection that broke during the reply has a code. Without a code, the reply was unreadable.
  return findConnectionCode(thrown) === undefined
    ? brokenReply("the reply is not a message")
    : connectionFailure(thrown);
}

const statuses: Readonly<Record<string, number | undefined>> = Object.assign(Object.create(null), {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
});

/** Classifies an event at the beginning of a stream. */
function classifyBeginning(event: unknown): Beginning {
  if (!isRecord(event)) return "text";
  if (event.type === "error" && isRecord(event.error)) {
    return { status: toHttpStatus(toStringOrNull(event.error.type)) };
  }
  return event.type === "content_block_delta" ? "text" : "nothing";
}

function toStringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** An error within a stream has a type instead of a status. */
function toHttpStatus(type: string | null): number {
  return (type === null ? undefined : statuses[type]) ?? 500;
}

async function loadSdk(): Promise<Sdk> {
  const [client, schemas] = await Promise.all([
    import("@anthropic-ai/sdk"),
    import("@anthropic-ai/sdk/helpers/json-schema"),
  ]);
  return { client, schemas };
}
