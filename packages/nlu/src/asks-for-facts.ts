import { isTellingVerb } from "./grammar/function-words.js";
import { readQuestion } from "./read-question.js";
import type { Clause } from "./reading.js";
import { type ContentWord, readContentWords } from "./text/near-words.js";

/**
 * Whether a question asks only for facts: it orders nothing but to tell, and the first word that says what each of its clauses
 * asks for is not one for an action. "Which node runs the most pods?" asks for a node, "which workflow fixes the pods?" and "what
 * should we do?" for something to be done. What is quoted or denied is not asked, and who only tells something asks for nothing.
 *
 * @param isForAction - Whether a word names an action, or a way to act.
 */
export function asksForFacts(
  question: string,
  isForAction: (word: ContentWord) => boolean,
): boolean {
  const clauses = readQuestion(question).clauses.filter(({ isQuoted }) => !isQuoted);
  const asking = clauses.filter(({ isQuestion, head }) => isQuestion || isTellingVerb(head));
  return (
    asking.length > 0 &&
    !clauses.some(asksToAct) &&
    asking.every((clause) => asksForFact(clause, isForAction))
  );
}

function asksToAct({ act, head, negations }: Clause): boolean {
  return act === "order" && !isTellingVerb(head) && negations.length === 0;
}

function asksForFact(
  { body, act, head, isModal }: Clause,
  isForAction: (word: ContentWord) => boolean,
): boolean {
  if (act === "why") return true;
  // "What should we run?", "can I restart it?", "what can be done?"
  if (isModal && /\b(?:i|we|be)\b/i.test(body)) return false;
  const [asked] = readContentWords(isTellingVerb(head) ? body.slice(head.length) : body);
  return asked !== undefined && !isForAction(asked);
}
