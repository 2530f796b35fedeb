import { findNameWords, isFunctionWord } from "@constellation/nlu";
import type { Analyzer, QueryFacts, SectionHit } from "@constellation/retrieval";

/** A name that a question asks about, and that the best section is not about. */
export interface Astray {
  /** The term of the name; `undefined` where the section is about all that is named. */
  readonly term: string | undefined;
  /**
   * How much of the question is about it: its share of the question, weighted by rarity, times its share of what the
   * question names, 0 to 1.
   */
  readonly share: number;
}

const none: Astray = { term: undefined, share: 0 };

/**
 * Compares what a question names with what a section is about: its headings and the words of its page's path. What the text
 * mentions in passing is not its subject, and neither is a verb of the question a name, unless the page is named for it.
 */
export function findAstray(
  query: string,
  { language, terms }: QueryFacts,
  { section }: SectionHit,
  analyzer: Analyzer,
): Astray {
  if (language !== "en") return none;
  const read = (text: string) => analyzer.terms(text).map(({ text: term }) => term);
  const words = query.split(/\s+/).filter((word) => !isFunctionWord(word.toLowerCase()));
  // Of an identifier its words count, not its whole.
  const plain = new Set(
    analyzer.terms(words.join(" ")).flatMap((each) => (each.isExtra ? [] : [each.text])),
  );
  const own = terms.filter(({ text }) => plain.has(text));
  const names = new Set(findNameWords(query).flatMap(read));
  const page = new Set(
    read(`${section.file.replaceAll(/[/_.-]+/g, " ")}\n${section.headingPath[0] ?? ""}`),
  );
  const subject = new Set([...page, ...read(section.headingPath.join("\n"))]);
  // "Rollback" is "roll back": the index reads both where the pages have one of them.
  const spellings = (text: string) =>
    terms.flatMap(({ text: begin }) =>
      begin !== text && text.startsWith(begin) && terms.some((end) => begin + end.text === text)
        ? [begin]
        : [],
    );
  let all = 0;
  let named = 0;
  let astray: (typeof own)[number] | undefined;
  for (const term of own) {
    const { text, idf, synonyms } = term;
    all += idf;
    const isName = names.has(text);
    const about = isName ? subject : page;
    if (
      about.has(text) ||
      (isName && [...synonyms, ...spellings(text)].some((each) => subject.has(each)))
    ) {
      named = Math.max(named, idf);
    } else if (isName && idf > (astray?.idf ?? 0)) astray = term;
  }
  if (astray === undefined) return none;
  const { text, idf } = astray;
  return { term: text, share: (idf / all) * (idf / (idf + named)) };
}
