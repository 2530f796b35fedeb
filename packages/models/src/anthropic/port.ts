import type { Anthropic } from "@anthropic-ai/sdk";
import type {
  Message,
  MessageCreateParamsNonStreaming,
  RawContentBlockDelta,
} from "@anthropic-ai/sdk/resources/messages";
import { MeshError } from "@constellation/core";
import { deadlineError } from "@constellation/core/authoring";
import { withBoundedBody } from "../model/bounded-body.js";
import {
  brokenReply,
  connectionCodeOf,
  connectionFailure,
  meshErrorIn,
  statusFailure,
} from "../model/failure.js";
import { longCallMs } from "../model/long-call.js";
import type { ModelCall, ModelFormat, ModelPort } from "../model/port.js";
import { retryAfterMs, sendWithRetries } from "../model/retry.js";
import { isOpen } from "../model/schema-in-words.js";
import { type Blocks, type OutputSchema, paramsOf, replyOf, usageOf } from "./messages.js";
import type { AnthropicSettings } from "./options.js";

/** The parts of the SDK that are used. */
export interface Sdk {
  readonly client: typeof import("@anthropic-ai/sdk");
  readonly schemas: typeof import("@anthropic-ai/sdk/helpers/json-schema");
}

type RequestOptions = NonNullable<Parameters<Anthropic["messages"]["create"]>[1]>;

/** Above this many tokens a reply may take so long that a connection without data is cut. */
const longReplyTokens = 16_000;

/** Talks to the Messages API by way of the SDK: the only file that does. */
export function createAnthropicPort(
  settings: AnthropicSettings,
  load: () => Promise<Sdk> = loadSdk,
): ModelPort<Blocks> {
  let connected: { readonly sdk: Sdk; readonly client: Anthropic } | undefined;

  async function connect() {
    if (connected !== undefined) return connected;
    const sdk = await load().catch(() => {
      throw sdkMissing();
    });
    const { apiKey, baseURL } = settings;
    connected = {
      sdk,
      client: new sdk.client.Anthropic({
        apiKey,
        ...(baseURL !== undefined && { baseURL }),
        maxRetries: 0,
        logLevel: "off", // what it logs may hold the conversation
      }),
    };
    return connected;
  }

  return {
    async exchange(request, call) {
      const { sdk, client } = await connect();
      call.signal.throwIfAborted(); // it may have, while the SDK was loaded
      const params = paramsOf(request, settings, schemaOf(request.format, sdk));
      const options = requestOptionsOf(settings, call);
      const isStreamed =
        call.onText !== undefined ||
        request.maxTokens > longReplyTokens ||
        call.remainingMs() > longCallMs;
      try {
        const message = isStreamed
          ? await stream(client, params, options, call)
          : await create(client, params, options, call);
        const reply = replyOf(message);
        if (reply === undefined) throw brokenReply("the reply has no end");
        return reply;
      } catch (thrown) {
        throw failureOf(thrown, sdk, settings);
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
  const usage = usageOf(message as Message); // read field by field, each checked where it is read
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
    const usage = usageOf(message);
    if (event.type === "content_block_delta") written += writtenIn(event.delta);
    if (usage === undefined) return;
    // The API counts what was written only at the end, which a reply that is cut does not have.
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
 * Retries are ours, inside the call's deadline, and sit within the SDK's request so that all of them
 * are one span.
 */
function requestOptionsOf(settings: AnthropicSettings, call: ModelCall): RequestOptions {
  const { maxRetries, maxReplyBytes, conversationId } = settings;
  const { signal } = call;
  const remainingMs = call.remainingMs();
  const id = idFrom(conversationId);
  return {
    signal,
    maxRetries: 0,
    // A little before our own limit, so that the SDK's span distinguishes a timeout from a cancellation, on a
    // busy machine too.
    timeout: Math.max(
      1,
      Math.floor(Math.min(remainingMs, 2_147_483_647) - Math.min(50, remainingMs / 10)),
    ),
    middleware: [
      (request, next) =>
        sendWithRetries(() => next(request), {
          maxRetries,
          signal,
          remainingMs: call.remainingMs,
          onRetry: call.onRetry,
        }).then((response) => withBoundedBody(response, maxReplyBytes)),
    ],
    ...(id !== undefined && { openTelemetry: { conversationId: id } }),
  };
}

/** What only observes cannot break a call. */
function idFrom(conversationId: AnthropicSettings["conversationId"]): string | undefined {
  try {
    return conversationId?.();
  } catch {
    return undefined;
  }
}

/** The schema as the API takes it: what it cannot enforce is put into descriptions, and checked after. */
function schemaOf(format: ModelFormat | undefined, { schemas }: Sdk): OutputSchema {
  if (format === undefined || isOpen(format.schema)) return undefined;
  try {
    return { ...schemas.jsonSchemaOutputFormat(format.schema as { type: "object" }).schema };
  } catch {
    return undefined;
  }
}

function failureOf(thrown: unknown, { client }: Sdk, { apiKey }: AnthropicSettings): MeshError {
  const known = meshErrorIn(thrown);
  if (known !== undefined) return known;
  if (thrown instanceof client.APIConnectionTimeoutError)
    return deadlineError("The model did not answer in time.");
  if (thrown instanceof client.APIConnectionError) return connectionFailure(thrown);
  if (thrown instanceof client.APIError) {
    const { status = statusOf(thrown.type), headers, apiMessage, requestID } = thrown;
    return statusFailure({
      status,
      serviceMessage: apiMessage ?? undefined,
      requestId: requestID ?? undefined,
      retryAfterMs: headers === undefined ? undefined : retryAfterMs(headers),
      keySource: "apiKey, or ANTHROPIC_API_KEY,",
      secret: apiKey,
    });
  }
  // A connection that broke within the reply has a code; what has none could not be read.
  return connectionCodeOf(thrown) === undefined
    ? brokenReply("the reply is not a message")
    : connectionFailure(thrown);
}

/** An error within a stream has a type, and no status. */
function statusOf(type: string | null): number {
  return type === "rate_limit_error" ? 429 : type === "overloaded_error" ? 529 : 500;
}

async function loadSdk(): Promise<Sdk> {
  const [client, schemas] = await Promise.all([
    import("@anthropic-ai/sdk"),
    import("@anthropic-ai/sdk/helpers/json-schema"),
  ]);
  return { client, schemas };
}

function sdkMissing(): MeshError {
  return new MeshError("AI_UNAVAILABLE", "@anthropic-ai/sdk is not installed.", {
    suggestion: "Run: npm install @anthropic-ai/sdk",
  });
}
