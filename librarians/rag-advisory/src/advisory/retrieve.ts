import { MeshError } from "@constellation/core";
import { type Attributes, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { findRegion, placesNamed, regionNamed } from "../country/gazetteer.js";
import type { Question } from "../question/question.js";
import { hasIntent, readPropertyType } from "../question/subject-words.js";
import type { Chunk, FoundChunk, VectorStore } from "../store/vector-store.js";
import { type DataRow, readDataRow } from "./data-row.js";

/** A passage that was found, and how close it is to the question, 0 to 1. */
export interface Passage {
  readonly chunk: Chunk;
  readonly closeness: number;
}

/** What was found for a question. */
export interface Retrieved {
  /** The closest first, at most five. */
  readonly passages: readonly Passage[];
  /** Others about the same place, for what is said besides. They are not evidence for what was asked. */
  readonly surroundings: readonly Passage[];
  /** Data rows of the place, the latest first. */
  readonly rows: readonly DataRow[];
}

/** Version of the package, on the tracer. A test holds it equal to package.json. */
export const tracerVersion = "0.1.0";
const schemaUrl = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

/** Most passages that an advisory rests on. */
export const passageLimit = 5;
/** Chunks that are looked at for them: rows of tables are among what is found, and no passages. */
const searchLimit = 40;
const rowLimit = 5_000;
/** Passages that are less close than this are about something else. */
const minCloseness = 0.3;

/** Words of what belongs to an advisory, whatever was asked. */
const surroundings =
  "property prices rents trend supply demand inventory market risk flood registration regulation";

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
        store.search({
          ...where,
          text: `${place?.name ?? ""} ${surroundings}`,
          limit: searchLimit,
        }),
        // A place that no list has may be a locality of any city.
        store.rows({
          ...(place?.isKnown === false ? { country, signal } : where),
          limit: rowLimit,
        }),
      ]);
    }),
  );
  const asked = distinct(
    perName
      .flatMap(([found]) => passagesIn(found, question))
      .filter(({ chunk }) => mayBeUsed(chunk, question)),
  );
  const around = perName
    .flatMap(([, found]) => passagesIn(found, question))
    .filter(({ chunk }) => isAbout(chunk, question))
    .map(({ chunk }) => ({ chunk, closeness: 0 }));
  const passages = ranked(asked.filter(({ closeness }) => closeness >= minCloseness));
  const ids = new Set(passages.map(({ chunk }) => chunk.id));
  const rows = new Map(
    perName.flatMap(([, , found]) => found.map((chunk) => [chunk.id, chunk] as const)),
  );
  return {
    passages,
    surroundings: ranked(distinct(around)).filter(({ chunk }) => !ids.has(chunk.id)),
    rows: ofOnePlace(
      [...rows.values()]
        .filter((chunk) => chunk.metadata.country === country && isRowAbout(chunk, question))
        .map(readDataRow),
      question,
    ).filter(({ chunk, region }) => !isOfNamesake(chunk, question, region)),
  };
}

/**
 * The rows of a place, where its name is of one place only.
 *
 * @throws MeshError `INVALID_QUERY` naming the places, where rows are of several of the name and the question
 *   does not say which.
 */
function ofOnePlace(rows: readonly DataRow[], { place, query }: Question): readonly DataRow[] {
  if (place === undefined || place.isRegion === true) return rows;
  const homes = new Map<string, string>();
  for (const { chunk, locality } of rows) {
    const { city, region } = chunk.metadata;
    const isCity = place.names.some((name) => name.toLowerCase() === city?.toLowerCase());
    const home = isCity
      ? region && (regionNamed(region) ?? region)
      : place.isKnown === false
        ? city
        : undefined;
    if (home === undefined || (!isCity && locality === undefined)) continue;
    homes.set(home.toLowerCase(), home);
  }
  const lower = query.toLowerCase();
  const isSaid = [...homes].some(
    ([key, name]) => lower.includes(key) || (place.isRegionNamed === true && place.region === name),
  );
  if (homes.size < 2 || isSaid) return rows;
  const meant = [...homes.values()].map((home) => `${place.name}, ${home}`);
  throw new MeshError(
    "INVALID_QUERY",
    `"${place.name}" is the name of several places: ${meant.join("; ")}. Name the state or the city as well.`,
    { suggestion: `Ask again with one of them: ${meant[0]}.`, details: { meant } },
  );
}

/** Says that no row is of the part of a city that a question names. */
export function describePart({ place }: Question, rows: readonly DataRow[]): readonly string[] {
  const { locality, name } = place ?? {};
  if (locality === undefined || rows.length === 0) return [];
  const isThere = rows.some(({ chunk }) =>
    chunk.text.toLowerCase().includes(locality.toLowerCase()),
  );
  return isThere ? [] : [`No data row is of ${locality}; the figures are of all of ${name}.`];
}

/** The query with another name of the same city. */
function renamed(query: string, names: readonly (string | undefined)[], city: string): string {
  const [asked = city] = names;
  return asked === city ? query : query.replaceAll(asked, city);
}

function passagesIn(found: readonly FoundChunk[], question: Question): readonly Passage[] {
  // A filter that a store forgets must not put another country's prices into an advisory.
  return found
    .filter(
      ({ chunk }) =>
        chunk.metadata.row === undefined &&
        chunk.metadata.country === question.country &&
        !isOfNamesake(chunk, question),
    )
    .map(({ chunk, score }) => ({ chunk, closeness: scoreCloseness(chunk, score, question) }));
}

/** Each chunk once, as close as it was found at best. */
function distinct(passages: readonly Passage[]): readonly Passage[] {
  const best = new Map<string, Passage>();
  for (const passage of passages) {
    const known = best.get(passage.chunk.id);
    if (known === undefined || passage.closeness > known.closeness)
      best.set(passage.chunk.id, passage);
  }
  return [...best.values()];
}

function ranked(passages: readonly Passage[]): readonly Passage[] {
  return [...passages]
    .sort((a, b) => b.closeness - a.closeness || (a.chunk.id < b.chunk.id ? -1 : 1))
    .slice(0, passageLimit);
}

/** Whether a passage is about the place of a question; any is, where it names none. */
function isAbout({ text, metadata: { city, country } }: Chunk, { place }: Question): boolean {
  const lower = text.toLowerCase();
  if (place?.isRegion === true && city !== undefined && findRegion(country, city) === place.name)
    return true;
  return (
    place?.names.some(
      (name) => lower.includes(name.toLowerCase()) || city?.toLowerCase() === name.toLowerCase(),
    ) ?? true
  );
}

/** Whether a chunk is about a city of the same name in another region: by its region, or "Springfield, Ohio" in its text. */
function isOfNamesake(
  { text, metadata }: Chunk,
  { place, country }: Question,
  ofRow?: string,
): boolean {
  const { city, region = ofRow } = metadata;
  if (place?.region === undefined || place.isRegion === true) return false;
  if (region !== undefined && (city !== undefined || place.isRegionNamed === true)) {
    return (regionNamed(region) ?? region) !== place.region;
  }
  return placesNamed(place.name).some(
    (other) =>
      other.country === country &&
      other.region !== undefined &&
      other.region !== place.region &&
      text.includes(`${place.name}, ${other.region}`),
  );
}

/** Of a place that no list has only what names it counts: never its country's. */
function mayBeUsed(chunk: Chunk, question: Question): boolean {
  return question.place?.isKnown !== false || isAbout(chunk, question);
}

/** Whether a row is of the region of a question: of one of its cities, or with its name; any is, where it names none. */
function isRowAbout(chunk: Chunk, question: Question): boolean {
  const { place } = question;
  const { text, metadata } = chunk;
  const { country, city } = metadata;
  if (place?.isKnown === false) return isAbout(chunk, question);
  if (place?.isRegion !== true) return true;
  if (city !== undefined && findRegion(country, city) === place.name) return true;
  return text.toLowerCase().includes(place.name.toLowerCase());
}

/**
 * How close a passage is: what the store says or, where that is more, the mean of it and the share of
 * what the question names (place, kind of property, what it is after) that the passage has too. A
 * passage that is not about the place is half as close; but what a country regulates holds in every
 * place of it.
 */
function scoreCloseness(chunk: Chunk, score: number, question: Question): number {
  const { text, metadata } = chunk;
  const { place, propertyType, intent } = question;
  const isThere =
    isAbout(chunk, question) || (metadata.city === undefined && intent === "regulation");
  const wishes = [
    hasIntent(text, intent),
    ...(place === undefined ? [] : [isThere]),
    ...(propertyType === undefined ? [] : [readPropertyType(text) === propertyType]),
  ];
  const fit = wishes.filter((isMet) => isMet).length / wishes.length;
  const share = Math.min(1, Math.max(0, score));
  const closeness = Math.max(share, (share + fit) / 2);
  return isThere ? closeness : closeness / 2;
}
