import {
  type ModelProtocol,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "./model-server.js";
import type { ModelScript, PlannedAnswer, RecordedRequest } from "./model-step.js";

/**
 * Starts a server that speaks Anthropic's Messages API and plays a script: answers whole or as a
 * stream, tool calls, JSON, failures, delays, cut connections and garbage. For tests and examples;
 * it listens on the loopback address only.
 *
 * @param script - Steps played in order, or a function that makes a step for each request. A request
 *   without a step gets status 400.
 *
 * @example
 * ```ts
 * const server = await startMessagesServer(["Restart the pod."]);
 * const ai = createAnthropicClient({ baseURL: server.url, apiKey: "test" });
 * const { text } = await ai.complete({ prompt: "what now?" });
 * await server.close();
 * ```
 */
export function startMessagesServer(
  script: ModelScript = [],
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  return startModelServer(messagesProtocol, script, options);
}

const stopReasons = {
  end: "end_turn",
  "max-tokens": "max_tokens",
  "stop-sequence": "stop_sequence",
  refusal: "refusal",
  "context-full": "model_context_window_exceeded",
} as const;

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

const messagesProtocol: ModelProtocol = {
  path: "/v1/messages",
  whole: (answer) =>
    createMessage(answer, toContentBlocks(answer), toStopReason(answer), toUsage(answer)),
  events(answer) {
    return [
      event({
        type: "message_start",
        message: createMessage(answer, [], null, { ...toUsage(answer), output_tokens: 1 }),
      }),
      event({ type: "ping" }),
      ...toContentBlocks(answer).flatMap((block, index) =>
        blockEvents(block, index, answer.pieces),
      ),
      event({
        type: "message_delta",
        delta: {
          container: null,
          stop_reason: toStopReason(answer),
          stop_sequence: null,
          stop_details: null,
        },
        usage: toUsage(answer),
      }),
      event({ type: "message_stop" }),
    ];
  },
  failure: (status, message) => ({
    type: "error",
    error: { type: errorTypes[status] ?? "api_error", message },
    request_id: "req_scripted",
  }),
  findProblem(body: RecordedRequest["body"]) {
    if (typeof body.model !== "string") return "model: Field required";
    if (typeof body.max_tokens !== "number") return "max_tokens: Field required";
    if (!Array.isArray(body.messages) || body.messages.length === 0) {
      return "messages: at least one message is required";
    }
    return undefined;
  },
};

type Block =
  | { readonly type: "text"; readonly text: string; readonly citations: null }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    };

function toContentBlocks({ pieces, calls }: PlannedAnswer): readonly Block[] {
  const text = pieces.join("");
  return [
    ...(text === "" ? [] : [{ type: "text", text, citations: null } as const]),
    ...calls.map((call) => ({ type: "tool_use", ...call }) as const),
  ];
}

function toStopReason({ stopReason = "end", calls }: PlannedAnswer): string {
  return calls.length > 0 && stopReason === "end" ? "tool_use" : stopReasons[stopReason];
}

function toUsage({ tokens }: PlannedAnswer) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = tokens;
  return {
    input_tokens: inputTokens - cacheReadTokens - cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    output_tokens: outputTokens,
  };
}

function createMessage(
  { answeredBy }: PlannedAnswer,
  content: readonly Block[],
  stopReason: string | null,
  usage: ReturnType<typeof toUsage>,
): object {
  return {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model: answeredBy,
    content,
    container: null,
    diagnostics: null,
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: null,
    usage,
  };
}

function blockEvents(block: Block, index: number, pieces: readonly string[]): readonly string[] {
  const start = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const deltas =
    block.type === "text"
      ? pieces.map((text) => ({ type: "text_delta", text }))
      : jsonPieces(block.input).map((json) => ({ type: "input_json_delta", partial_json: json }));
  return [
    event({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

/** JSON in two pieces, the first of which is not JSON by itself. */
function jsonPieces(input: unknown): readonly string[] {
  const json = JSON.stringify(input) ?? "{}";
  const half = Math.ceil(json.length / 2);
  return [json.slice(0, half), json.slice(half)];
}

function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
