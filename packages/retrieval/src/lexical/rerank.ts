import type { CollectionView } from "./collection.js";
import type { AnalyzedDocument } from "./documents.js";
import { type AnalyzedQuery, computeIdf } from "./query.js";
import { synonymWeight } from "./score.js";
import type { Candidate } from "./take-best.js";

/**
 * Number of best documents that are reranked. Fixed, so that a higher limit keeps the same first
 * hits.
 */
export const looked = 30;
/**
 * What each feature adds, as a share of the best score: a title that the query names in full, one that equals the query
 * in any order of words, one that a sentence of {@link sentenceEnd} different words names in full, a text with e times as
 * many different words, and a parent with e times the score among the best.
 */
const gains = { title: 0.2, wholeTitle: 0.3, sentence: 0.5, length: 0.05, siblings: 0.05 };
/** Smoothing of title matches, in units of idf: a title of one common word proves little. */
const smoothing = 6;
/** Number of different words of a query from which on it is more and more a sentence, and where it is wholly one. */
const sentenceBegin = 7;
const sentenceEnd = 13;
/** Worth of a title that a sentence names word for word, by its rarity, beside the share of its words that occur. */
const inOrderWeight = 0.05;
/** Rarity of a title from which on it counts no more. */
const maxTitleIdf = 20;
/** Weight of a synonym in a title, relative to its weight in a field. */
const titleSynonymShare = 0.5;

/**
 * Reranks the best documents by further features: a title that the query names in full, a text long
 * enough to answer, other documents of the same parent among the best. A sentence names its subject in passing, so that
 * a title counts more there, and most where it stands in it word for word. Each adds to the score in units of the highest.
 *
 * @param ranked - Best first.
 */
export function rerank<Each extends Candidate>(
  ranked: readonly Each[],
  query: AnalyzedQuery,
  view: CollectionView,
  parentOf: (slot: number) => number,
  { titleField, isWidened }: { readonly titleField: number; readonly isWidened: boolean },
): readonly Each[] {
  const best = ranked.slice(0, looked);
  const top = best[0]?.score ?? 0;
  if (top <= 0) return ranked;
  const weights = new Map(query.terms.map(({ number, idf, weight }) => [number, idf * weight]));
  const all = [...weights.values()].reduce((sum, each) => sum + each, 0);
  if (isWidened) {
    for (const { synonyms, weight } of query.terms) {
      for (const { number, idf } of synonyms) {
        const before = weights.get(number) ?? 0;
        weights.set(number, Math.max(before, titleSynonymShare * synonymWeight * idf * weight));
      }
    }
  }
  const length = sentenceEnd - sentenceBegin;
  const sentence = Math.min(1, Math.max(0, query.terms.length - sentenceBegin) / length);
  const ofParent = new Map<number, number>();
  for (const { slot, score } of best) {
    const parent = parentOf(slot);
    ofParent.set(parent, (ofParent.get(parent) ?? 0) + score / top);
  }
  const rescored = best.map((each) => {
    const document = view.document(each.slot);
    const siblings = (ofParent.get(parentOf(each.slot)) ?? 0) - each.score / top;
    const title = document ? titleMatch(document, titleField, query, weights, all, view) : noTitle;
    const gain =
      gains.title * title.named +
      gains.wholeTitle * title.whole +
      gains.sentence * sentence * title.inSentence +
      gains.length * Math.log(1 + new Set(document?.stream).size) +
      gains.siblings * Math.log(1 + Math.max(0, siblings));
    return { ...each, score: each.score + top * gain };
  });
  return [
    ...rescored.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
    ...ranked.slice(looked),
  ];
}

interface TitleMatch {
  /** Share of the title, by rarity, that the query names; the wholes of identifiers count beside their words. */
  readonly named: number;
  /** The same without smoothing, times the share of the query that the title names: 1 where they are the same. */
  readonly whole: number;
  /** Share of the title's different words that the query has, and more where it has all of them in their order. */
  readonly inSentence: number;
}

const noTitle: TitleMatch = { named: 0, whole: 0, inSentence: 0 };

function titleMatch(
  document: AnalyzedDocument,
  field: number,
  query: AnalyzedQuery,
  weights: ReadonlyMap<number | undefined, number>,
  allWeights: number,
  view: CollectionView,
): TitleMatch {
  const from = field === 0 ? 0 : (document.ends[field - 1] ?? 0);
  const words = document.stream.subarray(from, document.ends[field]);
  const title = new Set(words);
  let all = 0;
  let named = 0;
  let asked = 0;
  let count = 0;
  for (const term of title) {
    const idf = computeIdf(view.statistics.size, view.statistics.frequency(term));
    all += idf;
    const weight = weights.get(term);
    if (weight === undefined) continue;
    named += idf;
    asked += weight;
    count++;
  }
  const whole = all === 0 || allWeights === 0 ? 0 : (named / all) * (asked / allWeights);
  const inOrder = hasInOrder(query.sequence, words)
    ? inOrderWeight * Math.min(all, maxTitleIdf)
    : 0;
  const inSentence = title.size === 0 ? 0 : count / title.size + inOrder;
  return { named: named / (all + smoothing), whole, inSentence };
}

/** Whether some numbers stand among others, one after the other. */
function hasInOrder(all: readonly (number | undefined)[], some: Uint32Array): boolean {
  if (some.length === 0) return false;
  return all.some((_, at) => some.every((each, offset) => all[at + offset] === each));
}
