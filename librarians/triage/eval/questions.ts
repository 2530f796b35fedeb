import { readFileSync } from "node:fs";
import { type EvalCase, readCases } from "@constellation/core/evals";

/**
 * Reads `questions.<split>.jsonl`: `dev` is what the librarian was tuned on, `test` is not. Each names
 * exactly those who should be asked, and is tagged with how many they are: one, several or nobody.
 */
export function readQuestions(split: string): readonly EvalCase[] {
  const file = new URL(`questions.${split}.jsonl`, import.meta.url);
  return readCases(readFileSync(file, "utf8"), file.pathname);
}
