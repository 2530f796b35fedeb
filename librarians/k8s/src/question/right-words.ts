import { createPhrases } from "@constellation/nlu";
import { questionWords } from "./question-words.js";

const verbs = questionWords.verbs.map(([words, verb]) => [createPhrases(words), verb] as const);

/** The verb of the API that a question about rights names. */
export function verbIn(query: string): string | undefined {
  return verbs.find(([words]) => words.test(query))?.[1];
}
