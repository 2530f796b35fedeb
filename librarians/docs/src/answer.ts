import type { Context, LibrarianInfo, Response } from "@constellation/core";
import { throwIfAborted } from "@constellation/core/authoring";
import {
  type Analyzer,
  delegateOutOfDomain,
  matchDelegate,
  type SectionHit,
  type SectionResult,
} from "@constellation/retrieval";
import { askedOf } from "./asked.js";
import { lacksWhatIsAsked } from "./calibration/asks-support.js";
import { createDomain } from "./calibration/domain.js";
import { featureHits, featuresOf, type RetrievalFeatures } from "./calibration/features.js";
import { below, type Judgement, judge, levelOf } from "./calibration/judge.js";
import { type ExtractedAnswer, extractAnswer } from "./extract/extract-answer.js";
import { weighQuery } from "./extract/query-weights.js";
import { relatedTopics } from "./extract/related-topics.js";
import type { Opened } from "./knowledge.js";
import { askModel, type ModelAnswer, type ModelReport } from "./model/ask-model.js";
import type { NavigatorResponse } from "./navigator/navigator-response.js";
import { toResponse } from "./navigator/to-response.js";
import { noInformation, outOfDomain } from "./no-answer.js";
import { search } from "./search.js";
import { topicOf } from "./topic.js";

/** Longest query that is read, in characters. */
const maxQueryLength = 8_000;

/** Maximum number of sections that a refusal names. */
const nearestSections = 3;

/** What stays the same from query to query. */
export interface AnswererOptions {
  readonly info: LibrarianInfo & { readonly description: string };
  readonly domain: string;
  readonly analyzer: Analyzer;
  readonly recordContent: boolean;
  /** Maximum time for the model, in milliseconds, or `Infinity`. */
  readonly modelTimeoutMs: number;
}

/** What one query came to, before it is put into a response. */
interface Found {
  readonly query: string;
  readonly opened: Opened;
  readonly context: Context;
  readonly result: SectionResult;
  readonly features: RetrievalFeatures;
  readonly judgement: Judgement;
}

/** Makes the path from a query to a response: search, judge, then answer, delegate or refuse. */
export function createAnswerer({
  info,
  domain: domainText,
  analyzer,
  recordContent,
  modelTimeoutMs: timeoutMs,
}: AnswererOptions) {
  const { id, name = "", description, capabilities = [], examples = [] } = info;
  const domain = createDomain(
    [domainText, name, description, ...capabilities, ...examples],
    analyzer,
  );

  return async function answer(whole: string, opened: Opened, context: Context): Promise<Response> {
    const query = whole.slice(0, maxQueryLength);
    const { signal } = context;
    const options = { dataSource: id, limit: featureHits, recordContent, signal };
    const result = await search(opened.base, askedOf(query), options);
    throwIfAborted(context.signal);
    const features = featuresOf(result, analyzer);
    const judgement = judge(features, lacksWhatIsAsked(query, result, analyzer));
    const found: Found = { query, opened, context, result, features, judgement };
    const extracted = extractAnswer({
      query,
      result,
      features,
      confidence: judgement.confidence,
      weights: weighQuery(query, result.facts, analyzer),
      analyzer,
      base: opened.base,
    });
    if (extracted === undefined || !(judgement.isAnswered || judgement.isDoubtful))
      return refuse(found);
    const model = context.ai === undefined ? undefined : await modelAnswer(found);
    throwIfAborted(context.signal);
    if (model?.navigator !== undefined) return fromModel(found, extracted, model);
    return judgement.isAnswered
      ? fromPages(found, extracted, model?.report)
      : refuse(found, model?.report);
  };

  function modelAnswer({ query, opened, context, result }: Found): Promise<ModelAnswer> {
    const question = { query, domain: domainText, hits: result.hits, view: opened.view, timeoutMs };
    return askModel(question, context);
  }

  function fromPages(found: Found, extracted: ExtractedAnswer, model?: ModelReport): Response {
    const { navigator, cited, confidence } = extracted;
    return respond(found, navigator, cited, confidence, model);
  }

  function fromModel(found: Found, extracted: ExtractedAnswer, model: ModelAnswer): Response {
    const { navigator: said, cited = [], report } = model;
    if (said === undefined || said.outOfDomain || cited.length === 0) {
      // A model that finds nothing must not take away an answer that the pages are sure of.
      const isSure = found.judgement.isAnswered && extracted.navigator.confidence === "high";
      return isSure
        ? fromPages(found, contested(extracted), { outcome: "not-used", reason: "no-answer" })
        : refuse(found, report, said);
    }
    // The model may be less sure than the words are, or overlook a conflict that they have.
    const isConflict = extracted.conflict !== undefined;
    const navigator: NavigatorResponse = {
      ...said,
      ...(isConflict && {
        confidence: "low",
        confidenceReason: extracted.navigator.confidenceReason,
      }),
      relatedTopics: relatedTopics(cited, found.result.hits, found.opened.base),
    };
    return respond(found, navigator, cited, extracted.confidence, report);
  }

  /** Out of domain: somebody else, if there is one. Within it: nothing is known. */
  function refuse(found: Found, model?: ModelReport, said?: NavigatorResponse): Response {
    const { query, opened, context, result } = found;
    const { facts } = result;
    const delegates = context.availableDelegates ?? [];
    const isOutside = said?.outOfDomain ?? !domain.has(facts);
    // Where something near was found, a question that no other librarian fits is not called out of domain.
    const isNear = said === undefined && found.judgement.isDoubtful;
    const idfs = new Map(facts.terms.map(({ text, idf }) => [text, idf]));
    const options = {
      teams: context.user?.teams,
      ownShare: domain.fit(facts),
      termWeight: (term: string) => idfs.get(term) ?? 0,
      analyzer,
    };
    const asked = askedOf(query);
    const delegate = isOutside
      ? delegateOutOfDomain(asked, delegates, { id, ...options })
      : undefined;
    if (delegate !== undefined) return { delegate, ...metadataOf(found, [], model) };
    const refusal = {
      topic: topicOf(asked, analyzer),
      domain: domainText,
      pages: opened.base.files().length,
      omitted: opened.base.report.omissions.length,
      elsewhere: matchDelegate(asked, delegates, { exclude: id, ...options })?.to,
    };
    const navigator = isOutside && !isNear ? outOfDomain(refusal) : noInformation(refusal);
    return respond(found, navigator, [], 1 - found.judgement.answerable, model);
  }

  function respond(
    found: Found,
    navigator: NavigatorResponse,
    cited: readonly SectionHit[],
    confidence: number,
    model: ModelReport | undefined,
  ): Response {
    const { metadata } = metadataOf(found, cited, model, confidence);
    // In the order of the text: the best section is quoted first.
    const response = toResponse(navigator, { scores: cited.map(shareOf), metadata });
    if (response.error === undefined) return response;
    const titles = topTitles(found.opened);
    const about = titles.length === 0 ? "" : ` They are about: ${titles.join("; ")}.`;
    const suggestion = `Ask in the words of the pages.${nearestOf(found)}${about}`;
    return {
      ...response,
      error: { ...response.error, librarian: id, recoverable: false, suggestion },
    };
  }

  function metadataOf(
    { result, features, judgement }: Found,
    cited: readonly SectionHit[],
    model: ModelReport | undefined,
    confidence = 1 - judgement.answerable,
  ) {
    const retrieval = {
      confidence: round(confidence),
      answerable: round(judgement.answerable),
      features: Object.fromEntries(
        Object.entries(features).map(([key, value]) => [key, round(value)]),
      ),
      hits: result.hits.slice(0, 10).map((hit) => ({
        file: hit.section.file,
        section: hit.section.heading,
        anchor: hit.section.anchor,
        startLine: hit.section.startLine,
        endLine: hit.section.endLine,
        score: round(hit.share),
        cited: cited.includes(hit),
      })),
    };
    return { metadata: { retrieval, ...(model !== undefined && { model }) } };
  }
}

/** The pages' own words, which the model did not confirm. */
function contested(extracted: ExtractedAnswer): ExtractedAnswer {
  const confidence = Math.min(extracted.confidence, below("high"));
  const confidenceReason =
    "The model found no answer in the pages; the best section is about the question and stands out, so its own words are given.";
  return {
    ...extracted,
    confidence,
    navigator: { ...extracted.navigator, confidence: levelOf(confidence), confidenceReason },
  };
}

/** Names the sections nearest to a question that was refused, where there is some evidence for them. */
function nearestOf({ result, judgement }: Found): string {
  if (!judgement.isDoubtful) return "";
  const names = result.hits
    .slice(0, nearestSections)
    .map(({ section: { file, heading } }) => `"${heading}" (${file})`);
  return names.length === 0 ? "" : ` Nearest sections: ${[...new Set(names)].join(", ")}.`;
}

function topTitles({ base }: Opened): readonly string[] {
  const titles = base
    .files()
    .slice(0, 50)
    .map((file) => base.page(file)?.title ?? "");
  return [...new Set(titles)].filter((title) => title !== "").slice(0, 5);
}

function shareOf(hit: SectionHit): number {
  return round(hit.share);
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
