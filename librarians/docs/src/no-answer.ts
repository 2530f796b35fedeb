import { minRefusal } from "./calibration/judge.js";
import type { NavigatorResponse } from "./navigator/navigator-response.js";
import { refusalTextsFor } from "./refusal-texts.js";

/** Input of a refusal. */
export interface RefusalFacts {
  /** Probability that the pages have no answer, 0 to 1. */
  readonly chance: number;
  readonly topic: string;
  /** Language of the question. Default: English. */
  readonly language?: string | undefined;
  /** Domain of the pages, as configured. */
  readonly domain: string;
  /** Number of pages that were searched, and that could not be. */
  readonly pages: number;
  readonly omitted: number;
  /** Id of another librarian whose description matches the question. Default: none. */
  readonly elsewhere?: string | undefined;
}

/** Refuses a question outside the domain: pattern 5 of the format. */
export function outOfDomain({ topic, domain, language }: RefusalFacts): NavigatorResponse {
  const texts = refusalTextsFor(language);
  return {
    answer: texts.outside(topic, sentence(domain)),
    sources: [],
    confidence: "high",
    confidenceReason: texts.outsideReason,
    relatedTopics: [],
    outOfDomain: true,
  };
}

/** Refuses a question in the domain that the pages do not answer: pattern 4 of the format. */
export function noInformation(facts: RefusalFacts): NavigatorResponse {
  const { chance, topic, domain, pages, omitted, elsewhere, language } = facts;
  const texts = refusalTextsFor(language);
  const other = elsewhere === undefined ? "" : texts.elsewhere(elsewhere);
  const isSure = chance >= minRefusal && omitted === 0;
  return {
    answer: `${texts.unknown(topic, sentence(domain))}${other}`,
    sources: [],
    confidence: isSure ? "high" : "low",
    confidenceReason: isSure ? texts.sure(pages) : texts.unsure(pages, omitted),
    relatedTopics: [],
    outOfDomain: false,
  };
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?。！？]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
