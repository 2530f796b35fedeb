import type { CollectionView } from "./collection.js";
import { termMask } from "./documents.js";
import type { LexicalHit } from "./hit.js";
import type { AnalyzedQuery } from "./query.js";
import type { Scorer } from "./score.js";
import type { Candidate } from "./take-best.js";

/** Describes a found document: its matched terms and the score of each field. */
export function describeHit(
  candidate: Candidate & { readonly proximity: number; readonly lexical: number },
  query: AnalyzedQuery,
  view: CollectionView,
  scorer: Scorer,
  names: readonly string[],
  k1: number,
  bound: number,
): LexicalHit {
  const { slot, id, own, parent, proximity, score, lexical } = candidate;
  const document = view.document(slot);
  const counts = countTerms(
    query,
    document?.stream ?? new Uint32Array(),
    document?.ends ?? new Uint32Array(),
  );
  const fields = new Array<number>(names.length).fill(0);
  const terms: string[] = [];
  const related: string[] = [];
  const present = document === undefined ? new Set<number>() : synonymsIn(query, document.stream);
  let covered = 0;
  let all = 0;
  query.terms.forEach((term, place) => {
    all += term.idf;
    const worths = names.map((_, field) =>
      scorer.worth(slot, field, counts[place * names.length + field] ?? 0),
    );
    const worth = worths.reduce((sum, each) => sum + each, 0);
    if (worth === 0) {
      if (term.synonyms.some(({ number }) => present.has(number))) related.push(term.text);
      return;
    }
    terms.push(term.text);
    covered += term.idf;
    const gain = (term.idf * term.weight * (k1 + 1)) / (k1 + worth);
    worths.forEach((each, field) => {
      fields[field] = (fields[field] ?? 0) + gain * each;
    });
  });
  return {
    id,
    parent: document?.parent,
    score,
    share: bound === 0 ? 0 : Math.min(1, lexical / bound),
    coverage: all === 0 ? 0 : covered / all,
    terms,
    related,
    fields: Object.fromEntries(names.map((name, field) => [name, fields[field] ?? 0])),
    parts: { own, parent, proximity },
  };
}

/** Numbers of the synonyms of a query that a document has. */
function synonymsIn({ terms }: AnalyzedQuery, stream: Uint32Array): ReadonlySet<number> {
  const sought = new Set(terms.flatMap(({ synonyms }) => synonyms.map(({ number }) => number)));
  const found = new Set<number>();
  if (sought.size === 0) return found;
  for (const entry of stream) if (sought.has(entry & termMask)) found.add(entry & termMask);
  return found;
}

function countTerms(
  query: AnalyzedQuery,
  stream: Uint32Array,
  ends: Uint32Array,
): readonly number[] {
  const places = new Map<number, number>();
  query.terms.forEach(({ number }, place) => {
    if (number !== undefined) places.set(number, place);
  });
  const counts = new Array<number>(query.terms.length * ends.length).fill(0);
  let field = 0;
  for (let at = 0; at < stream.length; at++) {
    while (at >= (ends[field] ?? stream.length)) field++;
    const place = places.get((stream[at] ?? 0) & termMask);
    if (place === undefined) continue;
    const key = place * ends.length + field;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
