import {
  type ModelProtocol,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "./model-server.js";
import type { ModelScript, PlannedAnswer } from "./model-step.js";

/**
 * Starts a server that speaks the chat completions of OpenAI's API, as vLLM, Ollama, llama.cpp and
 * LiteLLM do, and plays a script. For tests and examples. It listens only on the loopback address.
 *
 * @param script - Steps played in order, or a function that makes a step for each request. A request
 *   without a step gets status 400.
 */
export async function startChatServer(
  script: ModelScript = [],
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const server = await startModelServer(chatProtocol, script, options);
  return Object.defineProperty(server, "url", { value: `${server.url}/v1`, enumerable: true });
}

const finishReasons = {
  end: "stop",
  "stop-sequence": "stop",
  "max-tokens": "length",
  "context-full": "length",
  refusal: "content_filter",
} as const;

const chatProtocol: ModelProtocol = {
  path: "/v1/chat/completions",
  whole: (answer) => ({
    ...createEnvelope(answer, "chat.completion"),
    choices: [{ index: 0, message: toChatMessage(answer), finish_reason: toFinishReason(answer) }],
    usage: toUsage(answer),
  }),
  events: (answer) => [
    chunk(answer, { role: "assistant", content: "" }),
    ...answer.pieces.map((content) => chunk(answer, { content })),
    ...answer.calls.flatMap(({ id, name, input }, index) => {
      const json = JSON.stringify(input) ?? "{}";
      const half = Math.ceil(json.length / 2);
      const head = {
        index,
        id,
        type: "function",
        function: { name, arguments: json.slice(0, half) },
      };
      const tail = { index, function: { arguments: json.slice(half) } };
      return [chunk(answer, { tool_calls: [head] }), chunk(answer, { tool_calls: [tail] })];
    }),
    chunk(answer, {}, toFinishReason(answer)),
    event({
      ...createEnvelope(answer, "chat.completion.chunk"),
      choices: [],
      usage: toUsage(answer),
    }),
    "data: [DONE]\n\n",
  ],
  failure: (status, message) => ({ error: { message, type: "scripted_error", code: status } }),
  findProblem(body) {
    if (typeof body.model !== "string") return "model is required";
    return Array.isArray(body.messages) ? undefined : "messages is required";
  },
};

function toChatMessage({ pieces, calls }: PlannedAnswer): object {
  const text = pieces.join("");
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input) ?? "{}" },
      })),
    }),
  };
}

function toFinishReason({ stopReason = "end", calls }: PlannedAnswer): string {
  return calls.length > 0 && stopReason === "end" ? "tool_calls" : finishReasons[stopReason];
}

function toUsage({ tokens }: PlannedAnswer): object {
  const { inputTokens, outputTokens, cacheReadTokens } = tokens;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
}

function createEnvelope({ answeredBy }: PlannedAnswer, object: string): object {
  return { id: "chatcmpl-scripted", object, created: 0, model: answeredBy };
}

function chunk(answer: PlannedAnswer, delta: object, finishReason: string | null = null): string {
  return event({
    ...createEnvelope(answer, "chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
