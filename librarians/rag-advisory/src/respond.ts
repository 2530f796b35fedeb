import { type Context, type ErrorInfo, MeshError, type Response } from "@constellation/core";
import { type Analyzer, delegateOutOfDomain } from "@constellation/retrieval";
import type { RAGAdapter } from "./advisory/country-adapter.js";
import { joinResponses, type PlaceResponse, toMetadata, toResponse } from "./answer.js";
import { flagForReview, flagLowConfidence } from "./contract/confidence-bands.js";
import { emptyAdvisory } from "./contract/empty-advisory.js";
import type { RAGCountry, RAGResponse } from "./contract/rag-response.js";
import { parseRAGResponse, RAGResponseError } from "./contract/validate-rag-response.js";
import type { KnownNames } from "./country/gazetteer.js";
import type { Recorded } from "./evidence/file-recorder.js";
import { findMentions } from "./question/find-mentions.js";
import { gloss, isGlossed } from "./question/gloss.js";
import { otherLanguage } from "./question/language.js";
import type { Question } from "./question/question.js";
import { subjectOf } from "./question/subject-words.js";
import { isAboutProperty, understand } from "./question/understand.js";

/** What a query is answered with. */
export interface RespondContext {
  readonly context: Context;
  /** Aborts when the query has ended. */
  readonly signal: AbortSignal;
  readonly record: (event: Recorded) => void;
}

/** Answers queries. Rejects with a `MeshError` for what is neither an answer nor an advisory. */
export type Responder = (query: string, respondContext: RespondContext) => Promise<Response>;

/** What {@link createResponder} needs. */
export interface ResponderOptions {
  /** Id of the librarian. */
  readonly id: string;
  readonly adapters: readonly RAGAdapter[];
  readonly served: readonly RAGCountry[];
  /** Country of questions that name no country. */
  readonly country: RAGCountry | undefined;
  readonly now: () => number;
  readonly analyzer: Analyzer;
  /** What the sources name with words of a question. */
  readonly namesIn?: ((query: string, signal: AbortSignal) => Promise<KnownNames>) | undefined;
}

/** Creates the function from a query to a response: an advisory, a delegate, or why there is none. */
export function createResponder(options: ResponderOptions): Responder {
  const { id, adapters, served, country: defaultCountry, now, analyzer, namesIn } = options;

  async function advise(question: Question, given: RespondContext): Promise<Response> {
    const { country } = question;
    const { record, signal } = given;
    const adapter = adapters.find((candidate) => candidate.country === country);
    let advisory: RAGResponse;
    try {
      const result = await adapter?.query(question.query, { question, ...given });
      advisory = flagLowConfidence(parseRAGResponse(result));
    } catch (thrown) {
      signal.throwIfAborted();
      return unavailable(thrown, country, record);
    }
    recordFlag(advisory, record);
    if (advisory.sources.length > 0 || advisory.confidence > 0) {
      const eventType = flagForReview(advisory) ? "RAG_ADVISORY_WITHHELD" : "RAG_ADVISORY_GIVEN";
      record({ eventType, payload: { confidence: advisory.confidence, advisory } });
      return withCorrection(toResponse(advisory), question);
    }
    record({ eventType: "RAG_ADVISORY_NOT_FOUND", payload: { country } });
    const error = new MeshError(
      "NOT_FOUND",
      question.place?.isKnown === false && question.place.isStored !== true
        ? `No list of places has ${JSON.stringify(question.place.name)}, and no source in ${country} names it.`
        : `The sources have no information about ${subjectOf(question)} in ${nameOf(question)}: that is outside of what they hold.`,
      {
        reason: "no-information",
        suggestion: "Name another place or ask more broadly, or give the store sources about it.",
      },
    );
    return { error: toErrorInfo(error), metadata: toMetadata(advisory) };
  }

  function unavailable(
    thrown: unknown,
    country: RAGCountry,
    record: RespondContext["record"],
  ): Response {
    const advisory = emptyAdvisory({ country, now: now() });
    const isInvalid = thrown instanceof RAGResponseError;
    const error =
      thrown instanceof MeshError &&
      ["AI_UNAVAILABLE", "TIMEOUT", "INVALID_QUERY"].includes(thrown.code)
        ? MeshError.from(thrown, id)
        : new MeshError(
            "DATA_SOURCE_ERROR",
            isInvalid ? "The adapter's advisory is not valid." : "The sources could not be read.",
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
    recordFlag(advisory, record);
    return { error: toErrorInfo(error), metadata: toMetadata(advisory) };
  }

  function refuseOutOfDomain(
    query: string,
    places: readonly string[],
    { context: { availableDelegates = [], user }, record }: RespondContext,
  ): Response {
    const delegate = delegateOutOfDomain(query, availableDelegates, {
      id,
      teams: user?.teams,
      analyzer,
    });
    const reason = "out-of-domain";
    const payload = {
      code: "NOT_FOUND",
      reason,
      ...(delegate !== undefined && { to: delegate.to }),
    };
    record({ eventType: "RAG_ADVISORY_REFUSED", payload });
    if (delegate !== undefined) return { delegate };
    const held =
      places.length === 0
        ? ""
        : ` The sources hold data rows of ${places.join(", ")}, and nothing about that.`;
    const error = new MeshError(
      "NOT_FOUND",
      `The question is not about property or its markets.${held}`,
      {
        reason,
        suggestion: `Ask about property prices, rents, trends or risks in ${served.join(", ")}.`,
      },
    );
    return { error: toErrorInfo(error) };
  }

  function refuseLanguage(language: string, { record }: RespondContext): Response {
    record({ eventType: "RAG_ADVISORY_REFUSED", payload: { code: "INVALID_QUERY", language } });
    const error = new MeshError(
      "INVALID_QUERY",
      `The question reads as ${language}, which is not read: English, German, Spanish and Hindi are.`,
      { suggestion: "Ask the question in English.", details: { language } },
    );
    return { error: toErrorInfo(error) };
  }

  function toErrorInfo(error: MeshError): ErrorInfo {
    return { ...error.toInfo(), librarian: id };
  }

  return async (asked, given) => {
    const { context, record } = given;
    const language = otherLanguage(asked);
    if (language !== undefined && !isGlossed(language)) return refuseLanguage(language, given);
    // A store that fails says so when it is searched for the answer.
    const names = await namesIn?.(asked, given.signal).catch(() => undefined);
    given.signal.throwIfAborted();
    const { query } = gloss(asked, names);
    if (!isAboutProperty(query, names)) {
      const mentions = names === undefined ? [] : findMentions(query, names);
      const held = mentions.filter(({ places }) =>
        places.some(({ isStored }) => isStored === true),
      );
      return refuseOutOfDomain(query, [...new Set(held.map(({ written }) => written))], given);
    }
    const responses: PlaceResponse[] = [];
    const options = { served, country: defaultCountry, names };
    for (const question of understand(query, context, options)) {
      record({ eventType: "RAG_ADVISORY_QUERY", payload: toEvidence(question) });
      const place = nameOf(question);
      context.report?.(`Looking for sources about property in ${place}.`);
      responses.push({ place, response: await advise(question, given) });
    }
    return joinResponses(responses);
  };
}

/** Where a question is about: `Dharampeth, Nagpur, IN`. */
function nameOf({ place, country }: Question): string {
  return [place?.locality, place?.name, country].filter((part) => part !== undefined).join(", ");
}

/** What of a question is recorded: no text of the query. */
function toEvidence(question: Question): Readonly<Record<string, unknown>> {
  const { country, place, propertyType, bedrooms, intent, budget } = question;
  return {
    country,
    intent,
    ...(propertyType !== undefined && { propertyType }),
    ...(bedrooms !== undefined && { bedrooms }),
    ...(place !== undefined && { hasPlace: true }),
    ...(budget !== undefined && { hasBudget: true }),
  };
}

/** An answer begins with how its place was read: a misspelt name, the city of a locality. */
function withCorrection(response: Response, { correction, place }: Question): Response {
  if (response.answer === undefined) return response;
  const notes = [
    correction && `"${correction.written}" was read as ${correction.read}.`,
    place?.locality && `${place.locality} was read as a part of ${place.name}.`,
  ].filter((note) => note !== undefined && note !== "");
  if (notes.length === 0) return response;
  return { ...response, answer: `${notes.join(" ")}\n\n${response.answer}` };
}

/** Records a flag, once per advisory. */
function recordFlag(advisory: RAGResponse, record: RespondContext["record"]): void {
  const { confidence, summary, advisory_flag: isFlagged } = advisory;
  if (isFlagged === undefined) return;
  record({ eventType: "RAG_ADVISORY_LOW_CONFIDENCE", payload: { confidence, summary } });
}
