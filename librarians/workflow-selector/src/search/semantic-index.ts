import type { Workflow } from "../catalog/workflow.js";
import type { EntryPostings } from "./entry-postings.js";
import { conditionFactor, severityFactor } from "./fit.js";
import { isBrokenInGit, preferReverts } from "./git-managed.js";
import type { Permitted } from "./label-filter.js";
import type { CheckedQuery } from "./query.js";
import { isConcept, weighTerms } from "./query-terms.js";

/** Says how well entries fit an incident. */
export interface SemanticIndex {
  /**
   * Fit of those entries that share a word or a concept with the incident, 0 to 1, by place in the list of workflows: how
   * much of the incident's words they have, the rarer ones counting more, beside the best of them.
   */
  fitOf(query: CheckedQuery, permitted: Pick<Permitted, "has">): ReadonlyMap<number, Fit>;
}

/** How well an entry fits an incident. */
export interface Fit {
  /** 0 to 1. */
  readonly semantic: number;
  /** Number of words, the commonest aside, that it shares with the signal's name and the observations. */
  readonly sharedWords?: number | undefined;
}

/** What a term counts against an entry that names it among what it is not for. */
const againstWeight = 0.5;
/** Share of the fit that an entry has beside the best one; the rest is its share of the incident's words. */
const relativeShare = 0.8;

/**
 * Share of what the signal's name and the observations say that an entry must have: the alert's text alone is mostly the
 * same in every alert.
 */
const minCoreShare = 0.4;
/** Number of such words that are enough where much else was said. */
const minCoreWords = 2;
/** Inverse document frequency from which a word counts as shared. */
const minRarity = 0.9;
/** What remains of the fit below that share. */
const thinFactor = 0.4;

const noPlaces: ReadonlySet<number> = new Set();

/** Builds the index over a catalog: in time in proportion to its text. */
export function createSemanticIndex(
  workflows: readonly Workflow[],
  postings: EntryPostings,
): SemanticIndex {
  return {
    fitOf(query, permitted) {
      const support = new Map<number, number>();
      const against = new Map<number, number>();
      const core = new Map<number, number>();
      const words = new Map<number, number>();
      let known = 0;
      let knownCore = 0;
      const add = (sums: Map<number, number>, place: number, more: number) =>
        sums.set(place, (sums.get(place) ?? 0) + more);
      for (const [term, { weight, isCore }] of weighTerms(query)) {
        const worth = weight * postings.rarityOf(term);
        if (worth === 0) continue;
        known += worth;
        if (isCore) knownCore += worth;
        for (const { place, ...own } of postings.postingsOf(term)) {
          if (!permitted.has(place)) continue;
          add(support, place, worth * own.support);
          add(against, place, worth * own.against);
          if (!isCore || own.support === 0) continue;
          add(core, place, worth * Math.min(1, own.support));
          if (!isConcept(term) && postings.rarityOf(term) >= minRarity) add(words, place, 1);
        }
      }
      const evidence = new Map<number, number>();
      for (const [place, sum] of support) {
        const workflow = workflows[place];
        if (workflow === undefined) continue;
        const plain = sum - againstWeight * (against.get(place) ?? 0);
        const fit = conditionFactor(workflow, query) * severityFactor(workflow, query);
        if (plain * fit > 0) evidence.set(place, plain * fit);
      }
      const lifted = isBrokenInGit(query) ? preferReverts(evidence, workflows) : noPlaces;
      const best = Math.max(0, ...evidence.values());
      return new Map(
        [...evidence].map(([place, own]) => {
          const share = Math.min(1, own / Math.max(known, 1e-9));
          const sharedWords = words.get(place) ?? 0;
          const hasCore = (core.get(place) ?? 0) >= minCoreShare * knownCore;
          const isThin = !hasCore && sharedWords < minCoreWords && !lifted.has(place);
          const fit = relativeShare * (own / best) ** 3 + (1 - relativeShare) * share;
          const semantic = isThin ? fit * thinFactor : fit;
          return [place, { semantic, sharedWords }];
        }),
      );
    },
  };
}
