import { questionWords } from "./question-words.js";

/** Maximum length of a word that is looked at: longer than any namespace, kind and name together. */
const maxWordLength = 600;

/**
 * Words of a question, in order. Names keep their dots and dashes; quotes and the like are gone, and so
 * are words of more than 600 characters.
 */
export function toWords(query: string): readonly string[] {
  return (query.replace(/(?<=n)['’](?=t\b)/g, "").match(/[\p{L}\p{N}][\p{L}\p{N}._:/=@-]*/gu) ?? [])
    .filter((word) => word.length <= maxWordLength)
    .map(withoutEnding)
    .filter((word) => word !== "");
}

/** A word without the punctuation of the sentence at its end. */
function withoutEnding(word: string): string {
  let end = word.length;
  while (end > 0 && ".:,/=-".includes(word.charAt(end - 1))) end--;
  return word.slice(0, end).replace(/'s$/i, "");
}

/** True for `LOG_LEVEL`, as variables are named. */
export function isVariable(word: string): boolean {
  return /^[A-Z0-9][A-Z0-9_]*$/.test(word) && word.includes("_");
}

/** Words that are in questions and name nothing. */
export const ignoredWords: ReadonlySet<string> = new Set(questionWords.ignored.split(" "));
