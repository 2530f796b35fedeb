import type {
  Message,
  MessageCreateParamsNonStreaming,
} from "@anthropic-ai/sdk/resources/messages";
import { sumUsage } from "@constellation/core/checks";
import type { ModelCall, TokenUsage } from "../model/port.js";

/** Maximum number of continuations of a paused turn. */
const maxContinuations = 4;

/**
 * Continues until the model's turn has ended. The API pauses a long turn (`pause_turn`) and continues
 * when it gets the text so far. The limit of tokens covers all parts together.
 *
 * @param ask - Sends one request.
 * @returns The whole turn. A turn that is still paused after four continuations, or has reached its
 *   limit of tokens, keeps its stop reason.
 */
export async function wholeTurn(
  params: MessageCreateParamsNonStreaming,
  call: ModelCall,
  ask: (params: MessageCreateParamsNonStreaming, call: ModelCall) => Promise<Message>,
): Promise<Message> {
  let before: TokenUsage | undefined;
  let latest: TokenUsage | undefined;
  const counted: ModelCall = {
    ...call,
    charge(usage) {
      latest = before === undefined ? usage : { ...sumUsage(before, usage), model: usage.model };
      call.charge(latest);
    },
  };
  let content: Message["content"] = [];
  for (let continuations = 0; ; continuations++) {
    before = latest;
    const messages = [...params.messages];
    if (content.length > 0) messages.push({ role: "assistant", content });
    const left = params.max_tokens - (before?.outputTokens ?? 0);
    const message = await ask({ ...params, messages, max_tokens: left }, counted);
    if (!Array.isArray(message.content)) return message;
    content = [...content, ...message.content];
    const isOver =
      message.stop_reason !== "pause_turn" ||
      message.content.length === 0 ||
      continuations >= maxContinuations ||
      params.max_tokens <= (latest?.outputTokens ?? 0);
    if (isOver) return { ...message, content };
  }
}
