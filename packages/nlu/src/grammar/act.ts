import type { Act } from "../reading.js";
import {
  articles,
  isAuxiliary,
  isFunctionWord,
  openQuestionWords,
  reportingVerbs,
  tellingVerbs,
} from "./function-words.js";

/** What the form of a clause shows. */
export interface ClauseForm {
  /** Its words in lower case, behind courtesies. */
  readonly words: readonly string[];
  /** It begins with "please" or "can you". */
  readonly isPolite: boolean;
  /** It begins with a name. */
  readonly isName: boolean;
  readonly endsAsQuestion: boolean;
}

/** The act by the form of a clause, without regard to its subject. */
export function readAct({ words, isPolite, isName, endsAsQuestion }: ClauseForm): Act {
  const [head = "", second = "", third = ""] = words;
  if (/^(?:why|whys|why's)$/.test(head) || (head === "how" && second === "come")) return "why";
  if (
    head === "how" &&
    (/^(?:to|do|can|should|would|could|might)$/.test(second) || third === "to")
  ) {
    // "How do the pods talk" asks for a fact, "how do I" for a way.
    return second === "to" || /^(?:i|we|you|one|to)$/.test(third) ? "how-to" : "fact";
  }
  if (openQuestionWords.has(head)) return "fact";
  if (tellingVerbs.has(head)) return "fact";
  if (isAuxiliary(head))
    return /^(?:do|don't|dont)$/.test(head) &&
      !/^(?:i|we|you|they|the|all|any|these|those)$/.test(second) &&
      !endsAsQuestion
      ? "order"
      : "yes-no";
  if (isPolite && head !== "" && !isFunctionWord(head)) return "order";
  const isVerbAtHead =
    !isName &&
    !isFunctionWord(head) &&
    (articles.has(second) || /^(?:it|them|all|every|everything)$/.test(second));
  if (isVerbAtHead && !endsAsQuestion) return "order";
  if (endsAsQuestion) return "yes-no";
  const isSentence = words.some(
    (word, at) => at > 0 && (isAuxiliary(word) || reportingVerbs.has(word)),
  );
  return isSentence || words.some((word) => isVerbNegator(word)) || head === "i" || head === "we"
    ? "report"
    : "fact";
}

/** A word that denies a verb, and not a thing: "not", "never", "cannot". */
function isVerbNegator(word: string): boolean {
  return /^(?:not|never|cannot)$|n't$/.test(word);
}
