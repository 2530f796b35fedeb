import type { SectionHit } from "@constellation/retrieval";
import type { Conflict } from "./extract/conflict.js";
import type { QueryWeights } from "./extract/query-weights.js";
import type { NavigatorConfidence } from "./navigator/navigator-response.js";

const maxWords = 6;

/** Explains why a section was cited: which words of the query it has, and where. */
export function explainRelevance({ section, terms }: SectionHit, weights: QueryWeights): string {
  const has = new Set(terms);
  const ofHeading = new Set(weights.read(section.heading));
  const inHeading = weights.words((term) => ofHeading.has(term)).slice(0, maxWords);
  const inText = weights.words((term) => has.has(term) && !ofHeading.has(term)).slice(0, maxWords);
  const begin = `The section "${section.heading}"`;
  if (inHeading.length > 0 && inText.length > 0) {
    return `${begin} is about ${listed(inHeading)} and mentions ${listed(inText)}`;
  }
  if (inHeading.length > 0) return `${begin} is about ${listed(inHeading)}`;
  return inText.length > 0
    ? `${begin} mentions ${listed(inText)}`
    : `${begin} was found near the question`;
}

/**
 * Explains the confidence: how many sections there are, how well they fit, and which words they
 * lack.
 */
export function explainConfidence(
  level: NavigatorConfidence,
  cited: readonly SectionHit[],
  weights: QueryWeights,
  {
    conflict,
    isSynthesis,
    astray,
  }: {
    readonly conflict: Conflict | undefined;
    readonly isSynthesis: boolean;
    /** The term of a name in the question that the best section is not about. */
    readonly astray?: string | undefined;
  },
): string {
  const files = [...new Set(cited.map(({ section }) => section.file))];
  const [best] = cited;
  const covered = new Set(cited.flatMap(({ terms }) => terms));
  const lacking = weights.words((term) => !covered.has(term)).slice(0, maxWords);
  const lack = lacking.length === 0 ? "" : ` Not found there: ${listed(lacking)}.`;
  const begin = `${level[0]?.toUpperCase()}${level.slice(1)} confidence`;
  if (conflict !== undefined) {
    const { subject, values, places } = conflict;
    const [one, other] = places.map(({ section }) => section.file);
    return `${begin}: the sources conflict: for ${subject}, ${one} has ${values[0]} and ${other} has ${values[1]}.${lack}`;
  }
  const heading = best?.section.heading ?? "";
  if (astray !== undefined) {
    const names = listed(weights.words((term) => term === astray));
    return `${begin}: the question asks about ${names}, and the section "${heading}" of ${files[0]} is about something else.${lack}`;
  }
  if (level === "high") {
    const more =
      cited.length > 1
        ? `, and ${cited.length - 1} more ${cited.length === 2 ? "section supports" : "sections support"} it`
        : "";
    return `${begin}: the section "${heading}" of ${files[0]} is about the question and fits clearly better than all others${more}.${lack}`;
  }
  const several = `${cited.length} sections of ${files.join(", ")}`;
  if (isSynthesis)
    return `${begin}: combined from ${several}; no single section has all of it.${lack}`;
  if (level === "medium") {
    const why =
      cited.length > 1
        ? `${several} fit about equally well`
        : `the section "${heading}" of ${files[0]} fits best, but others come close`;
    return `${begin}: ${why}.${lack}`;
  }
  const what =
    cited.length > 1 ? `${several} touch` : `the section "${heading}" of ${files[0]} touches`;
  return `${begin}: ${what} the question, and may not answer it.${lack}`;
}

function listed(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}
