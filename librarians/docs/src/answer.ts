import type { Context, LibrarianInfo, Response } from "@constellation/core";
import { throwIfAborted } from "@constellation/core";
import {
  type Analyzer,
  delegateOutOfDomain,
  detectLanguage,
  forLanguage,
  matchDelegate,
  type Section,
  type SectionHit,
  type SectionResult,
} from "@constellation/retrieval";
import { lacksAskedSupport } from "./calibration/asks-support.js";
import { createDomain } from "./calibration/domain.js";
import { featureHits, type RetrievalFeatures, readFeatures } from "./calibration/features.js";
import {
  type Calibration,
  judge,
  maxConfidenceBelow,
  toConfidenceLevel,
} from "./calibration/judge.js";
import { type ExtractedAnswer, extractAnswer, minCoverage } from "./extract/extract-answer.js";
import { weighQuery } from "./extract/query-weights.js";
import { relatedTopics } from "./extract/related-topics.js";
import type { Opened } from "./knowledge.js";
import { askModel, type ModelAnswer, type ModelReport } from "./model/ask-model.js";
import type { NavigatorResponse } from "./navigator/navigator-response.js";
import { type SourcePlace, toResponse } from "./navigator/to-response.js";
import { noInformation, outOfDomain } from "./no-answer.js";
import type { PageLinks } from "./page-links.js";
import { type RefusalTexts, refusalTexts, refusalTextsFor } from "./refusal-texts.js";
import { search } from "./search.js";
import { stripQuestionFraming } from "./strip-question-framing.js";
import { extractTopic } from "./topic.js";

/** Longest query that is read, in characters. */
export const maxQueryLength = 8_000;

/** Maximum number of sections that a refusal names. */
const nearestSections = 3;

/** Dependencies that are the same for every query. */
export interface AnswererOptions {
  readonly info: LibrarianInfo & { readonly description: string };
  readonly domain: string;
  readonly analyzer: Analyzer;
  readonly recordContent: boolean;
  readonly links: PageLinks | undefined;
  /** Maximum time for the model, in milliseconds, or `Infinity`. */
  readonly modelTimeoutMs: number;
}

/** Search result of one query, before it becomes a response. */
interface Found {
  readonly query: string;
  readonly opened: Opened;
  readonly context: Context;
  readonly result: SectionResult;
  /** Reads texts in the language of the query. */
  readonly reader: Analyzer;
  readonly features: RetrievalFeatures;
  readonly judgement: Calibration;
}

/**
 * Creates the function that turns a query into a response: search, calibrate, then answer, delegate
 * or refuse.
 */
export function createAnswerer({
  info,
  domain: domainText,
  analyzer,
  recordContent,
  links,
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
    const result = await search(opened.base, stripQuestionFraming(query), options);
    throwIfAborted(context.signal);
    const reader = forLanguage(analyzer, result.facts.language);
    const features = readFeatures(stripQuestionFraming(query), result, reader);
    const judgement = judge(features, lacksAskedSupport(query, result, reader));
    const found: Found = { query, opened, context, result, reader, features, judgement };
    const extracted = extractAnswer({
      query,
      result,
      features,
      confidence: judgement.confidence,
      weights: weighQuery(query, result.facts, reader),
      analyzer: reader,
      base: opened.base,
    });
    if (extracted === undefined || !(judgement.isAnswered || judgement.isDoubtful))
      return refuse(found);
    const model = context.ai === undefined ? undefined : await modelAnswer(found);
    throwIfAborted(context.signal);
    if (model?.navigator !== undefined) return fromModel(found, extracted, model);
    if (judgement.isAnswered) return fromPages(found, extracted, model?.report);
    return refuse(found, { model: model?.report, nearest: extracted });
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
      // A model that finds nothing turns no question away that is answered without it.
      return found.judgement.isAnswered
        ? fromPages(found, contested(extracted), { outcome: "not-used", reason: "no-answer" })
        : refuse(found, { model: report, said });
    }
    // The confidence of the model is capped: it may overlook a conflict between the sections.
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

  /**
   * Out of domain: delegates to another librarian, if one fits. In domain: shows the nearest sections where it is not sure
   * that there is no answer, else reports that nothing is known.
   */
  function refuse(found: Found, { model, said, nearest }: Refusal = {}): Response {
    const { query, opened, context, result, reader, features } = found;
    const { facts } = result;
    const delegates = context.availableDelegates ?? [];
    const isOutside = said?.outOfDomain ?? !domain.has(facts);
    // A question with a near match is not reported as out of domain when no other librarian fits
    // it.
    const isNear = said === undefined && found.judgement.isDoubtful;
    const idfs = new Map(facts.terms.map(({ text, idf }) => [text, idf]));
    const options = {
      teams: context.user?.teams,
      ownShare: domain.fit(facts),
      termWeight: (term: string) => idfs.get(term) ?? 0,
      analyzer: reader,
    };
    const asked = stripQuestionFraming(query);
    const delegate = isOutside
      ? delegateOutOfDomain(asked, delegates, { id, ...options })
      : undefined;
    if (delegate !== undefined) return { delegate, ...toMetadata(found, [], model) };
    const elsewhere = matchDelegate(asked, delegates, { exclude: id, ...options })?.to;
    // What has little of the question is named below the refusal, not shown.
    const isRelated = features.nearest > -1 || (nearest?.cited[0]?.coverage ?? 0) >= minCoverage;
    if (nearest !== undefined && found.judgement.isNear && isRelated) {
      return fromPages(found, doubted(nearest, elsewhere), model);
    }
    const refusal = {
      chance: 1 - found.judgement.answerable,
      topic: extractTopic(asked, reader),
      language: detectLanguage(query),
      domain: domainText,
      pages: opened.base.files().length,
      omitted: opened.base.report.omissions.length,
      elsewhere,
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
    const { metadata } = toMetadata(found, cited, model, confidence);
    // In the order of the text, in which the best section comes first.
    const scores = cited.map(roundedShare);
    const places = cited.map(({ section }) => placeOf(section, found.opened));
    const response = toResponse(navigator, { scores, places, metadata });
    if (response.error === undefined) return response;
    const titles = topTitles(found.opened);
    const texts = refusalTextsFor(detectLanguage(found.query));
    const about = titles.length === 0 ? "" : texts.about(titles.join("; "));
    const suggestion = `${texts.rephrase}${nameNearestSections(found, texts)}${about}`;
    return {
      ...response,
      error: { ...response.error, librarian: id, recoverable: false, suggestion },
    };
  }

  function placeOf(section: Section, { base }: Opened): SourcePlace {
    const page = base.page(section.file);
    const isRepeated = page?.sections.some(
      (other) =>
        other !== section && other.heading === section.heading && other.anchor !== section.anchor,
    );
    return {
      url: page && links?.(page, section),
      ...(isRepeated === true && { lines: `${section.startLine}-${section.endLine}` }),
    };
  }

  function toMetadata(
    { opened, result, features, judgement }: Found,
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
        ...(links !== undefined &&
          cited.includes(hit) && { url: placeOf(hit.section, opened).url }),
        score: round(hit.share),
        cited: cited.includes(hit),
      })),
    };
    return { metadata: { retrieval, ...(model !== undefined && { model }) } };
  }
}

/** What is known beside a search when a question is refused. */
interface Refusal {
  readonly model?: ModelReport | undefined;
  /** What the model replied. */
  readonly said?: NavigatorResponse | undefined;
  /** What the nearest sections say. */
  readonly nearest?: ExtractedAnswer | undefined;
}

/** The nearest sections, where the pages may not have the answer. */
function doubted(extracted: ExtractedAnswer, elsewhere: string | undefined): ExtractedAnswer {
  const other = elsewhere === undefined ? "" : refusalTexts.en.elsewhere(elsewhere);
  const confidenceReason = `Low confidence: no section clearly answers the question. These are the nearest ones; what is asked may be missing.${other}`;
  return {
    ...extracted,
    confidence: Math.min(extracted.confidence, maxConfidenceBelow("medium")),
    navigator: { ...extracted.navigator, confidence: "low", confidenceReason },
  };
}

/** An answer in the pages' own words that the model did not confirm. */
function contested(extracted: ExtractedAnswer): ExtractedAnswer {
  const confidence = Math.min(extracted.confidence, maxConfidenceBelow("high"));
  const confidenceReason =
    "The model found no answer in the pages; the best section matches the question clearly, so it is quoted.";
  return {
    ...extracted,
    confidence,
    navigator: {
      ...extracted.navigator,
      confidence: toConfidenceLevel(confidence),
      confidenceReason,
    },
  };
}

/** Names the sections nearest to a question that was refused, where there is some evidence for them. */
function nameNearestSections({ result, judgement }: Found, texts: RefusalTexts): string {
  if (!judgement.isDoubtful) return "";
  const names = result.hits
    .slice(0, nearestSections)
    .map(({ section: { file, heading } }) => `"${heading}" (${file})`);
  if (names.length === 0) return "";
  return texts.nearest([...new Set(names)].join(", "));
}

function topTitles({ base }: Opened): readonly string[] {
  const titles = base
    .files()
    .slice(0, 50)
    .map((file) => base.page(file)?.title ?? "");
  return [...new Set(titles)].filter((title) => title !== "").slice(0, 5);
}

function roundedShare(hit: SectionHit): number {
  return round(hit.share);
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
