import { attributes, MeshError } from "@constellation/core";
import {
  context as otelContexts,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { TokenUsage } from "../model/port.js";
import type { Completion } from "./chat.js";
import type { OpenAICompatibleSettings } from "./options.js";

/** Version of the package, on the tracer. A test holds it equal to package.json. */
export const tracerVersion = "0.1.0";
const schemaUrl = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

/** The span of one exchange. */
export interface ChatSpan {
  /** Headers that carry the trace to the server. */
  readonly headers: Readonly<Record<string, string>>;
  /** Notes that the request is sent again. */
  retried(retry: number): void;
  /** Notes what the model replied, and what it used. */
  replied(completion: Completion, usage: TokenUsage): void;
  /** Notes why the reply cannot be used. */
  notUsed(problem: MeshError): void;
}

/** What a span says of its request. */
export interface ChatRequest {
  readonly model: string;
  readonly maxTokens: number;
  /** Id and version of the prompt. */
  readonly promptId: string | undefined;
}

/** Maximum length of what a status says, in characters. */
const maxStatusLength = 500;

/**
 * Does an exchange within a span `chat {model}`, one over all retries. It holds nothing of what was
 * said. A cancelled exchange is not a failure.
 *
 * Source: semantic conventions for generative AI, "Inference".
 */
export async function inChatSpan<Result>(
  { url, provider }: OpenAICompatibleSettings,
  { model, maxTokens, promptId }: ChatRequest,
  signal: AbortSignal,
  work: (span: ChatSpan) => Promise<Result>,
): Promise<Result> {
  const tracer = trace
    .getTracerProvider()
    .getTracer("@constellation/models", tracerVersion, { schemaUrl });
  const span = tracer.startSpan(`chat ${model}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": maxTokens,
      ...(promptId !== undefined && { [attributes.promptId]: promptId }),
      "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
      "server.port": url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port),
    },
  });
  const within = trace.setSpan(otelContexts.active(), span);
  const headers: Record<string, string> = {};
  propagation.inject(within, headers);
  try {
    return await otelContexts.with(within, () =>
      work({
        headers,
        retried: (retry) => void span.setAttribute("http.request.resend_count", retry),
        replied: (completion, usage) => describe(span, completion, usage),
        notUsed: (problem) => recordFailure(span, problem),
      }),
    );
  } catch (thrown) {
    recordFailure(span, signal.aborted ? signal.reason : thrown);
    throw thrown;
  } finally {
    span.end();
  }
}

function describe(span: Span, { id, choices }: Completion, usage: TokenUsage): void {
  const { model, inputTokens, outputTokens, cacheReadTokens } = usage;
  const reasons = choices.flatMap(({ finish_reason: reason }) => reason ?? []);
  span.setAttributes({
    "gen_ai.response.model": model,
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(id != null && { "gen_ai.response.id": id }),
    ...(reasons.length > 0 && { "gen_ai.response.finish_reasons": reasons }),
    ...(cacheReadTokens !== undefined && {
      "gen_ai.usage.cache_read.input_tokens": cacheReadTokens,
    }),
  });
}

function recordFailure(span: Span, thrown: unknown): void {
  if (thrown instanceof MeshError && thrown.reason === "cancelled") {
    span.setAttribute(attributes.cancelled, true);
    return;
  }
  if (!(thrown instanceof MeshError)) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute("error.type", "_OTHER");
    return;
  }
  const { code, message, details } = thrown;
  const problem = typeof details?.problem === "string" ? ` ${details.problem}` : "";
  const status = `${message}${problem}`.slice(0, maxStatusLength);
  span.setStatus({ code: SpanStatusCode.ERROR, message: status });
  span.setAttribute("error.type", code);
  if (typeof details?.status === "number") {
    span.setAttribute("http.response.status_code", details.status);
  }
}
