import type { CollectionView } from "./collection.js";
import { type AnalyzedDocument, termMask } from "./documents.js";
import type { RerankOptions } from "./options.js";
import { type AnalyzedQuery, idfOf } from "./query.js";

/** A document and its score so far. */
export interface Ranked {
  readonly slot: number;
  readonly id: string;
  readonly score: number;
}

/** How many of the best are looked at once more. Fixed, so that a search for more keeps its beginning. */
const looked = 30;
/** Weight, in units of idf, of words a title might also have had: a title of one common word proves little. */
const smoothing = 6;

/**
 * Puts the best documents in a better order by what they are, not only by the words they share with
 * the query: a title that the query names in full, a text long enough to answer, other documents of
 * the same parent among the best. Each adds to the score in units of the highest.
 *
 * @param ranked - Best first.
 */
export function rerank<Each extends Ranked>(
  ranked: readonly Each[],
  query: AnalyzedQuery,
  view: CollectionView,
  parentOf: (slot: number) => number,
  titleField: number,
  options: Required<RerankOptions>,
): readonly Each[] {
  const best = ranked.slice(0, looked);
  const top = best[0]?.score ?? 0;
  if (top <= 0) return ranked;
  const numbers = new Set(query.terms.map(({ number }) => number));
  const ofParent = new Map<number, number>();
  for (const { slot, score } of best) {
    const parent = parentOf(slot);
    ofParent.set(parent, (ofParent.get(parent) ?? 0) + score / top);
  }
  const again = best.map((each) => {
    const document = view.document(each.slot);
    const siblings = (ofParent.get(parentOf(each.slot)) ?? 0) - each.score / top;
    const gain =
      options.titleWeight * (document ? titleMatch(document, titleField, numbers, view) : 0) +
      options.lengthWeight * Math.log(1 + (document ? distinctTerms(document) : 0)) +
      options.siblingWeight * Math.log(1 + Math.max(0, siblings));
    return { ...each, score: each.score + top * gain };
  });
  return [
    ...again.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
    ...ranked.slice(looked),
  ];
}

/** Share of the title, by rarity, that the query names; the wholes of identifiers count beside their words. */
function titleMatch(
  document: AnalyzedDocument,
  field: number,
  numbers: ReadonlySet<number | undefined>,
  view: CollectionView,
): number {
  if (field < 0) return 0;
  const from = field === 0 ? 0 : (document.ends[field - 1] ?? 0);
  const title = new Set<number>();
  for (let at = from; at < (document.ends[field] ?? 0); at++) {
    title.add((document.stream[at] ?? 0) & termMask);
  }
  let all = smoothing;
  let named = 0;
  for (const term of title) {
    const idf = idfOf(view.statistics.size, view.statistics.frequency(term));
    all += idf;
    if (numbers.has(term)) named += idf;
  }
  return named / all;
}

function distinctTerms({ stream }: AnalyzedDocument): number {
  const seen = new Set<number>();
  for (const entry of stream) seen.add(entry & termMask);
  return seen.size;
}
