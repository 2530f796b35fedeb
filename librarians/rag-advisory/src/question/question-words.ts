import { readFileSync } from "node:fs";
import { soundKey } from "./romanize.js";

/** The words of a language by their forms; `steuer*` by the beginning. Hindi is in Latin letters. */
export interface QuestionWords {
  readonly whole: ReadonlyMap<string, string>;
  readonly heads: readonly (readonly [head: string, english: string])[];
}

let known: ReadonlyMap<string, QuestionWords> | undefined;

/** Words of questions and of tables by the name of their language, each with what it is in English. */
export function questionWords(): ReadonlyMap<string, QuestionWords> {
  known ??= readWords();
  return known;
}

/** What a word or an expression is in English; `undefined` for one that is not listed. */
export function toEnglish(written: string, { whole, heads }: QuestionWords): string | undefined {
  const key = soundKey(written);
  return (
    whole.get(key) ??
    (key.includes(" ") ? undefined : heads.find(([head]) => key.startsWith(head))?.[1])
  );
}

/** Words of a name of a column, or of a cell, in English where they are in one of the languages. */
export function glossNames(words: readonly string[]): readonly string[] {
  const glossed: string[] = [];
  for (let at = 0; at < words.length; ) {
    const two = at + 1 < words.length ? english(words.slice(at, at + 2).join(" ")) : undefined;
    glossed.push(...(two ?? english(words[at] ?? "") ?? words[at] ?? "").split(" "));
    at += two === undefined ? 1 : 2;
  }
  return glossed;
}

/** Words of grammar in English, of which a name is not made. */
const grammar: ReadonlySet<string> = new Set(
  "what|what is|how much|how many|how large|is|and|or|versus|compare|between|in|at|of|for|with|than".split(
    "|",
  ),
);

function english(written: string): string | undefined {
  for (const words of questionWords().values()) {
    const found = toEnglish(written, words);
    if (found !== undefined && found !== "" && !found.startsWith("@") && !grammar.has(found))
      return found;
  }
  return undefined;
}

function readWords(): ReadonlyMap<string, QuestionWords> {
  const listed = JSON.parse(
    readFileSync(new URL("../../data/question-words.json", import.meta.url), "utf8"),
  ) as Readonly<Record<string, Readonly<Record<string, string>>>>;
  return new Map(
    Object.entries(listed).map(([language, glossed]) => {
      const all = Object.entries(glossed).flatMap(([word, forms]) =>
        forms.split("|").map((form) => [soundKey(form), word] as const),
      );
      const heads = all
        .filter(([form]) => form.endsWith("*"))
        .map(([form, word]) => [form.slice(0, -1), word] as const)
        .sort(([one], [other]) => other.length - one.length);
      return [language, { whole: new Map(all), heads }];
    }),
  );
}
