import {
  type Context,
  type ErrorInfo,
  type Health,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import { createAnalyzer } from "@constellation/retrieval";
import type { RAGAdapter } from "./advisory/adapter.js";
import { createCountryAdapter } from "./advisory/country-adapter.js";
import { metadataOf, responseOf } from "./answer.js";
import { flagForReview, flagLowConfidence } from "./contract/confidence-bands.js";
import { emptyAdvisory } from "./contract/empty-advisory.js";
import type { RAGCountry, RAGResponse } from "./contract/rag-response.js";
import { parseRAGResponse, RAGResponseError } from "./contract/validate-rag-response.js";
import { findDelegate } from "./delegate.js";
import type { Recorded } from "./evidence/evidence-recorder.js";
import { createFileRecorder } from "./evidence/file-recorder.js";
import { createTrail } from "./evidence/trail.js";
import { createLazyStore } from "./lazy-store.js";
import {
  checkOptions,
  type RagAdvisoryLibrarianOptions,
  ragAdvisoryLibrarianDefaults,
  servedBy,
} from "./options.js";
import type { Question } from "./question/question.js";
import { longestQuery } from "./question/read-question.js";
import { isAboutProperty, understand } from "./question/understand.js";
import { untilOver } from "./until-over.js";

/**
 * Creates a librarian that answers questions about property and its markets with an advisory in the
 * locked schema, from the sources it was given. It informs and never decides.
 *
 * The advisory is in `metadata.ragAdvisory`, flagged below a confidence of 0.7; below 0.5 it is not in
 * the answer and `metadata.flagForReview` is true. Without a model it has computed figures and the
 * sources' own sentences; with `context.ai` the model words it, and every number and source is checked.
 *
 * A query that is blank, or about no country that is served, gives `INVALID_QUERY`; a foreign one is
 * delegated to whoever fits, else `NOT_FOUND` (`out-of-domain`); nothing found is `NOT_FOUND`
 * (`no-information`). A store that fails gives `DATA_SOURCE_ERROR` and the empty advisory, an adapter
 * that breaks the contract the same (`invalid-response`); a caller that no longer waits `TIMEOUT`; and
 * `AI_UNAVAILABLE` comes only with `extractive: false`.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createRagAdvisoryLibrarian(
  options: RagAdvisoryLibrarianOptions,
): LibrarianDefinition {
  const checked = checkOptions(options);
  const { id, description, capabilities, examples, extractive, recordContent } = {
    ...ragAdvisoryLibrarianDefaults,
    ...dropUndefined(checked),
  };
  const { now = Date.now, country: defaultCountry, name, team, delegatesTo, timeoutMs } = checked;
  const served = servedBy(checked);
  const analyzer = createAnalyzer();
  const store = createLazyStore(checked);
  const trail = createTrail(id, recorderOf(checked), now);
  const adapters: readonly RAGAdapter[] =
    checked.adapters ??
    served.map((country) =>
      createCountryAdapter({
        country,
        store: () => store.open(),
        dataSource: id,
        recordContent,
        isExtractive: extractive,
        now,
        analyzer,
      }),
    );

  const librarian: Librarian = async (query, context = {}) => {
    const tell = trail.during(context);
    let isOver = false;
    const record = (event: Recorded) => {
      if (!isOver) tell(event); // what a call does after its end is no part of it
    };
    try {
      return await untilOver(() => answer(query, context, record), context);
    } catch (thrown) {
      const cause =
        context.signal?.aborted === true && context.signal.reason instanceof MeshError
          ? context.signal.reason
          : thrown;
      const error = MeshError.from(cause, id);
      const { code, reason } = error;
      const eventType =
        code === "INVALID_QUERY" ? "RAG_ADVISORY_REFUSED" : "RAG_ADVISORY_UNAVAILABLE";
      record({ eventType, payload: { code, ...(reason !== undefined && { reason }) } });
      return { error: errorOf(error) };
    } finally {
      isOver = true;
    }
  };

  async function answer(
    query: string,
    context: Context,
    record: (event: Recorded) => void,
  ): Promise<Response> {
    if (typeof query !== "string" || query.trim() === "") {
      throw new MeshError("INVALID_QUERY", "The query is blank or not text.", {
        suggestion: "Ask about prices, rents, trends or risks of property in a place.",
      });
    }
    const read = query.slice(0, longestQuery);
    if (!isAboutProperty(read)) return refuseForeign(read, context, record);
    const question = understand(read, context, { served, country: defaultCountry });
    const { country, place, propertyType, bedrooms, intent, budget } = question;
    record({
      eventType: "RAG_ADVISORY_QUERY",
      payload: {
        country,
        intent,
        ...(propertyType !== undefined && { propertyType }),
        ...(bedrooms !== undefined && { bedrooms }),
        ...(place !== undefined && { hasPlace: true }),
        ...(budget !== undefined && { hasBudget: true }),
      },
    });
    context.report?.(
      `Looking for sources about property ${place === undefined ? `in ${country}` : `in ${place.name}, ${country}`}.`,
    );
    return advise(question, context, record);
  }

  async function advise(
    question: Question,
    context: Context,
    record: (event: Recorded) => void,
  ): Promise<Response> {
    const { country } = question;
    const adapter = adapters.find((candidate) => candidate.country === country);
    let advisory: RAGResponse;
    try {
      const given = await adapter?.query(question.query, { question, context, record });
      advisory = flagLowConfidence(parseRAGResponse(given));
    } catch (thrown) {
      context.signal?.throwIfAborted();
      return unavailable(thrown, country, record);
    }
    flag(advisory, record);
    if (advisory.sources.length > 0 || advisory.confidence > 0) {
      const eventType = flagForReview(advisory) ? "RAG_ADVISORY_WITHHELD" : "RAG_ADVISORY_GIVEN";
      record({ eventType, payload: { confidence: advisory.confidence, advisory } });
      return responseOf(advisory);
    }
    record({ eventType: "RAG_ADVISORY_NOT_FOUND", payload: { country } });
    const error = new MeshError(
      "NOT_FOUND",
      `The sources have no information about this in ${country}.`,
      {
        reason: "no-information",
        suggestion: "Name another place or ask more broadly, or give the store sources about it.",
      },
    );
    return { error: errorOf(error), metadata: metadataOf(advisory) };
  }

  /** A flag goes on record, once an advisory. */
  function flag(advisory: RAGResponse, record: (event: Recorded) => void): void {
    const { confidence, summary, advisory_flag: isFlagged } = advisory;
    if (isFlagged === undefined) return;
    record({ eventType: "RAG_ADVISORY_LOW_CONFIDENCE", payload: { confidence, summary } });
  }

  function unavailable(
    thrown: unknown,
    country: RAGCountry,
    record: (event: Recorded) => void,
  ): Response {
    const advisory = emptyAdvisory({ country, now: now() });
    const isInvalid = thrown instanceof RAGResponseError;
    const error =
      thrown instanceof MeshError && ["AI_UNAVAILABLE", "TIMEOUT"].includes(thrown.code)
        ? MeshError.from(thrown, id)
        : new MeshError(
            "DATA_SOURCE_ERROR",
            isInvalid
              ? "What the sources gave is no valid advisory."
              : "The sources could not be read.",
            { ...(isInvalid && { reason: "invalid-response" as const }) },
          );
    record({
      eventType: "RAG_ADVISORY_UNAVAILABLE",
      payload: {
        country,
        code: error.code,
        ...(isInvalid && {
          problems: thrown.problems.slice(0, 20),
          violations: thrown.violations.slice(0, 20),
        }),
      },
    });
    flag(advisory, record);
    return { error: errorOf(error), metadata: metadataOf(advisory) };
  }

  function refuseForeign(
    query: string,
    { availableDelegates = [] }: Context,
    record: (event: Recorded) => void,
  ): Response {
    const delegate = findDelegate(query, availableDelegates, id, analyzer);
    const reason = "out-of-domain";
    const payload = {
      code: "NOT_FOUND",
      reason,
      ...(delegate !== undefined && { to: delegate.to }),
    };
    record({ eventType: "RAG_ADVISORY_REFUSED", payload });
    if (delegate !== undefined) return { delegate };
    const error = new MeshError("NOT_FOUND", "The question is not about property or its markets.", {
      reason,
      suggestion: `Ask about property prices, rents, trends or risks in ${served.join(", ")}.`,
    });
    return { error: errorOf(error) };
  }

  function errorOf(error: MeshError): ErrorInfo {
    return { ...error.toInfo(), librarian: id };
  }

  async function health(signal: AbortSignal): Promise<Health> {
    const lost = trail.problem();
    if (checked.adapters !== undefined) {
      return lost === undefined ? { status: "up" } : { status: "degraded", message: lost };
    }
    const { chunks, problem = lost } = await (await store.open()).health({ signal });
    if (problem !== undefined) return { status: "degraded", message: problem };
    return chunks === 0
      ? { status: "degraded", message: "The store is empty; run the ingest command." }
      : { status: "up", message: `${chunks} chunks.` };
  }

  return {
    id,
    description,
    capabilities,
    examples,
    ...(name !== undefined && { name }),
    ...(team !== undefined && { team }),
    ...(delegatesTo !== undefined && { delegatesTo }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    librarian,
    async close() {
      await trail.close();
      await store.close();
    },
    health,
  };
}

function recorderOf({ evidence, path }: RagAdvisoryLibrarianOptions) {
  const file =
    evidence ?? (path === undefined ? undefined : `${path.replace(/[/\\]+$/, "")}.evidence.jsonl`);
  return typeof file === "string" ? createFileRecorder(file) : file;
}

function dropUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  const kept = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(kept) as never; // the same keys, less those that are undefined
}
