import { phrases } from "./question-words.js";
import { ignoredWords, toWords } from "./words.js";

/** Which way a question about use goes: to the users of a thing, or to what the thing needs. */
export type Use = "users" | "needs";

const uses =
  "(?:uses?|using|used|mounts?|mounting|mounted|references?|referencing|reads?|reading|consumes?|consuming|(?:depend|rel(?:y|ie))s? on|needs?)";
const needs = [
  new RegExp(`^\\s{0,9}(?:what|which)\\b.{0,60}\\b(?:does|do|is|are)\\b.{1,120}\\b${uses}\\b`, "i"),
  /\b(?:dependencies|references) of\b/i,
];
const users = [
  new RegExp(`^\\s{0,9}(?:who|what|which|list|show|find)\\b.{0,60}\\b${uses}\\b`, "i"),
  /\b(?:used|mounted|referenced|read|consumed|needed) by\b/i,
  /\b(?:users|dependents|consumers) of\b/i,
  /^\s{0,9}(?:where|is|are)\b.{1,120}\b(?:used|mounted|referenced)\b/i,
];
/** Amounts are measured, and not named by anything. */
const amount = phrases("use-words.amount");

/** The way a question about use goes. Undefined for a question about anything else. */
export function useIn(query: string): Use | undefined {
  if (amount.test(query)) return undefined;
  if (needs.some((form) => form.test(query))) return "needs";
  return users.some((form) => form.test(query)) ? "users" : undefined;
}

/** What is in Secrets. */
const credentials = phrases("request.secretThing");

const before: ReadonlySet<string> = new Set(["in", "of", "from", "inside"]);

/** "The api key in pos-terminal-key": the first name with a joint behind "in" or "of". */
function placeIn(words: readonly string[]): string | undefined {
  return words.find(
    (word, index) =>
      before.has(words[index - 1]?.toLowerCase() ?? "") &&
      !ignoredWords.has(word) &&
      word === word.toLowerCase(),
  );
}

/** Name of a Secret that a question names. Secrets are not read, so nothing else knows it. */
export function secretIn(query: string): string | undefined {
  const words = toWords(query);
  const at = words.findIndex((word) => /^secrets?$/i.test(word));
  if (at < 0) return credentials.test(query) ? placeIn(words) : undefined;
  const after = words.slice(at + 1).find((word) => !/^(?:named|called)$/i.test(word));
  return [after, words[at - 1]].find(
    (word) => word !== undefined && !ignoredWords.has(word.toLowerCase()),
  );
}
