import { createPhrases } from "@constellation/nlu";
import { questionWords, type State } from "./question-words.js";

const table = questionWords.states.map(([words, state]) => [createPhrases(words), state] as const);

/** The state that a question asks for, when it counts or lists. */
export function stateIn(query: string): State | undefined {
  return table.find(([form]) => form.test(query))?.[1];
}
