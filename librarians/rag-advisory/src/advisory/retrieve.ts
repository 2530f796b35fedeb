import { type Attributes, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Question } from "../question/question.js";
import { hasIntent, readPropertyType } from "../question/subject-words.js";
import type { Chunk, FoundChunk, VectorStore } from "../store/vector-store.js";
import { readDataRow } from "./data-row.js";
import type { Passage, Retrieved } from "./retrieved.js";

/** Version of the package, on the tracer. A test holds it equal to package.json. */
export const tracerVersion = "0.1.0";
const schemaUrl = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

/** Most passages that an advisory rests on. */
export const passageLimit = 5;
/** Chunks that are looked at for them: rows of tables are among what is found, and no passages. */
const searchLimit = 40;
const rowLimit = 5_000;
/** Passages that are less close than this are about something else. */
const leastCloseness = 0.3;

/** Where and how passages are looked for. */
export interface RetrieveOptions {
  readonly store: VectorStore;
  /** Names the store on the span. */
  readonly dataSource: string;
  /** Whether the query is put on the span. */
  readonly recordContent: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks for passages and data rows of the question's country, and of its city where it names one,
 * under a span `retrieval {data source}`.
 *
 * Source: semantic conventions for generative AI, 1.42.0, retrieval spans.
 */
export async function retrieve(question: Question, options: RetrieveOptions): Promise<Retrieved> {
  const { dataSource, recordContent } = options;
  const attributes: Attributes = {
    "gen_ai.operation.name": "retrieval",
    "gen_ai.data_source.id": dataSource,
    "gen_ai.retrieval.top_k": passageLimit,
    ...(recordContent && { "gen_ai.retrieval.query.text": question.query }),
  };
  const tracer = trace
    .getTracerProvider()
    .getTracer("@constellation/librarian-rag-advisory", tracerVersion, { schemaUrl });
  const span = tracer.startSpan(`retrieval ${dataSource}`, { kind: SpanKind.CLIENT, attributes });
  try {
    return await find(question, options);
  } catch (thrown) {
    span.setAttribute("error.type", "_OTHER");
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw thrown;
  } finally {
    span.end();
  }
}

async function find(question: Question, { store, signal }: RetrieveOptions): Promise<Retrieved> {
  const { country, query, place } = question;
  const names = place === undefined || place.isRegion === true ? [undefined] : place.names;
  // A city goes by several names, and its documents by any of them.
  const perName = await Promise.all(
    names.map((city) => {
      const where = {
        country,
        ...(city !== undefined && { city }),
        ...(signal !== undefined && { signal }),
      };
      const text = city === undefined ? query : renamed(query, names, city);
      return Promise.all([
        store.search({ ...where, text, limit: searchLimit }),
        store.rows({ ...where, limit: rowLimit }),
      ]);
    }),
  );
  const passages = closest(
    perName.flatMap(([found]) => found),
    question,
  );
  const rows = distinct(perName.flatMap(([, found]) => found))
    .filter(({ metadata }) => metadata.country === country)
    .map(readDataRow);
  return { passages, rows };
}

/** The query with another name of the same city. */
function renamed(query: string, names: readonly (string | undefined)[], city: string): string {
  const [asked = city] = names;
  return asked === city ? query : query.replaceAll(asked, city);
}

function closest(found: readonly FoundChunk[], question: Question): readonly Passage[] {
  const best = new Map<string, Passage>();
  for (const { chunk, score } of found) {
    // A filter that a store forgets must not put another country's prices into an advisory.
    if (chunk.metadata.row !== undefined || chunk.metadata.country !== question.country) continue;
    const closeness = closenessOf(chunk, score, question);
    if (closeness < leastCloseness || closeness <= (best.get(chunk.id)?.closeness ?? 0)) continue;
    best.set(chunk.id, { chunk, closeness });
  }
  return [...best.values()]
    .sort((a, b) => b.closeness - a.closeness || (a.chunk.id < b.chunk.id ? -1 : 1))
    .slice(0, passageLimit);
}

/**
 * How close a passage is: what the store says or, where that is more, the share of what the question
 * names (place, kind of property, what it is after) that the passage has too. A passage that is not
 * about the place is half as close; but what a country regulates holds in every place of it.
 */
function closenessOf({ text, metadata }: Chunk, score: number, question: Question): number {
  const { place, propertyType, intent } = question;
  const lower = text.toLowerCase();
  const { city } = metadata;
  const isNamed = place?.names.some(
    (name) => lower.includes(name.toLowerCase()) || city?.toLowerCase() === name.toLowerCase(),
  );
  const isThere = isNamed ?? true;
  const holdsThere = isThere || (city === undefined && intent === "regulation");
  const wishes = [
    hasIntent(text, intent),
    ...(place === undefined ? [] : [holdsThere]),
    ...(propertyType === undefined ? [] : [readPropertyType(text) === propertyType]),
  ];
  const fit = wishes.filter((isMet) => isMet).length / wishes.length;
  const closeness = Math.max(Math.min(1, Math.max(0, score)), fit);
  return holdsThere ? closeness : closeness / 2;
}

function distinct(chunks: readonly Chunk[]): readonly Chunk[] {
  return [...new Map(chunks.map((chunk) => [chunk.id, chunk])).values()];
}
