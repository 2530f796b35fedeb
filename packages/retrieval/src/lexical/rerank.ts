import type { CollectionView } from "./collection.js";
import type { AnalyzedDocument } from "./documents.js";
import type { RerankOptions } from "./options.js";
import { type AnalyzedQuery, computeIdf } from "./query.js";
import { synonymWeight } from "./score.js";
import type { Candidate } from "./take-best.js";

/**
 * Number of best documents that are reranked. Fixed, so that a higher limit keeps the same first
 * hits.
 */
export const looked = 30;
/** Smoothing of title matches, in units of idf: a title of one common word proves little. */
const smoothing = 6;
/** Weight of a synonym in a title, relative to its weight in a field. */
const titleSynonymShare = 0.5;

/**
 * Reranks the best documents by further features: a title that the query names in full, a text long
 * enough to answer, other documents of
 * the same parent among the best. Each adds to the score in units of the highest.
 *
 * @param ranked - Best first.
 */
export function rerank<Each extends Candidate>(
  ranked: readonly Each[],
  query: AnalyzedQuery,
  view: CollectionView,
  parentOf: (slot: number) => number,
  titleField: number,
  options: Required<RerankOptions> & { readonly isWidened: boolean },
): readonly Each[] {
  const best = ranked.slice(0, looked);
  const top = best[0]?.score ?? 0;
  if (top <= 0) return ranked;
  const weights = new Map(query.terms.map(({ number, idf, weight }) => [number, idf * weight]));
  const all = [...weights.values()].reduce((sum, each) => sum + each, 0);
  if (options.isWidened) {
    for (const { synonyms, weight } of query.terms) {
      for (const { number, idf } of synonyms) {
        const before = weights.get(number) ?? 0;
        weights.set(number, Math.max(before, titleSynonymShare * synonymWeight * idf * weight));
      }
    }
  }
  const ofParent = new Map<number, number>();
  for (const { slot, score } of best) {
    const parent = parentOf(slot);
    ofParent.set(parent, (ofParent.get(parent) ?? 0) + score / top);
  }
  const rescored = best.map((each) => {
    const document = view.document(each.slot);
    const siblings = (ofParent.get(parentOf(each.slot)) ?? 0) - each.score / top;
    const title = document ? titleMatch(document, titleField, weights, all, view) : noTitle;
    const gain =
      options.titleWeight * title.named +
      options.wholeTitleWeight * title.whole +
      options.lengthWeight * Math.log(1 + new Set(document?.stream).size) +
      options.siblingWeight * Math.log(1 + Math.max(0, siblings));
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
}

const noTitle: TitleMatch = { named: 0, whole: 0 };

function titleMatch(
  document: AnalyzedDocument,
  field: number,
  weights: ReadonlyMap<number | undefined, number>,
  query: number,
  view: CollectionView,
): TitleMatch {
  if (field < 0) return noTitle;
  const from = field === 0 ? 0 : (document.ends[field - 1] ?? 0);
  const title = new Set<number>();
  for (let at = from; at < (document.ends[field] ?? 0); at++) {
    title.add(document.stream[at] ?? 0);
  }
  let all = 0;
  let named = 0;
  let asked = 0;
  for (const term of title) {
    const idf = computeIdf(view.statistics.size, view.statistics.frequency(term));
    all += idf;
    const weight = weights.get(term);
    if (weight === undefined) continue;
    named += idf;
    asked += weight;
  }
  const whole = all === 0 || query === 0 ? 0 : (named / all) * (asked / query);
  return { named: named / (all + smoothing), whole };
}
