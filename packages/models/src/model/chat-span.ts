import { attributes, errorCodes, MeshError } from "@constellation/core";
import { releaseVersion } from "@constellation/core/checks";
import {
  context as otelContexts,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { TokenUsage } from "./port.js";

const schemaUrl = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

/** The span of one exchange. */
export interface ChatSpan {
  /** Headers that carry the trace to the server. */
  readonly headers: Readonly<Record<string, string>>;
  /** Records that the request is sent again. */
  retried(retry: number): void;
  /** Records the model's reply and its usage. */
  replied(reply: RepliedSpan, usage: TokenUsage): void;
  /** Records why the reply cannot be used. */
  notUsed(problem: MeshError): void;
}

/** The parts of a reply that a span shows. */
export interface RepliedSpan {
  readonly id?: string | null | undefined;
  readonly finishReasons: readonly string[];
}

/** The service that a span is about. */
export interface ChatService {
  readonly provider: string;
  /** Where it is, if that is known. */
  readonly url?: URL | undefined;
}

/** The parts of a request that a span shows. */
export interface ChatRequest {
  readonly model: string;
  readonly maxTokens: number;
  /** Id and version of the prompt. */
  readonly promptId: string | undefined;
}

/**
 * Runs an exchange within a span `chat {model}`, which covers all retries. The span holds nothing of the
 * conversation and no text of the service. A cancelled exchange is not a failure.
 *
 * Source: semantic conventions for generative AI, "Inference".
 */
export async function inChatSpan<Result>(
  { url, provider }: ChatService,
  { model, maxTokens, promptId }: ChatRequest,
  signal: AbortSignal,
  work: (span: ChatSpan) => Promise<Result>,
): Promise<Result> {
  const tracer = trace
    .getTracerProvider()
    .getTracer("@constellation/models", releaseVersion, { schemaUrl });
  const span = tracer.startSpan(`chat ${model}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.request.model": model,
      "gen_ai.request.max_tokens": maxTokens,
      ...(promptId !== undefined && { [attributes.promptId]: promptId }),
      ...(url !== undefined && {
        "server.address": url.hostname.replace(/^\[(.*)\]$/, "$1"),
        "server.port": url.port === "" ? (url.protocol === "http:" ? 80 : 443) : Number(url.port),
      }),
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
        replied: (reply, usage) => describe(span, reply, usage),
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

function describe(span: Span, { id, finishReasons }: RepliedSpan, usage: TokenUsage): void {
  const { model, inputTokens, outputTokens, cacheReadTokens } = usage;
  span.setAttributes({
    "gen_ai.response.model": model,
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(id != null && { "gen_ai.response.id": id }),
    ...(finishReasons.length > 0 && {
      "gen_ai.response.finish_reasons": [...finishReasons],
    }),
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
  const { code, details } = thrown;
  span.setStatus({ code: SpanStatusCode.ERROR, message: errorCodes[code].meaning });
  span.setAttribute("error.type", code);
  if (typeof details?.status === "number") {
    span.setAttribute("http.response.status_code", details.status);
  }
}
