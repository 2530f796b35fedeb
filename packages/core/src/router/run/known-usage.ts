import type { ZodType } from "zod";
import {
  type AIClient,
  type AICompletion,
  type AIPrice,
  type AIRequest,
  type AITool,
  type AIUsage,
  type AnyRequest,
  withCalls,
  withTools,
} from "../../contract/ai-client.js";
import { MeshError } from "../../contract/mesh-error.js";
import { isRecord } from "../../contract/unknown-value.js";
import { checkUsage, isAmount } from "../../events/usage.js";

/** What a call has read and written so far, as far as the client shows it. */
interface Traffic {
  readBytes: number;
  /** Bytes of the conversation, which the next reply of a tool loop reads again. */
  contextBytes: number;
  streamedBytes: number;
  toolInputBytes: number;
}

/**
 * Wraps a client, so that all its calls report what they used: as the client reports it where it does so plausibly,
 * else estimated from the texts.
 *
 * A failure is charged as the client reports it. Where it reports nothing, a call that was stopped, that
 * had written something, or that failed with what is not a `MeshError`, is taken to have read its request.
 */
export function withKnownUsage(client: AIClient): AIClient {
  async function know<Request extends AnyRequest, Result extends AICompletion>(
    _method: string,
    request: Request,
    call: (request: Request) => Promise<Result>,
  ): Promise<Result> {
    const bytes = requestBytes(request);
    const traffic = { readBytes: bytes, contextBytes: bytes, streamedBytes: 0, toolInputBytes: 0 };
    const checked = (reported: unknown, reply: unknown): AIUsage => {
      const writtenBytes =
        Math.max(traffic.streamedBytes, countBytes(reply)) + traffic.toolInputBytes;
      const usage = checkUsage(reported, { readBytes: traffic.readBytes, writtenBytes });
      if (usage.estimated !== true) return priced(client, request, usage);
      const readBytes = traffic.readBytes + schemaBytes(request);
      return priced(client, request, checkUsage(reported, { readBytes, writtenBytes }));
    };
    const isStopped = request.signal?.aborted === true;
    let result: Result;
    try {
      result = await call(watched(request, traffic));
    } catch (thrown) {
      const error = MeshError.copyOf(thrown);
      const { usage, text } = error?.details ?? {};
      const isUsed = error === undefined || error.code === "TIMEOUT" || traffic.streamedBytes > 0;
      if (usage === undefined && (isStopped || !isUsed)) throw thrown;
      throw withUsage(error ?? unknownFailure(thrown), checked(usage, text));
    }
    if (isRecord(result)) return { ...result, usage: checked(result.usage, result.text) };
    throw withUsage(unknownFailure(undefined), checked(undefined, undefined));
  }

  return withCalls(client, know);
}

/** Bytes of what a request says, without its schema and its tools. */
export function requestBytes({ system = "", prompt }: AIRequest): number {
  const texts = typeof prompt === "string" ? [prompt] : prompt.map(({ text }) => text);
  return [system, ...texts].reduce((sum, text) => sum + countBytes(text), 0);
}

function watched<Request extends AnyRequest>(request: Request, traffic: Traffic): Request {
  const { onText } = request;
  const counted = withTools(request, (run) => watchedTool(run, traffic));
  if (onText === undefined) return counted;
  return {
    ...counted,
    onText(text: string) {
      traffic.streamedBytes += countBytes(text);
      onText(text);
    },
  };
}

/** It is not known which calls share a reply, so each counts as a reply of its own. */
function watchedTool(run: AITool["run"], traffic: Traffic): AITool["run"] {
  return async (input, options) => {
    const inputBytes = countBytes(toJson(input));
    traffic.toolInputBytes += inputBytes;
    traffic.contextBytes += inputBytes;
    try {
      const result = await run(input, options);
      traffic.contextBytes += countBytes(result);
      return result;
    } finally {
      traffic.readBytes += traffic.contextBytes;
    }
  };
}

function schemaBytes({ schema, tools = [] }: AnyRequest) {
  const texts = tools.map(({ name, description, input }) => name + description + schemaText(input));
  return countBytes(texts.join("")) + (schema === undefined ? 0 : countBytes(schemaText(schema)));
}

/** @param text - Of a client: may be anything. */
function countBytes(text: unknown): number {
  return typeof text === "string" ? Buffer.byteLength(text) : 0;
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The price of a model as a client reports it. `undefined` where it reports none, or not as two amounts. */
export function readPrice(client: AIClient, model: string | undefined): AIPrice | undefined {
  const price: unknown = client.findPrice?.(model);
  if (!isRecord(price)) return undefined;
  const { inputUsd, outputUsd } = price;
  return isAmount(inputUsd) && isAmount(outputUsd) ? { inputUsd, outputUsd } : undefined;
}

/** Adds the cost at the client's price, where the client reports no cost, or 0 for a call that has a price. */
function priced(client: AIClient, { model }: AIRequest, usage: AIUsage): AIUsage {
  if (usage.costUsd !== undefined && usage.costUsd > 0) return usage;
  const price = readPrice(client, model);
  if (price === undefined) return usage;
  const costUsd = usage.inputTokens * price.inputUsd + usage.outputTokens * price.outputUsd;
  return { ...usage, costUsd };
}

function withUsage(error: MeshError, usage: AIUsage): MeshError {
  const { code, message, librarian, suggestion, details, cause } = error;
  return new MeshError(code, message, {
    librarian,
    suggestion,
    details: { ...details, usage: { ...usage } },
    cause,
  });
}

function unknownFailure(cause: unknown): MeshError {
  return new MeshError("AI_UNAVAILABLE", "The model failed.", { cause });
}

/**
 * A schema as a model reads it, in JSON. Empty where JSON cannot express it.
 *
 * @beta
 */
export function schemaText(schema: ZodType): string {
  try {
    return JSON.stringify(schema.toJSONSchema({ io: "input", unrepresentable: "any" }));
  } catch {
    return ""; // the client says what is wrong with it
  }
}
