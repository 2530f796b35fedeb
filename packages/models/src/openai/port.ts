import { estimateTokens } from "@constellation/authoring";
import type { OpenAI } from "openai";
import { type ChatSpan, inChatSpan } from "../model/chat-span.js";
import { tryParseJson } from "../model/events.js";
import { brokenReply, connectionFailure, meshErrorIn, sdkMissing } from "../model/failure.js";
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
import { createChatFetch } from "./chat-fetch.js";
import { gather } from "./gather.js";
import type { OpenAICompatibleSettings } from "./options.js";
import { createStreamChoice } from "./stream-choice.js";

type Sdk = typeof import("openai");

/** Calls `/chat/completions` through the SDK. No other file uses the SDK. */
export function createChatPort(
  settings: OpenAICompatibleSettings,
  load: () => Promise<Sdk> = () => import("openai"),
): ModelPort<ChatMessage> {
  const outputs = createOutputChoice(settings.structuredOutput);
  const streams = createStreamChoice();
  return {
    exchange(request, call) {
      const { model, maxTokens } = request;
      const { signal, promptId } = call;
      return inChatSpan(settings, { model, maxTokens, promptId }, signal, async (span) => {
        try {
          const sdk = await load().catch(() => {
            throw sdkMissing("The package openai", "npm install openai@6");
          });
          call.signal.throwIfAborted(); // it may have aborted while the SDK was loaded
          const client = createClient(sdk, settings, call, span);
          const completion = await streams.attempt(model, call, (isStreamed) =>
            outputs.attempt(request, (structuredOutput) =>
              ask(client, request, call, { settings, structuredOutput, isStreamed, span }),
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

/** Creates a client for one exchange. Nothing that the SDK reads from the environment is sent. */
function createClient(
  { OpenAI }: Sdk,
  settings: OpenAICompatibleSettings,
  call: ModelCall,
  span: ChatSpan,
): OpenAI {
  return new OpenAI({
    baseURL: settings.baseURL,
    apiKey: settings.apiKey ?? "none", // the SDK requires a key; the fetch below decides what is sent
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: Math.max(1, Math.min(call.remainingMs(), 2_147_483_647)),
    logLevel: "off", // the SDK's log may hold the conversation
    fetch: createChatFetch(settings, call, span),
  });
}

interface Exchange {
  readonly settings: OpenAICompatibleSettings;
  readonly structuredOutput: StructuredOutput;
  readonly isStreamed: boolean;
  readonly span: ChatSpan;
}

async function ask(
  client: OpenAI,
  request: ModelRequest<ChatMessage>,
  { onText, charge }: ModelCall,
  { settings, structuredOutput, isStreamed, span }: Exchange,
): Promise<Completion> {
  const params = createRequestBody(request, settings, structuredOutput, isStreamed);
  const sent = JSON.stringify(params);
  const charged = (completion: Completion) => {
    const usage = readUsage(completion, request.model, sent);
    charge(usage);
    const { id, choices } = completion;
    span.replied({ id, finishReasons: choices.flatMap((each) => each.finish_reason ?? []) }, usage);
    return completion;
  };
  const response = await client.chat.completions.create(params).asResponse();
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
