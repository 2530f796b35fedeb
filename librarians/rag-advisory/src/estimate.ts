import type { AnswerEstimate, AnswerProbe, CanAnswer } from "@constellation/core";
import { gloss, isGlossed } from "./question/gloss.js";
import { otherLanguage } from "./question/language.js";
import { isAboutProperty, type Served, understand } from "./question/understand.js";

/** How much is read of a question about property that names a place or country that is served, and of one that does not. */
const readWithPlace = 0.9;
const readWithCountry = 0.7;

/**
 * Estimates how well it could answer, by how a question is read: one that would be refused, such as one about a country that
 * is not served, has no chance. The sources are not searched: they may lie on a server.
 */
export function createEstimate(options: Served): CanAnswer {
  return ({ query }: AnswerProbe): AnswerEstimate => {
    const share = shareRead(query, options);
    return { chance: share, coverage: share };
  };
}

function shareRead(asked: string, options: Served): number {
  const { query, language = otherLanguage(asked) } = gloss(asked);
  if ((language !== undefined && !isGlossed(language)) || !isAboutProperty(query)) return 0;
  try {
    const [question] = understand(query, {}, options);
    return question?.place === undefined ? readWithCountry : readWithPlace;
  } catch {
    return 0; // it would be refused
  }
}
