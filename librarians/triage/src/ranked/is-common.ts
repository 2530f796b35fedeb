import { commonWords } from "@constellation/nlu";
import { createAnalyzer } from "@constellation/retrieval";

let commonTerms: ReadonlySet<string> | undefined;

/** Whether a term is a word of everyday English. A term that is not names something: `namespace`, `valuation`. */
export function isCommon(term: string): boolean {
  // Made on first use: some milliseconds.
  commonTerms ??= new Set(
    createAnalyzer({ stopWords: new Set() })
      .terms(commonWords)
      .map(({ text }) => text),
  );
  return commonTerms.has(term);
}
