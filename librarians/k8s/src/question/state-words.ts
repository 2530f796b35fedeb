import { createPhrases } from "@constellation/nlu";
import type { State } from "../fields/table.js";
import { questionWords } from "./question-words.js";
import { toWords } from "./words.js";

const table = questionWords.states.map(([words, state]) => [createPhrases(words), state] as const);

/** The state that a question asks for, when it counts or lists. */
export function stateIn(query: string): State | undefined {
  const words = toWords(query.toLowerCase());
  // To scale up is done, and is no state.
  const isDone = words.some((word, at) => word === "up" && words[at - 1]?.startsWith("scal"));
  const text = isDone ? words.filter((word) => word !== "up").join(" ") : query;
  return table.find(([form]) => form.test(text))?.[1];
}
