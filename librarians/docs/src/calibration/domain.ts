import type { Analyzer, Language, QueryFacts } from "@constellation/retrieval";

/**
 * Minimum share of a query, weighted by rarity, that occurs in the pages, for it to be in domain.
 */
const knownEnough = 0.85;
/**
 * Minimum share of a query, weighted by rarity, in the words of the domain, for it to be in domain.
 */
const namedEnough = 0.2;
/** The same by number of words: a query with many unknown names can still name the domain. */
const countedEnough = 0.2;

/** Whether a query that was not answered is in domain nevertheless. */
export interface Domain {
  /** Share of the query, weighted by rarity, in the words of the domain. */
  fit(facts: QueryFacts): number;
  has(facts: QueryFacts): boolean;
}

/** @param texts - Descriptions of the domain: its description, name, capabilities and examples. */
export function createDomain(texts: readonly string[], analyzer: Analyzer): Domain {
  const byLanguage = new Map<Language, ReadonlySet<string>>();
  const wordsIn = (language: Language) => {
    const known =
      byLanguage.get(language) ??
      new Set(analyzer.terms(texts.join("\n"), language).map(({ text }) => text));
    byLanguage.set(language, known);
    return known;
  };
  const fit = ({ language, terms }: QueryFacts) => {
    const words = wordsIn(language);
    let all = 0;
    let shared = 0;
    for (const { text, idf } of terms) {
      all += idf;
      if (words.has(text)) shared += idf;
    }
    return all === 0 ? 0 : shared / all;
  };
  const counted = ({ language, terms }: QueryFacts) => {
    const words = wordsIn(language);
    return terms.filter(({ text }) => words.has(text)).length / Math.max(1, terms.length);
  };
  return {
    fit,
    has: (facts) =>
      fit(facts) >= namedEnough || counted(facts) >= countedEnough || facts.known >= knownEnough,
  };
}
