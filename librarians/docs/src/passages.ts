import type { RankedSection, SectionIndex } from "./section-index.js";
import { wordsOf } from "./words.js";

/** The best sections for a query, and how well they cover it. */
export interface Passages {
  /** One to three, best first; none when no page has a word of the query. */
  readonly ranked: readonly RankedSection[];
  /**
   * Share of the query's words that the sections have, 0 to 1, each word counted by how much it
   * tells: the mean of what the best section has and what all of them have.
   */
  readonly coverage: number;
}

const mostWords = 256;
const mostSections = 3;

/** Finds the best sections for a query. Of a very long one the first 256 different words count. */
export function findPassages(query: string, index: SectionIndex): Passages {
  const words = [...new Set(wordsOf(query))].slice(0, mostWords);
  const ranked = choose(index.search(words), index);
  const [best] = ranked;
  if (best === undefined) return { ranked, coverage: 0 };

  const weigh = (some: Iterable<string>) => sum(some, index.weightOf);
  const all = weigh(words);
  const covered = new Set(ranked.flatMap((each) => [...each.words]));
  return { ranked, coverage: (weigh(best.words) + weigh(covered)) / 2 / all };
}

/** The best section, then those nearly as good, and those that have words it lacks. */
function choose(found: readonly RankedSection[], index: SectionIndex): readonly RankedSection[] {
  const [best] = found;
  if (best === undefined) return [];
  const chosen = [best];
  const covered = new Set(best.words);
  const needed = sum(best.words, index.weightOf) / 3;
  for (const next of found.slice(1, 20)) {
    if (chosen.length === mostSections) break;
    const adds = sum(
      [...next.words].filter((word) => !covered.has(word)),
      index.weightOf,
    );
    const isNearlyAsGood = next.score >= best.score * 0.5;
    const isNews = next.score >= best.score * 0.3 && adds >= needed;
    if (!isNearlyAsGood && !isNews) continue;
    chosen.push(next);
    for (const word of next.words) covered.add(word);
  }
  return chosen;
}

function sum(words: Iterable<string>, weightOf: (word: string) => number): number {
  let total = 0;
  for (const word of words) total += weightOf(word);
  return total;
}
