import { readFileSync } from "node:fs";

/** A question, and the ids of those who should be asked. None: it is for nobody. */
export interface Question {
  readonly query: string;
  readonly expect: readonly string[];
}

/** Reads `questions.<split>.jsonl`: `dev` is what the librarian was tuned on, `test` is not. */
export function readQuestions(split: string): readonly Question[] {
  const text = readFileSync(new URL(`questions.${split}.jsonl`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Question => JSON.parse(line));
}
