import { isFunctionWord } from "./grammar/function-words.js";
import { readQuestion } from "./read-question.js";
import type { Clause } from "./reading.js";

/**
 * Leaves out what a question forbids: "Do not restart checkout, just tell me its memory limit" becomes "tell me
 * checkout's memory limit".
 *
 * @returns The question as it is where it forbids nothing, or asks for nothing else.
 */
export function withoutDeniedOrders(question: string): string {
  const { clauses } = readQuestion(question);
  const denied = clauses.filter(isDeniedOrder);
  const kept = clauses.filter((clause) => !isDeniedOrder(clause));
  if (denied.length === 0 || kept.every(({ act }) => act === "report")) return question;
  const object = denied.map(objectOf).find((words) => words !== "");
  const text = kept.map((clause) => clause.text).join(" ");
  if (object === undefined) return text;
  return text.replace(/\b(?:(its|their)|it|them)\b/i, (_, owned?: string) =>
    owned === undefined ? object : `${object}'s`,
  );
}

function isDeniedOrder({ act, head, isQuestion, negations }: Clause): boolean {
  return (
    negations.length > 0 &&
    /^(?:do|don['’]?t|never)$/.test(head) &&
    (act === "order" || !isQuestion)
  );
}

/** What is not to be touched: the words behind the verb. Empty where they name nothing: "anything". */
function objectOf({ text, start, negations: [negation] }: Clause): string {
  const words =
    text
      .slice((negation?.start ?? start) - start)
      .match(/[\p{L}\p{N}]+(?:[./_-][\p{L}\p{N}]+)*/gu) ?? [];
  const [, ...object] = words;
  const names = object.filter((word) => !isFunctionWord(word.toLowerCase()));
  return names.join(" ");
}
