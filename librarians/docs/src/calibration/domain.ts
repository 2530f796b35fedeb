import type { Analyzer, QueryFacts } from "@constellation/retrieval";

/** Share of a query, by rarity, that the pages know: from here on it is about their subject. */
const knownEnough = 0.85;
/** Share of a query in the domain's own words, by rarity: from here on it is in the domain. */
const namedEnough = 0.2;
/** The same by count: who asks for one unknown thing after another still names the domain. */
const countedEnough = 0.2;

/** Reports whether a query that was not answered lies in the domain all the same. */
export interface Domain {
  /** Share of the query, by rarity, in the words of the domain. */
  fit(facts: QueryFacts): number;
  has(facts: QueryFacts): boolean;
}

/** @param texts - What describes the domain: its sentence, its name, what it can do, examples. */
export function createDomain(texts: readonly string[], analyzer: Analyzer): Domain {
  const words = new Set(analyzer.terms(texts.join("\n")).map(({ text }) => text));
  const fit = ({ terms }: QueryFacts) => {
    let all = 0;
    let shared = 0;
    for (const { text, idf } of terms) {
      all += idf;
      if (words.has(text)) shared += idf;
    }
    return all === 0 ? 0 : shared / all;
  };
  const counted = ({ terms }: QueryFacts) =>
    terms.filter(({ text }) => words.has(text)).length / Math.max(1, terms.length);
  return {
    fit,
    has: (facts) =>
      fit(facts) >= namedEnough || counted(facts) >= countedEnough || facts.known >= knownEnough,
  };
}
