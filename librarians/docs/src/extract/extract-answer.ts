import type { Analyzer, KnowledgeBase, SectionHit, SectionResult } from "@constellation/retrieval";
import type { RetrievalFeatures } from "../calibration/features.js";
import { below, levelOf } from "../calibration/judge.js";
import { reasonOf, relevanceOf } from "../explain.js";
import type { NavigatorResponse } from "../navigator/navigator-response.js";
import { chooseSections } from "./choose-sections.js";
import { compose } from "./compose.js";
import { type Conflict, findConflict } from "./conflict.js";
import type { QueryWeights } from "./query-weights.js";
import { relatedTopics } from "./related-topics.js";
import { type Unit, unitsOf } from "./units.js";

/** An answer in the pages' own words. */
export interface ExtractedAnswer {
  readonly navigator: NavigatorResponse;
  /** The chance that it is right, 0 to 1, of which its level is a cut. */
  readonly confidence: number;
  /** What it cites, in the order of its sources. */
  readonly cited: readonly SectionHit[];
  readonly conflict: Conflict | undefined;
}

/** What an answer is extracted from. */
export interface Extraction {
  readonly query: string;
  readonly result: SectionResult;
  readonly features: RetrievalFeatures;
  /** The chance that the best section is the right one. */
  readonly confidence: number;
  readonly weights: QueryWeights;
  readonly analyzer: Analyzer;
  readonly base: Pick<KnowledgeBase, "page">;
}

/** Share of a query that the best section has at least, or it is reported as low. */
const leastCoverage = 0.3;

/** @returns Nothing when no section that was found has anything that can be quoted. */
export function extractAnswer(extraction: Extraction): ExtractedAnswer | undefined {
  const { query, result, features, weights, analyzer, base } = extraction;
  const units = new Map<SectionHit, readonly Unit[]>();
  const unitsIn = (hit: SectionHit) => {
    const known = units.get(hit) ?? unitsOf(hit.section, analyzer);
    units.set(hit, known);
    return known;
  };
  const { hits, isSynthesis } = chooseSections(query, result.hits, weights, {
    isQuotable: (hit) => unitsIn(hit).length > 0,
    hasSteps: (hit) => unitsIn(hit).some(({ kind }) => kind === "item" || kind === "code"),
  });
  const [best] = hits;
  if (best === undefined) return undefined;

  const conflict = findConflict(result.hits, weights);
  const cited = conflict === undefined ? hits : withPlaces(hits, conflict);
  const isByMeaning = features.nearest > -1;
  const confidence = capped(extraction.confidence, {
    isLow: conflict !== undefined || (!isByMeaning && best.coverage < leastCoverage),
    // A word in passing is not a direct answer, however far the others are behind.
    isMedium: isSynthesis || (!isByMeaning && features.heading === 0 && features.title === 0),
  });
  const level = levelOf(confidence);
  const quoted = cited.map((hit) => ({ hit, units: unitsIn(hit) }));
  return {
    navigator: {
      answer: compose(quoted, weights, base),
      sources: cited.map((hit) => ({
        file: hit.section.file,
        section: hit.section.heading,
        relevance: relevanceOf(hit, weights),
      })),
      confidence: level,
      confidenceReason: reasonOf(level, cited, weights, { conflict, isSynthesis }),
      relatedTopics: relatedTopics(cited, result.hits, base),
      outOfDomain: false,
    },
    confidence,
    cited,
    conflict,
  };
}

/** Both sides of a conflict are cited, so that a reader can judge. */
function withPlaces(hits: readonly SectionHit[], { places }: Conflict): readonly SectionHit[] {
  const all = [...new Set([...places, ...hits])].slice(0, 3);
  return all.sort((a, b) => b.score - a.score);
}

/** What holds an answer's confidence down. */
interface Caps {
  readonly isLow: boolean;
  readonly isMedium: boolean;
}

function capped(confidence: number, { isLow, isMedium }: Caps): number {
  if (isLow) return Math.min(confidence, below("medium"));
  return isMedium ? Math.min(confidence, below("high")) : confidence;
}
