import { type AIClient, type Librarian, MeshError } from "@constellation/core";
import { SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { ModelServer, ModelServerOptions, ModelStep } from "../../src/testing.js";

/** Options that every client of a service has. */
export interface RemoteClientOptions {
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey: string;
  readonly maxRetries?: number;
  readonly maxReplyBytes?: number;
  readonly fallbackModels?: readonly string[];
  readonly smallModel?: string;
  readonly contextTokens?: number;
  readonly timeoutMs?: number;
  readonly prices?: Readonly<Record<string, { readonly input: number; readonly output: number }>>;
}

/** What the suite needs to know of the client under test. */
export interface RemoteClientSuiteOptions {
  create(options: RemoteClientOptions): AIClient;
  start(script: readonly ModelStep[], options?: ModelServerOptions): Promise<ModelServer>;
  /** Whether its library, which it knows nothing about, sends the requests: it hides addresses, and failures within a stream. */
  readonly isIndirect?: boolean;
}

export const apiKey = "sk-secret-0123456789abcdef";
export const model = "large";
const prices = { large: { input: 2, output: 10 } };
export const usage = { inputTokens: 1_000, outputTokens: 100 };

/** Answers with what the model writes. */
export const writer: Librarian = async (query, context) => {
  const completion = await context?.ai?.complete({
    prompt: query,
    signal: context.signal,
    timeoutMs: context.remainingMs?.(),
  });
  return { answer: completion?.text ?? "no model" };
};

/** What a call rejects with, which has to be a `MeshError`. */
export async function failureOf(call: Promise<unknown>): Promise<MeshError> {
  const failure = await call.then(
    () => expect.fail("it did not reject"),
    (thrown) => thrown,
  );
  expect(failure).toBeInstanceOf(MeshError);
  return failure;
}

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

/** A server for each test, which accepts {@link apiKey}, and the spans of the test. */
export function useRemote({ create, start }: RemoteClientSuiteOptions) {
  let server: ModelServer;
  beforeAll(() => provider.register());
  beforeEach(() => exporter.reset());
  afterEach(() => server.close());
  return {
    exporter,
    get server() {
      return server;
    },
    async serving(
      steps: readonly ModelStep[],
      options: Partial<RemoteClientOptions> = {},
    ): Promise<AIClient> {
      server = await start(steps, { apiKey });
      // Replies come whole, as in a call that cannot last minutes.
      const timeoutMs = 60_000;
      return create({ baseURL: server.url, model, apiKey, prices, timeoutMs, ...options });
    },
    spans: () =>
      exporter.getFinishedSpans().map((span) => ({
        name: span.name,
        kind: span.kind === 2 ? "CLIENT" : "other",
        traceId: span.spanContext().traceId,
        status: SpanStatusCode[span.status.code],
        message: span.status.message,
        events: span.events,
        attributes: span.attributes,
      })),
  };
}
