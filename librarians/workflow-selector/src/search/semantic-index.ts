import type { Workflow } from "../catalog/workflow.js";
import { conditionShift, severityShift } from "./conditions.js";
import type { EntryPostings } from "./entry-postings.js";
import type { Permitted } from "./label-filter.js";
import type { CheckedQuery } from "./query.js";
import { isConcept, readQueryTerms, termSources, troublesOf } from "./query-terms.js";
import { createRemedyMatch, type MatchRemedies } from "./remedies.js";
import { readScoreModel } from "./score-model.js";

/** Says how well entries fit an incident. */
export interface SemanticIndex {
  /** Fit of those entries that share a word or a concept with the incident, by place in the list of workflows. */
  measureFit(query: CheckedQuery, permitted: Pick<Permitted, "has">): ReadonlyMap<number, Fit>;
  /** What the fit is computed from, by place: one number for each of `featureNames`, and what is added to the logit beside them. */
  features(query: CheckedQuery): ReadonlyMap<number, Features>;
}

/** How well an entry fits an incident. */
export interface Fit {
  /** 0 to 1; 0.4 is passed by at most 5 % of unrelated pairs. */
  readonly semantic: number;
  /** The same before it is bounded. */
  readonly logit: number;
  /** 0 where it is made for the trouble, less where it is more for another one; undefined: the trouble is not known. */
  readonly madeFor: number | undefined;
}

/** What the fit of an entry is computed from. `isKnown`: the trouble is. */
export interface Features {
  readonly values: readonly number[];
  readonly isKnown: boolean;
  /** By its conditions, its severity, and what it is not for. */
  readonly shift: number;
}

const kinds = ["words", "concepts"] as const;
/** For each source of terms: the share of its worth that an entry has, and the sum; then what of the entry the query has, also beside the best entry; then whether it works by the tool that manages the object; then its likeness with what mends the trouble, also beside the likest entry and beside that with what mends any known trouble. */
export const featureNames: readonly string[] = [
  ...termSources.flatMap((source) =>
    kinds.flatMap((kind) => [`${source} ${kind} share`, `${source} ${kind} sum`]),
  ),
  "share of the entry",
  "beside the best",
  "by what manages it",
  "like what mends it",
  "beside the likest",
  "made for the trouble",
];
const ownAt = featureNames.indexOf("share of the entry");
const bestAt = featureNames.indexOf("beside the best");
const managedAt = featureNames.indexOf("by what manages it");
const likeAt = featureNames.indexOf("like what mends it");
const likestAt = featureNames.indexOf("beside the likest");
/** Place of what {@link Fit} has as `madeFor`. */
export const madeForAt = featureNames.indexOf("made for the trouble");
/** Traits of an object that a tool manages, with the concept that entries have that work by that tool. */
const managers = [
  ["gitOpsManaged", "concept:gitops"],
  ["helmManaged", "concept:helm"],
] as const;
/** What a term that the entry names only among what it is not for takes from the logit of its fit. */
const againstWeight = 0.7;

/** Builds the index over a catalog: in time in proportion to its text. */
export function createSemanticIndex(
  workflows: readonly Workflow[],
  postings: EntryPostings,
  matchRemedies: MatchRemedies = createRemedyMatch(workflows),
): SemanticIndex {
  const measure = (query: CheckedQuery) => {
    const found = new Map<number, { readonly values: number[] }>();
    const terms = readQueryTerms(query);
    const own = new Map<number, Map<string, number>>();
    const against = new Map<number, number>();
    const open = (place: number) => {
      const known = found.get(place) ?? { values: featureNames.map(() => 0) };
      found.set(place, known);
      return known;
    };
    for (const [sourceAt, source] of termSources.entries()) {
      for (const [kindAt, kind] of kinds.entries()) {
        const mine = [...terms[source]].filter((term) => isConcept(term) === (kind === "concepts"));
        const total = mine.reduce((sum, term) => sum + postings.worth(term), 0);
        const at = sourceAt * 4 + kindAt * 2;
        for (const term of mine) {
          const worth = postings.worth(term);
          if (worth === 0) continue;
          for (const { place, support, isAgainst } of postings.postingsOf(term)) {
            const { values } = open(place);
            if (isAgainst) {
              against.set(place, (against.get(place) ?? 0) + worth);
              continue;
            }
            values[at] = (values[at] ?? 0) + (worth * support) / total;
            values[at + 1] = (values[at + 1] ?? 0) + worth * support;
            const mineOfPlace = own.get(place) ?? new Map<string, number>();
            own.set(place, mineOfPlace.set(term, worth * support));
          }
        }
      }
    }
    const metBy = new Map(
      [...own].map(([place, terms]) => [
        place,
        [...terms.values()].reduce((sum, one) => sum + one, 0),
      ]),
    );
    const best = Math.max(1e-9, ...metBy.values());
    const match = matchRemedies(troublesOf(query));
    let likest = -1;
    for (const [place, { values }] of found) {
      const met = metBy.get(place) ?? 0;
      values[bestAt] = met / best;
      values[ownAt] = met / Math.max(postings.ownWorth(place), 1e-9);
      if (match !== undefined) {
        const { likeness, madeFor } = match(place);
        values[likeAt] = likeness;
        values[madeForAt] = madeFor;
        likest = Math.max(likest, likeness);
      }
      for (let at = 1; at < ownAt; at += 2) values[at] = saturated(values[at] ?? 0);
    }
    if (match !== undefined)
      for (const { values } of found.values()) values[likestAt] = (values[likeAt] ?? 0) - likest;
    for (const [trait, concept] of managers) {
      const isManaged = query.observed?.traits?.[trait];
      if (isManaged === undefined) continue;
      for (const { place, isAgainst } of postings.postingsOf(concept)) {
        const values = found.get(place)?.values;
        if (values === undefined || isAgainst) continue;
        if (String(isManaged) === "true") values[managedAt] = 1;
        else if (values[managedAt] !== 1) values[managedAt] = -1;
      }
    }
    return { found, against, isKnown: match !== undefined };
  };
  const features = (query: CheckedQuery): ReadonlyMap<number, Features> => {
    const { found, against, isKnown } = measure(query);
    return new Map(
      [...found].flatMap(([place, { values }]) => {
        const workflow = workflows[place];
        if (workflow === undefined) return [];
        const shift =
          conditionShift(workflow, query) -
          againstWeight * (against.get(place) ?? 0) +
          severityShift(workflow, query);
        return [[place, { values, shift, isKnown }]];
      }),
    );
  };
  return {
    features,
    measureFit(query, permitted) {
      const { weights, bias } = readScoreModel();
      const isObserved = (query.observations ?? []).length > 0;
      return new Map(
        [...features(query)].flatMap(([place, { values, shift, isKnown }]) => {
          const start = bias[!isObserved ? "reported" : isKnown ? "known" : "observed"];
          if (!permitted.has(place) || values.every((value) => value <= 0)) return [];
          const logit =
            values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), start) + shift;
          const semantic = 1 / (1 + Math.exp(-logit));
          return [[place, { semantic, logit, madeFor: isKnown ? values[madeForAt] : undefined }]];
        }),
      );
    },
  };
}

/** A sum without an end as a number below 1. */
function saturated(sum: number): number {
  return sum / (sum + 1);
}
