import type { NavigatorResponse } from "./navigator/navigator-response.js";

/** What a refusal reports. */
export interface RefusalFacts {
  readonly topic: string;
  /** What the pages are about, as configured. */
  readonly domain: string;
  /** Pages that were searched, and how many could not be. */
  readonly pages: number;
  readonly omitted: number;
  /** Id of a librarian whose description has the question's words. Default: none. */
  readonly elsewhere?: string | undefined;
}

/** The question lies outside the domain: pattern 5 of the format. */
export function outOfDomain({ topic, domain }: RefusalFacts): NavigatorResponse {
  return {
    answer: `This question is about "${topic}", which is outside my domain. I specialize in ${sentence(domain)} You might want to ask a librarian or a team that knows about it.`,
    sources: [],
    confidence: "high",
    confidenceReason:
      "Question clearly outside my configured knowledge domain: the pages say nothing about it.",
    relatedTopics: [],
    outOfDomain: true,
  };
}

/** The domain has it, and the pages do not: pattern 4 of the format. */
export function noInformation({
  topic,
  domain,
  pages,
  omitted,
  elsewhere,
}: RefusalFacts): NavigatorResponse {
  const other = elsewhere === undefined ? "" : ` The librarian "${elsewhere}" may have it.`;
  const searched = `${pages} ${pages === 1 ? "page" : "pages"}`;
  return {
    answer: `I don't have information about "${topic}" in my knowledge base. My documentation covers ${sentence(domain)}${other}`,
    sources: [],
    confidence: omitted === 0 ? "high" : "medium",
    confidenceReason:
      omitted === 0
        ? `Searched the whole knowledge base, ${searched}, with no relevant result. High confidence in the absence of information.`
        : `Searched ${searched} with no relevant result, but ${omitted} more could not be read or were left out.`,
    relatedTopics: [],
    outOfDomain: false,
  };
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
