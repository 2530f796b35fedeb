import { trimTrailing } from "@constellation/authoring";
import type { Analyzer, QueryFacts } from "@constellation/retrieval";

/** Weights of the words of a query. */
export interface QueryWeights {
  /** Share of the query's weight that these terms have, 0 to 1. */
  share(terms: Iterable<string>): number;
  /** Terms of a text, as the analyzer reads them. */
  read(text: string): readonly string[];
  /** Words of the query, as written, whose terms pass the test; each once. */
  words(isWanted: (term: string) => boolean): readonly string[];
}

/** Weighs the words of a query by how rare they are in the knowledge base. */
export function weighQuery(query: string, facts: QueryFacts, analyzer: Analyzer): QueryWeights {
  const idfs = new Map(facts.terms.map(({ text, idf }) => [text, idf]));
  let all = 0;
  for (const idf of idfs.values()) all += idf;
  const read = (text: string) => analyzer.terms(text).map((term) => term.text);
  return {
    read,
    share(terms) {
      if (all === 0) return 0;
      let sum = 0;
      for (const term of new Set(terms)) sum += idfs.get(term) ?? 0;
      return sum / all;
    },
    words(isWanted) {
      const words = query.slice(0, 2_000).match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*/gu) ?? [];
      const found = words
        .map((word) => trimTrailing(word, /[.-]/))
        .filter((word) => read(word).some((term) => idfs.has(term) && isWanted(term)));
      return [...new Set(found)];
    },
  };
}
