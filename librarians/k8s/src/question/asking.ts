import {
  type Clause,
  isAuxiliary,
  isOpenQuestionWord,
  isTellingVerb,
  readQuestion,
} from "@constellation/nlu";
import { toWords } from "./words.js";

/** Whether a clause asks or orders to tell something, by its first word; a question mark alone does not show it. */
export function isAsking({ head, isQuestion }: Clause): boolean {
  return (
    isOpenQuestionWord(head) ||
    (isQuestion && isAuxiliary(head)) ||
    isTellingVerb(head) ||
    head.startsWith("any")
  );
}

/** The clauses of a query that have words. */
export function readClauses(query: string): readonly Clause[] {
  return readQuestion(query).clauses.filter(({ body }) => /[\p{L}\p{N}]/u.test(body));
}

const counting: ReadonlySet<string> = new Set(["many", "count", "number", "often"]);

/** Whether a query asks for a number of things or of times. */
export function asksNumber(query: string): boolean {
  return readClauses(query).some(({ body }) =>
    toWords(body.toLowerCase())
      .slice(0, 3)
      .some((word) => counting.has(word)),
  );
}
