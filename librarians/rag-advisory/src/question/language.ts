import { readFileSync } from "node:fs";
import { isCommonWord } from "@constellation/nlu";
import { questionWords, toEnglish } from "./question-words.js";
import { propertyWeight } from "./subject-words.js";

/** Scripts by the language that is named for them, and words of grammar and property in Latin letters, none of them English. */
const listed = JSON.parse(
  readFileSync(new URL("../../data/languages.json", import.meta.url), "utf8"),
) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
  readonly english: string;
};
const scripts = Object.entries(listed.scripts).map(([language, names]) => {
  const classes = names.split(" ").map((name) => `\\p{Script=${name}}`);
  return { language, form: new RegExp(`[${classes.join("")}]`, "gu") };
});
const words = Object.entries(listed.words).map(([language, own]) => ({
  language,
  known: new Set(own.split(" ")),
}));
const english: ReadonlySet<string> = new Set(listed.english.split(" "));

/** Words of another language that make a question one in it. */
const minWords = 2;
/** Words of a question that one word of German is enough for, where it is the first. */
const shortLength = 4;
/** Share of letters of another script that makes a question one in it. */
const minShare = 0.3;

/**
 * The language that a question is in, where it is not English: read from its script or, in Latin letters,
 * from words of grammar that outnumber the English ones.
 *
 * @returns Its English name; `undefined` for English, and where nothing can be read.
 */
export function otherLanguage(query: string): string | undefined {
  const text = query.slice(0, 2_000).normalize("NFC");
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const { language, form } of scripts) {
    const count = text.match(form)?.length ?? 0;
    if (count > 0 && count >= minShare * letters) return language;
  }
  const queryWords = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isOwn = (word: string, language: string) => {
    const listed = questionWords().get(language);
    return (
      listed !== undefined &&
      !isCommonWord(word) &&
      propertyWeight(word) === 0 &&
      toEnglish(word, listed) !== undefined
    );
  };
  /** Whether a word and the next, or the one before, are an expression: "wie viele". */
  const isInExpression = (at: number, language: string) => {
    const listed = questionWords().get(language);
    return [at - 1, at].some((from) => {
      const two = queryWords.slice(Math.max(0, from), from + 2).join(" ");
      return listed !== undefined && two.includes(" ") && toEnglish(two, listed) !== undefined;
    });
  };
  const countKnown = (known: ReadonlySet<string>) =>
    queryWords.filter((word) => known.has(word)).length;
  const [best] = words
    .map(({ language, known }) => ({
      language,
      count: queryWords.filter(
        (word, at) => known.has(word) || isOwn(word, language) || isInExpression(at, language),
      ).length,
    }))
    .sort((a, b) => b.count - a.count);
  // "Preise in Passau" has one word that tells, and one that English has, too.
  const [first] = queryWords;
  const isShort = queryWords.length <= shortLength && first !== undefined && isOwn(first, "German");
  if (isShort && countKnown(english) <= 1) return "German";
  if (best === undefined || best.count < minWords) return undefined;
  return best.count > countKnown(english) || /[¿¡]/.test(text) ? best.language : undefined;
}
