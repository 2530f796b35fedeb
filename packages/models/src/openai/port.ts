import { estimateTokens } from "@constellation/authoring";
import { type ChatSpan, inChatSpan } from "../model/chat-span.js";
import { tryParseJson } from "../model/events.js";
import { brokenReply, connectionFailure, meshErrorIn } from "../model/failure.js";
import { createOutputChoice, type StructuredOutput } from "../model/output-choice.js";
import type { ModelCall, ModelPort, ModelRequest } from "../model/port.js";
import {
  type ChatMessage,
  type Completion,
  completionSchema,
  createRequestBody,
  readReply,
  readUsage,
} from "./chat.js";
import { gather } from "./gather.js";
import type { OpenAICompatibleSettings } from "./options.js";
import { postChat } from "./post-chat.js";
import { createStreamChoice } from "./stream-choice.js";

/** Calls `/chat/completions`. */
export function createChatPort(settings: OpenAICompatibleSettings): ModelPort<ChatMessage> {
  const outputs = createOutputChoice(settings.structuredOutput);
  const streams = createStreamChoice();
  return {
    exchange(request, call) {
      const { model, maxTokens } = request;
      const { signal, promptId } = call;
      return inChatSpan(settings, { model, maxTokens, promptId }, signal, async (span) => {
        try {
          signal.throwIfAborted();
          const completion = await streams.attempt(model, call, (isStreamed) =>
            outputs.attempt(request, (structuredOutput) =>
              ask(request, call, { settings, structuredOutput, isStreamed, span }),
            ),
          );
          const reply = readReply(completion, model);
          if (reply === undefined) throw brokenReply("the reply has no end");
          const problem = await call.findProblem?.(reply);
          if (problem !== undefined) span.notUsed(problem);
          return reply;
        } catch (thrown) {
          throw meshErrorIn(thrown) ?? connectionFailure(thrown);
        }
      });
    },
  };
}

interface Exchange {
  readonly settings: OpenAICompatibleSettings;
  readonly structuredOutput: StructuredOutput;
  readonly isStreamed: boolean;
  readonly span: ChatSpan;
}

async function ask(
  request: ModelRequest<ChatMessage>,
  call: ModelCall,
  { settings, structuredOutput, isStreamed, span }: Exchange,
): Promise<Completion> {
  const { onText, charge } = call;
  const sent = JSON.stringify(createRequestBody(request, settings, structuredOutput, isStreamed));
  const charged = (completion: Completion) => {
    const usage = readUsage(completion, request.model, sent);
    charge(usage);
    const { id, choices } = completion;
    span.replied({ id, finishReasons: choices.flatMap((each) => each.finish_reason ?? []) }, usage);
    return completion;
  };
  const response = await postChat(sent, settings, call, span);
  if (!isStreamed || response.body === null) return charged(await readCompletion(response));
  if (!(response.headers.get("content-type") ?? "").includes("text/event-stream")) {
    // A server without streaming sends the whole reply.
    const completion = charged(await readCompletion(response));
    onText?.(completion.choices[0]?.message.content ?? "");
    return completion;
  }
  let latest = (): Completion | undefined => undefined;
  const inputTokens = estimateTokens(sent);
  try {
    const completion = await gather(
      response.body,
      (text, written, soFar) => {
        latest = soFar;
        // Usage is reported at the end, which a truncated reply lacks.
        charge({
          model: request.model,
          inputTokens,
          outputTokens: Math.ceil(written / 3),
          estimated: true,
        });
        onText?.(text);
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

async function readCompletion(response: globalThis.Response): Promise<Completion> {
  const text = await response.text();
  const checked = completionSchema.safeParse(tryParseJson(text));
  if (!checked.success) throw brokenReply("the reply is not a chat completion");
  return checked.data;
}
