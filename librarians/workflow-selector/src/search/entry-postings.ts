import type { Workflow } from "../catalog/workflow.js";
import { inWords, symptomConcepts } from "./concepts.js";
import { readDescriptionParts } from "./description-parts.js";
import { readTerms } from "./query-terms.js";
import { readScoreModel } from "./score-model.js";

/** Places of the entries that have a term, and how much it says for each of them, or against it. */
export interface Posting {
  readonly place: number;
  /** 0 to 1, by the field it is in. */
  readonly support: number;
  /** Whether the entry names it only among what it is not for. */
  readonly isAgainst: boolean;
}

/** Entries by the terms of their texts. */
export interface EntryPostings {
  postingsOf(term: string): readonly Posting[];
  /** 0 to 1: how much a term tells entries apart, in this catalog and in the texts that the score was fitted on. A term of no entry counts too. */
  worth(term: string): number;
  /** Sum of the worth of the terms of an entry's name and of what it does. */
  ownWorth(place: number): number;
}

/** How much a term says of an entry by the field it is in. */
const fieldWeights = { use: 1, name: 1, what: 1, preconditions: 0.4, signals: 1 } as const;

/** Builds the postings: in time in proportion to the text of the catalog. */
export function createPostings(workflows: readonly Workflow[]): EntryPostings {
  const read = workflows.map(readEntryTerms);
  const byTerm = new Map<string, Posting[]>();
  for (const [place, { support, against }] of read.entries()) {
    for (const term of new Set([...support.keys(), ...against])) {
      const list = byTerm.get(term) ?? [];
      byTerm.set(term, list);
      const own = support.get(term) ?? 0;
      list.push({ place, support: own, isAgainst: own === 0 });
    }
  }
  const { commonness } = readScoreModel();
  const symptoms = new Set([...symptomConcepts()].map((name) => `concept:${name}`));
  const size = workflows.length;
  const known = new Map<string, number>();
  const worth = (term: string): number => {
    const found = known.get(term);
    if (found !== undefined) return found;
    const count = byTerm.get(term)?.length ?? 0;
    const here = Math.log(1 + (size - count + 0.5) / (count + 0.5)) / Math.log(2 * size + 2);
    const share = minShare + (1 - minShare) * Math.max(0, Math.min(1, here));
    const kept = symptoms.has(term) ? symptomShare : 1;
    const value = kept * share * (1 - (commonness[term] ?? 0));
    if (known.size < maxKnown) known.set(term, value);
    return value;
  };
  return {
    postingsOf: (term) => byTerm.get(term) ?? [],
    worth,
    ownWorth: (place) =>
      [...(read[place]?.support ?? [])].reduce((sum, [term, own]) => sum + own * worth(term), 0),
  };
}

/** What a term that every entry has keeps of its worth: a catalog may be about one trouble. */
const minShare = 0.4;
/** What a concept that many troubles show keeps of its worth. */
const symptomShare = 0.5;
/** Maximum number of terms whose worth is kept. */
const maxKnown = 100_000;

function readEntryTerms(workflow: Workflow) {
  const { id, name, actionType = "", incidentTypes, labels } = workflow;
  const { what, whenToUse, whenNotToUse, preconditions } = readDescriptionParts(workflow);
  const support = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const term of readTerms(text)) support.set(term, Math.max(weight, support.get(term) ?? 0));
  };
  add(preconditions, fieldWeights.preconditions);
  add(what, fieldWeights.what);
  add([inWords(id), inWords(name), inWords(actionType)].join(" "), fieldWeights.name);
  add([...(incidentTypes ?? []), ...(labels.signal_type ?? [])].join(" "), fieldWeights.signals);
  add(whenToUse, fieldWeights.use);
  return { support, against: readTerms(whenNotToUse) };
}
