import type { Analyzer, KnowledgeBase, SectionHit, SectionResult } from "@constellation/retrieval";
import { findAstray } from "../calibration/astray.js";
import type { RetrievalFeatures } from "../calibration/features.js";
import { isAstray, maxConfidenceBelow, toConfidenceLevel } from "../calibration/judge.js";
import { explainConfidence, explainRelevance } from "../explain.js";
import type { NavigatorResponse } from "../navigator/navigator-response.js";
import { chooseSections } from "./choose-sections.js";
import { compose } from "./compose.js";
import { type Conflict, findConflict } from "./conflict.js";
import type { QueryWeights } from "./query-weights.js";
import { type Block, readBlocks } from "./quote.js";
import { relatedTopics } from "./related-topics.js";

/** An answer in the pages' own words. */
export interface ExtractedAnswer {
  readonly navigator: NavigatorResponse;
  /** Probability that the answer is right, 0 to 1. Its level follows from the thresholds. */
  readonly confidence: number;
  /** The cited sections, in the order of the sources. */
  readonly cited: readonly SectionHit[];
  readonly conflict: Conflict | undefined;
}

/** Input of {@link extractAnswer}. */
export interface Extraction {
  readonly query: string;
  readonly result: SectionResult;
  readonly features: RetrievalFeatures;
  /** Probability that the best section is the right one. */
  readonly confidence: number;
  readonly weights: QueryWeights;
  readonly analyzer: Analyzer;
  readonly base: Pick<KnowledgeBase, "page">;
}

/** Minimum share of a query that the best section must have; below it, confidence is low. */
export const minCoverage = 0.3;

/** @returns `undefined` when no section has anything that can be quoted. */
export function extractAnswer(extraction: Extraction): ExtractedAnswer | undefined {
  const { query, result, features, weights, analyzer, base } = extraction;
  const blocks = new Map<SectionHit, readonly Block[]>();
  const blocksIn = (hit: SectionHit) => {
    const known = blocks.get(hit) ?? readBlocks(hit.section, analyzer);
    blocks.set(hit, known);
    return known;
  };
  const { hits, isSynthesis: isFromSeveral } = chooseSections(query, result.hits, weights, {
    isQuotable: (hit) => blocksIn(hit).length > 0,
    hasSteps: (hit) => blocksIn(hit).some(({ kind }) => kind === "list" || kind === "code"),
  });
  const [best] = hits;
  if (best === undefined) return undefined;

  const conflict = findConflict(result.hits, weights);
  const chosen = conflict === undefined ? hits : withPlaces(hits, conflict);
  const { answer, quoted: cited } = compose(
    chosen.map((hit) => ({
      hit,
      blocks: blocksIn(hit),
      isRequired: conflict?.places.includes(hit) === true,
    })),
    weights,
    base,
  );
  const isSynthesis = isFromSeveral && cited.length > 1;
  const isByMeaning = features.nearest > -1;
  const confidence = capped(extraction.confidence, {
    isLow: conflict !== undefined || (!isByMeaning && best.coverage < minCoverage),
    // A section that mentions a word in passing is not a direct answer, whatever its lead.
    isMedium: isSynthesis || (!isByMeaning && features.heading === 0 && features.title === 0),
  });
  const level = toConfidenceLevel(confidence);
  const astray = isAstray(features)
    ? findAstray(query, result.facts, best, analyzer).term
    : undefined;
  return {
    navigator: {
      answer,
      sources: cited.map((hit) => ({
        file: hit.section.file,
        section: hit.section.heading,
        relevance: explainRelevance(hit, weights),
      })),
      confidence: level,
      confidenceReason: explainConfidence(level, cited, weights, {
        conflict,
        isSynthesis,
        astray,
      }),
      relatedTopics: relatedTopics(cited, result.hits, base),
      outOfDomain: false,
    },
    confidence,
    cited,
    conflict,
  };
}

/** Cites both sides of a conflict, so that the reader can decide. */
function withPlaces(hits: readonly SectionHit[], { places }: Conflict): readonly SectionHit[] {
  const all = [...new Set([...places, ...hits])].slice(0, 3);
  return all.sort((a, b) => b.score - a.score);
}

/** Reasons that lower the confidence of an answer. */
interface Caps {
  readonly isLow: boolean;
  readonly isMedium: boolean;
}

function capped(confidence: number, { isLow, isMedium }: Caps): number {
  if (isLow) return Math.min(confidence, maxConfidenceBelow("medium"));
  return isMedium ? Math.min(confidence, maxConfidenceBelow("high")) : confidence;
}
