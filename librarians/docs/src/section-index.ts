import MiniSearch from "minisearch";
import type { Section } from "./sections.js";
import { wordsOf } from "./words.js";

/** A section that has words of a query. */
export interface RankedSection {
  readonly section: Section;
  /** BM25+ over heading, page title and text, more than 0. Means something only beside others of the same query. */
  readonly score: number;
  /** Words of the query that it has, in its heading, its page's title or its text. */
  readonly words: ReadonlySet<string>;
}

/** Sections, to be found by words. */
export interface SectionIndex {
  /** Every section, by page, in order. */
  readonly sections: readonly Section[];
  /** Those with at least one of the words, best first. */
  search(words: readonly string[]): readonly RankedSection[];
  /**
   * How much a word tells: its inverse document frequency, ln(1 + (N - n + 0.5) / (n + 0.5)) for n
   * of N sections. A word that stands in every one weighs next to nothing.
   *
   * Source: S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
   * 2009.
   */
  weightOf(word: string): number;
}

/** What is searched, and how much more a word counts there than in the text. */
const boost = { heading: 3, title: 2, above: 1, text: 1 };

/** Indexes sections, in pieces, so that timers and signals are heard meanwhile. */
export async function createSectionIndex(sections: readonly Section[]): Promise<SectionIndex> {
  const search = new MiniSearch<{ id: number } & Record<keyof typeof boost, string>>({
    fields: Object.keys(boost),
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: { boost, tokenize: (text) => text.split(" "), combineWith: "OR" },
  });
  const sectionsWith = new Map<string, number>();

  const documents = sections.map(({ heading = "", title, above, blocks }, id) => {
    const text = blocks.map((block) => block.text).join("\n");
    return { id, heading, title, above: above.join("\n"), text };
  });
  await search.addAllAsync(documents, { chunkSize: 200 });
  for (const { heading, title, above, text } of documents) {
    for (const word of new Set(wordsOf([heading, title, above, text].join("\n")))) {
      sectionsWith.set(word, (sectionsWith.get(word) ?? 0) + 1);
    }
  }

  return {
    sections,
    search: (words) =>
      search.search(words.join(" ")).flatMap(({ id, score, queryTerms }) => {
        const section = sections[id];
        return section === undefined ? [] : { section, score, words: new Set(queryTerms) };
      }),
    weightOf(word) {
      const n = sectionsWith.get(word) ?? 0;
      return Math.log(1 + (sections.length - n + 0.5) / (n + 0.5));
    },
  };
}
