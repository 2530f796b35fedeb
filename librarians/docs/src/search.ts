import type { KnowledgeBase, KnowledgeResult } from "@constellation/retrieval";
import { type Attributes, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

/** Version of the package, on the tracer. A test holds it equal to package.json. */
export const tracerVersion = "0.1.0";
const schemaUrl = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

/** Options of a search. */
export interface SearchOptions {
  /** Names the pages on the span. */
  readonly dataSource: string;
  readonly limit: number;
  /** Whether the query is recorded on the span. */
  readonly recordContent: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Searches the pages under a span `retrieval {data source}`.
 *
 * Source: semantic conventions for generative AI, 1.42.0, retrieval spans.
 */
export async function search(
  base: KnowledgeBase,
  query: string,
  { dataSource, limit, recordContent, signal }: SearchOptions,
): Promise<KnowledgeResult> {
  const attributes: Attributes = {
    "gen_ai.operation.name": "retrieval",
    "gen_ai.data_source.id": dataSource,
    "gen_ai.retrieval.top_k": limit,
    ...(recordContent && { "gen_ai.retrieval.query.text": query }),
  };
  const tracer = trace
    .getTracerProvider()
    .getTracer("@constellation/librarian-docs", tracerVersion, { schemaUrl });
  const span = tracer.startSpan(`retrieval ${dataSource}`, { kind: SpanKind.CLIENT, attributes });
  try {
    return await base.search(query, { limit, ...(signal !== undefined && { signal }) });
  } catch (thrown) {
    span.setAttribute("error.type", "_OTHER");
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw thrown;
  } finally {
    span.end();
  }
}
