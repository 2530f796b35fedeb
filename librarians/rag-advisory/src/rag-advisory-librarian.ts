import { defineLibrarian, trimTrailing } from "@constellation/authoring";
import {
  type Context,
  type Health,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  onAbort,
  type Response,
  toAbortError,
  withDeadline,
} from "@constellation/core";
import { createAnalyzer } from "@constellation/retrieval";
import { createCountryAdapter, type RAGAdapter } from "./advisory/country-adapter.js";
import { createEstimate } from "./estimate.js";
import { createFileRecorder } from "./evidence/file-recorder.js";
import { createTrails, type QueryTrail } from "./evidence/trail.js";
import { createLazyStore } from "./lazy-store.js";
import {
  checkOptions,
  type RagAdvisoryLibrarianOptions,
  ragAdvisoryLibrarianDefaults,
  servedBy,
} from "./options.js";
import { readStoredNames } from "./question/stored-names.js";
import { maxQueryLength } from "./question/understand.js";
import { createResponder } from "./respond.js";

/** Longest wait for the evidence of a query to be on disk, in milliseconds. */
const maxEvidenceWaitMs = 2_000;
/** Kept of a query's time for the response itself, in milliseconds. */
const responseReserveMs = 50;

/** A note under an answer whose evidence is not on disk. */
export const unrecordedNote =
  "The evidence of this answer could not be recorded; it cannot be audited later.";

/**
 * Creates a librarian that answers questions about property and its markets with an advisory in the
 * locked schema, from the sources it was given. It informs and never decides.
 *
 * The advisory is in `metadata.ragAdvisory`, flagged below a confidence of 0.7; below 0.5 it is not in
 * the answer and `metadata.flagForReview` is true. Without a model it has computed figures and the
 * sources' own sentences; with `context.ai` the model words it, and every number and source is checked.
 * The evidence is on disk before the response is given; else `metadata.evidenceRecorded` is false.
 *
 * A query that is blank, or about no country that is served, gives `INVALID_QUERY`; one out of domain
 * is delegated where a delegate fits, else `NOT_FOUND` (`out-of-domain`); nothing found is `NOT_FOUND`
 * (`no-information`). A store that fails gives `DATA_SOURCE_ERROR` and the empty advisory, an adapter
 * that breaks the contract the same (`invalid-response`); a caller that no longer waits `TIMEOUT`; and
 * `AI_UNAVAILABLE` comes only with `extractive: false`.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createRagAdvisoryLibrarian(
  options: RagAdvisoryLibrarianOptions,
): LibrarianDefinition<Librarian> {
  const checked = checkOptions(options);
  const { id, description, capabilities, examples, extractive, recordContent } = {
    ...ragAdvisoryLibrarianDefaults,
    ...dropUndefined(checked),
  };
  const { now = Date.now, country, name, team, delegatesTo, timeoutMs } = checked;
  const served = servedBy(checked);
  const analyzer = createAnalyzer();
  const store = createLazyStore(checked);
  const trails = createTrails(id, createRecorder(checked), now);
  const adapters: readonly RAGAdapter[] =
    checked.adapters ??
    served.map((each) =>
      createCountryAdapter({
        country: each,
        store: () => store.open(),
        dataSource: id,
        recordContent,
        isExtractive: extractive,
        now,
        analyzer,
      }),
    );
  const respond = createResponder({
    id,
    adapters,
    served,
    country,
    now,
    analyzer,
    ...(checked.adapters === undefined && {
      namesIn: async (query: string, signal: AbortSignal) =>
        readStoredNames(query, await store.open(), { served, signal }),
    }),
  });

  async function health(signal: AbortSignal): Promise<Health> {
    const lost = trails.problem();
    if (checked.adapters !== undefined) {
      return lost === undefined ? { status: "up" } : { status: "degraded", message: lost };
    }
    const { chunks, problem = lost } = await (await store.open()).health({ signal });
    if (problem !== undefined) return { status: "degraded", message: problem };
    return chunks === 0
      ? { status: "degraded", message: "The store is empty; run the ingest command." }
      : { status: "up", message: `${chunks} chunks.` };
  }

  const details = {
    id,
    description,
    capabilities,
    examples,
    canAnswer: createEstimate({ served, country }),
    ...(name !== undefined && { name }),
    ...(team !== undefined && { team }),
    ...(delegatesTo !== undefined && { delegatesTo }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    async close() {
      await trails.close();
      await store.close();
    },
    health,
  };
  return defineLibrarian(details, async (query, context) => {
    const { signal } = context;
    const trail = trails.begin(context);
    const stop = onAbort(signal, () => {
      recordFailure(toAbortError(signal), trail);
      trail.end();
    });
    try {
      const read = query.slice(0, maxQueryLength);
      const response = await respond(read, { context, signal, record: trail.record }).catch(
        (thrown: unknown): Response => {
          signal.throwIfAborted();
          const error = MeshError.from(thrown, id);
          recordFailure(error, trail);
          return { error: { ...error.toInfo(), librarian: id } };
        },
      );
      return (await isRecorded(trail, context)) ? response : unrecorded(response);
    } finally {
      stop();
      trail.end();
    }
  });
}

function recordFailure({ code, reason }: MeshError, trail: QueryTrail): void {
  const eventType = code === "INVALID_QUERY" ? "RAG_ADVISORY_REFUSED" : "RAG_ADVISORY_UNAVAILABLE";
  trail.record({ eventType, payload: { code, ...(reason !== undefined && { reason }) } });
}

/** Waits for the evidence as long as the query's time allows. */
async function isRecorded(trail: QueryTrail, { deadline }: Context): Promise<boolean> {
  try {
    const limits = {
      timeoutMs: maxEvidenceWaitMs,
      ...(deadline !== undefined && { deadline: deadline - responseReserveMs }),
    };
    return await withDeadline(limits, () => trail.flush());
  } catch {
    return false; // The disk is too slow for this query.
  }
}

function unrecorded(response: Response): Response {
  const { answer, metadata } = response;
  return {
    ...response,
    ...(answer !== undefined && { answer: `${answer}\n\n${unrecordedNote}` }),
    metadata: { ...metadata, evidenceRecorded: false },
  };
}

function createRecorder({ evidence, path }: RagAdvisoryLibrarianOptions) {
  const file =
    evidence ?? (path === undefined ? undefined : `${trimTrailing(path, /[/\\]/)}.evidence.jsonl`);
  return typeof file === "string" ? createFileRecorder(file) : file;
}

function dropUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  const kept = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(kept) as never; // the same keys, less those that are undefined
}
