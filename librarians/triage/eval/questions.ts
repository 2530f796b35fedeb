import { readFileSync } from "node:fs";
import { type EvalCase, readCases } from "@constellation/testing/evals";

const files = {
  dev: "questions.people.dev.jsonl",
  "dev-2": "questions.people.dev-2.jsonl",
  "dev-3": "questions.people.dev-3.jsonl",
  "dev-4": "questions.people.dev-4.jsonl",
  "outside-dev": "questions.outside.dev.jsonl",
  "outside-test": "questions.outside.test.jsonl",
  "held-out": "questions.people.held-out.jsonl",
  test: "questions.people.test.jsonl",
  "plain-dev": "questions.dev.jsonl",
  "plain-test": "questions.test.jsonl",
} as const;

/** A file of questions: those with `dev` are what the librarian was tuned on, the others are not. */
export type QuestionSet = keyof typeof files;

/** Names of the sets. */
export const questionSets = Object.keys(files);

export function isQuestionSet(name: string): name is QuestionSet {
  return Object.hasOwn(files, name);
}

/**
 * Reads a set. Each question names exactly those who should be asked, and is tagged with how many they
 * are: one, several or no one.
 */
export function readQuestions(set: QuestionSet): readonly EvalCase[] {
  const file = new URL(files[set], import.meta.url);
  return readCases(readFileSync(file, "utf8"), file.pathname);
}
