import { minRefusal } from "./calibration/judge.js";
import type { NavigatorResponse } from "./navigator/navigator-response.js";

/** Input of a refusal. */
export interface RefusalFacts {
  /** Probability that the pages have no answer, 0 to 1. */
  readonly chance: number;
  readonly topic: string;
  /** Domain of the pages, as configured. */
  readonly domain: string;
  /** Number of pages that were searched, and that could not be. */
  readonly pages: number;
  readonly omitted: number;
  /** Id of another librarian whose description matches the question. Default: none. */
  readonly elsewhere?: string | undefined;
}

/** Refuses a question outside the domain: pattern 5 of the format. */
export function outOfDomain({ topic, domain }: RefusalFacts): NavigatorResponse {
  return {
    answer: `This question is about "${topic}", which is outside my domain. I specialize in ${sentence(domain)} You might want to ask a librarian or a team that knows about it.`,
    sources: [],
    confidence: "high",
    confidenceReason:
      "The question is clearly outside my configured knowledge domain: the pages do not mention its subject.",
    relatedTopics: [],
    outOfDomain: true,
  };
}

/** Refuses a question in the domain that the pages do not answer: pattern 4 of the format. */
export function noInformation({
  chance,
  topic,
  domain,
  pages,
  omitted,
  elsewhere,
}: RefusalFacts): NavigatorResponse {
  const other = elsewhere === undefined ? "" : ` The librarian "${elsewhere}" may have it.`;
  const isSure = chance >= minRefusal && omitted === 0;
  const searched = `${pages} ${pages === 1 ? "page" : "pages"}`;
  return {
    answer: `I don't have information about "${topic}" in my knowledge base. My documentation covers ${sentence(domain)}${other}`,
    sources: [],
    confidence: isSure ? "high" : "low",
    confidenceReason: isSure
      ? `Searched the whole knowledge base, ${searched}, with no relevant result, so the information is very likely absent.`
      : `Searched ${searched} with no result that clearly answers it${omitted === 0 ? "" : `, and ${omitted} more could not be read or were left out`}.`,
    relatedTopics: [],
    outOfDomain: false,
  };
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
