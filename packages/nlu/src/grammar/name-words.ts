import { type Token, toTokens } from "../text/tokens.js";
import {
  articles,
  auxiliaries,
  isFunctionWord,
  isTellingVerb,
  prepositions,
} from "./function-words.js";

/** Subjects behind which a verb follows: "how do I restart". */
const subjects: ReadonlySet<string> = new Set(["i", "we", "you", "they", "people", "one", "u"]);
/** Words behind which "to" begins a verb: "how to restart". */
const beforeInfinitive: ReadonlySet<string> = new Set([
  ..."how way want need like wish have has try trying going able used possible order".split(" "),
]);
const maxLength = 1_000;

/**
 * The words of a question, of which the first 1,000 characters are read, that may name what it is about, as written: all but
 * those of grammar and the verbs that its form shows. "How do I roll back payments?" has `payments`, "what does npm prune
 * remove?" has `npm` and `prune`, "bundle with esbuild" has `esbuild`: what begins an order is taken for its verb. English.
 */
export function findNameWords(question: string): readonly string[] {
  const tokens = toTokens(question.slice(0, maxLength));
  const names = tokens.filter((token, at) => !isFunctionWord(token.lower) && !isVerb(tokens, at));
  return (names.length > 1 && names[0] === tokens[0] ? names.slice(1) : names).map(
    ({ text }) => text,
  );
}

function isVerb(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower ?? "";
  const before = tokens[at - 1]?.lower ?? "";
  const after = tokens[at + 1]?.lower;
  if (isTellingVerb(lower) && (at === 0 || isFunctionWord(before))) return true;
  if (before === "to") return beforeInfinitive.has(tokens[at - 2]?.lower ?? "");
  if (subjects.has(before)) return !auxiliaries.has(lower);
  // Of "what does npm prune remove?" and "how does it compare to that?", behind a subject that is named.
  const does = tokens.findIndex((token) => /^(?:do|does|did)$/.test(token.lower));
  const isDoQuestion = does >= 0 && at > does + 1 && !subjects.has(tokens[does + 1]?.lower ?? "");
  return isDoQuestion && !articles.has(before) && (after === undefined || prepositions.has(after));
}
