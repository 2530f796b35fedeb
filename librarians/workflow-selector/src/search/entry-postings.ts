import type { Workflow } from "../catalog/workflow.js";
import { inWords } from "./concepts.js";
import { termsOf } from "./query-terms.js";

/** Places of the entries that have a term, and how much it says for each of them, or against it. */
export interface Posting {
  readonly place: number;
  /** 0 to 1, by the field it is in and the length of the entry's text. */
  readonly support: number;
  /** 1 where the entry names it among what it is not for. */
  readonly against: number;
}

/** Entries by the terms of their texts. */
export interface EntryPostings {
  postingsOf(term: string): readonly Posting[];
  /** Inverse document frequency, as BM25 has it; 0 for a term that no entry has. */
  rarityOf(term: string): number;
}

/** How much a term says of an entry by the field it is in. */
const fieldWeights = { use: 1, name: 0.9, what: 0.8, preconditions: 0.4, signals: 0.9 } as const;
/** How far longer texts say less with each term: 0 not at all, 1 in proportion. */
const lengthShare = 0.5;

/** Builds the postings: in time in proportion to the text of the catalog. */
export function createPostings(workflows: readonly Workflow[]): EntryPostings {
  const read = workflows.map(readEntryTerms);
  const total = read.reduce((sum, { support }) => sum + support.size, 0);
  const average = Math.max(1, total / Math.max(1, read.length));
  const byTerm = new Map<string, Posting[]>();
  for (const [place, { support, against }] of read.entries()) {
    const norm = 1 / (1 - lengthShare + (lengthShare * support.size) / average);
    for (const term of new Set([...support.keys(), ...against])) {
      const list = byTerm.get(term) ?? [];
      byTerm.set(term, list);
      list.push({
        place,
        support: (support.get(term) ?? 0) * norm,
        against: against.has(term) ? 1 : 0,
      });
    }
  }
  const size = workflows.length;
  return {
    postingsOf: (term) => byTerm.get(term) ?? [],
    rarityOf(term) {
      const count = byTerm.get(term)?.length ?? 0;
      return count === 0 ? 0 : Math.log(1 + (size - count + 0.5) / (count + 0.5));
    },
  };
}

function readEntryTerms({
  id,
  name,
  actionType = "",
  description,
  incidentTypes,
  labels,
}: Workflow) {
  const support = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const term of termsOf(text)) support.set(term, Math.max(weight, support.get(term) ?? 0));
  };
  add(description.preconditions ?? "", fieldWeights.preconditions);
  add(description.what, fieldWeights.what);
  add([inWords(id), inWords(name), inWords(actionType)].join(" "), fieldWeights.name);
  add([...(incidentTypes ?? []), ...(labels.signal_type ?? [])].join(" "), fieldWeights.signals);
  add(description.whenToUse ?? "", fieldWeights.use);
  return { support, against: termsOf(description.whenNotToUse ?? "") };
}
