import { readJsonReply } from "@constellation/authoring";
import { MeshError, onAbort } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { type ChatSpan, inChatSpan } from "../model/chat-span.js";
import {
  brokenReply,
  connectionFailure,
  findConnectionCode,
  meshErrorIn,
  statusFailure,
} from "../model/failure.js";
import { createOutputChoice, type StructuredOutput } from "../model/output-choice.js";
import { longCallMs, type ModelCall, type ModelPort, type ModelRequest } from "../model/port.js";
import { retryAfterMs, sendWithRetries } from "../model/retry.js";
import {
  createCallOptions,
  finishReasonsOf,
  type ProviderReply,
  type ReplyPart,
  readPart,
  readUsage,
  toModelReply,
} from "./messages.js";
import type { ProviderSettings } from "./options.js";

/** The methods of a model of any version of the specification. Results are checked. */
interface AnyModel {
  readonly provider: string;
  doGenerate(options: object): PromiseLike<unknown>;
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

type Request = ModelRequest<readonly ReplyPart[]>;

/** Calls models of the AI SDK's provider specification. */
export function createProviderPort(settings: ProviderSettings): ModelPort<readonly ReplyPart[]> {
  const outputs = createOutputChoice("json-schema");
  return {
    exchange(request, call) {
      const { model: id, maxTokens } = request;
      const { signal, promptId } = call;
      const model = findModel(id, settings);
      if (model === undefined) return Promise.reject(unknownModel(id, settings));
      const service = { provider: model.provider };
      return inChatSpan(service, { model: id, maxTokens, promptId }, signal, async (span) => {
        try {
          const reply = await outputs.attempt(request, (way) =>
            ask(model, request, call, { settings, span, way }),
          );
          const read = toModelReply(reply, id);
          const problem = await call.findProblem?.(read);
          if (problem !== undefined) span.notUsed(problem);
          return read;
        } catch (thrown) {
          throw toMeshError(thrown);
        }
      });
    },
  };
}

/** Every version of the specification has the methods that are used. */
function findModel(id: string, settings: ProviderSettings): AnyModel | undefined {
  try {
    return (settings.models.get(id) ?? settings.findModel?.(id)) as AnyModel | undefined;
  } catch {
    return undefined; // an id that the provider does not know
  }
}

interface Exchange {
  readonly settings: ProviderSettings;
  readonly span: ChatSpan;
  readonly way: StructuredOutput;
}

async function ask(
  model: AnyModel,
  request: Request,
  call: ModelCall,
  { settings, span, way }: Exchange,
): Promise<ProviderReply> {
  const { onText, signal, charge } = call;
  const options = createCallOptions(request, way);
  const sent = JSON.stringify(options);
  const given = {
    ...{ ...options, abortSignal: signal, headers: span.headers },
    ...(settings.providerOptions !== undefined && { providerOptions: settings.providerOptions }),
  };
  const isStreamed = onText !== undefined || call.remainingMs() > longCallMs;
  const received = await withRetries(
    () => (isStreamed ? model.doStream(given) : model.doGenerate(given)),
    settings,
    call,
    span,
  );
  const { maxReplyBytes } = settings;
  const reader = createReplyReader(maxReplyBytes);
  const charged = () => {
    const reply = reader.reply();
    const usage = readUsage(reply, request.model, sent);
    charge(usage);
    span.replied({ id: reply.id, finishReasons: finishReasonsOf(reply.finishReason) }, usage);
    return reply;
  };
  if (!isStreamed) {
    reader.addResult(received);
  } else {
    const { stream } = received as { readonly stream: ReadableStream<unknown> }; // doStream gives it
    try {
      for await (const part of partsOf(stream, signal)) {
        const text = reader.add(part);
        if (text !== "") onText?.(text);
      }
    } catch (thrown) {
      if (reader.hasText()) charged(); // cut text is charged too
      throw thrown;
    }
  }
  const reply = charged();
  if (
    way === "json-schema" &&
    reader.ignoresFormat() &&
    readJsonReply(textOf(reply)) === undefined
  ) {
    throw statusFailure({ status: 501, keySource: "the provider's key", secret: undefined });
  }
  return reply;
}

/** Reads a stream until the signal aborts, even where the provider ignores the signal. */
async function* partsOf(
  stream: ReadableStream<unknown>,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  const release = onAbort(signal, cancel);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    signal.throwIfAborted();
  } finally {
    release();
    cancel(); // does nothing at the end
  }
}

function textOf({ parts }: ProviderReply): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Sends a request, and sends it again while the service is busy. */
async function withRetries(
  send: () => PromiseLike<unknown>,
  { maxRetries }: ProviderSettings,
  { signal, remainingMs, onRetry }: ModelCall,
  span: ChatSpan,
): Promise<unknown> {
  const outcome = await sendWithRetries(
    async () => {
      try {
        return { status: 200, headers: new Headers(), value: await send() };
      } catch (thrown) {
        const { status, headers } = failureIn(thrown);
        if (status === undefined) throw thrown;
        return { status, headers, thrown };
      }
    },
    {
      ...{ maxRetries, signal, remainingMs },
      onRetry(retry) {
        onRetry();
        span.retried(retry);
      },
    },
  );
  if ("thrown" in outcome) throw outcome.thrown;
  return outcome.value;
}

/** Puts a reply together, from its parts or as it came. */
function createReplyReader(maxBytes: number) {
  const parts: ReplyPart[] = [];
  let bytes = 0;
  let current: { type: "text" | "reasoning"; text: string; providerMetadata?: object } | undefined;
  let head: Omit<ProviderReply, "parts"> = {
    ...{ finishReason: undefined, usage: undefined, id: undefined, model: undefined },
  };
  let warnings: readonly unknown[] = [];

  function count(part: unknown): void {
    bytes += Buffer.byteLength(JSON.stringify(part) ?? "");
    if (bytes > maxBytes) throw brokenReply(`the reply has more than ${maxBytes} bytes`);
  }

  function addText(type: "text" | "reasoning", text: string): void {
    if (current?.type !== type) {
      current = { type, text: "" };
      parts.push(current as ReplyPart);
    }
    current.text += text;
  }

  function addHead({ id, modelId }: Readonly<Record<string, unknown>>): void {
    if (typeof id === "string") head = { ...head, id };
    if (typeof modelId === "string") head = { ...head, model: modelId };
  }

  return {
    /** @returns The text that a part of a stream adds. */
    add(part: unknown): string {
      if (!isRecord(part)) return "";
      count(part);
      const { type, delta, usage, finishReason, error } = part;
      switch (type) {
        case "text-delta":
        case "reasoning-delta": {
          const text = typeof delta === "string" ? delta : "";
          addText(type === "text-delta" ? "text" : "reasoning", text);
          return type === "text-delta" ? text : "";
        }
        case "text-end":
        case "reasoning-end":
          if (current !== undefined && isRecord(part.providerMetadata)) {
            current.providerMetadata = part.providerMetadata;
          }
          current = undefined;
          return "";
        case "stream-start":
          warnings = Array.isArray(part.warnings) ? part.warnings : [];
          return "";
        case "response-metadata":
          addHead(part);
          return "";
        case "finish":
          head = { ...head, usage, finishReason };
          return "";
        case "error":
          throw error;
        default: {
          const read = readPart(part);
          if (read !== undefined) parts.push(read);
          return "";
        }
      }
    },
    addResult(result: unknown): void {
      if (!isRecord(result) || !Array.isArray(result.content)) {
        throw brokenReply("the reply has no content");
      }
      const { content, usage, finishReason, response } = result;
      count(content);
      for (const part of content) {
        const read = readPart(part);
        if (read !== undefined) parts.push(read);
      }
      head = { ...head, usage, finishReason };
      warnings = Array.isArray(result.warnings) ? result.warnings : [];
      if (isRecord(response)) addHead(response);
    },
    reply: (): ProviderReply => ({ ...head, parts }),
    hasText: () => parts.length > 0,
    /** Whether the provider did not forward the schema. */
    ignoresFormat: () =>
      warnings.some(
        (each) => isRecord(each) && [each.feature, each.setting].includes("responseFormat"),
      ),
  };
}

/** Reads an error of a provider, which has the fields of `APICallError` of the AI SDK. */
function failureIn(thrown: unknown) {
  const { statusCode, responseHeaders, message } = isRecord(thrown) ? thrown : {};
  const isStatus = typeof statusCode === "number" && statusCode >= 200 && statusCode <= 599;
  const given = isRecord(responseHeaders) ? Object.entries(responseHeaders) : [];
  const headers = new Headers();
  for (const name of ["retry-after", "retry-after-ms", "x-should-retry"]) {
    const value = given.find(([key]) => key.toLowerCase() === name)?.[1];
    if (typeof value === "string") headers.set(name, value);
  }
  return {
    status: isStatus ? statusCode : undefined,
    headers,
    message: typeof message === "string" ? message : undefined,
  };
}

function toMeshError(thrown: unknown): MeshError {
  const known = meshErrorIn(thrown);
  if (known !== undefined) return known;
  const { status, headers, message } = failureIn(thrown);
  if (status !== undefined && status >= 300) {
    return statusFailure({
      status,
      serviceMessage: message,
      retryAfterMs: retryAfterMs(headers),
      keySource: "the provider's key",
      secret: undefined,
    });
  }
  return status !== undefined && findConnectionCode(thrown) === undefined
    ? brokenReply("the reply is not one of the provider's")
    : connectionFailure(thrown);
}

function unknownModel(id: string, { models }: ProviderSettings): MeshError {
  return new MeshError("AI_UNAVAILABLE", "The model or its service was not found.", {
    suggestion: `Ask for one of: ${[...models.keys()].join(", ")}.`,
    details: { status: 404, problem: `no model "${id.slice(0, 100)}" was given` },
  });
}
