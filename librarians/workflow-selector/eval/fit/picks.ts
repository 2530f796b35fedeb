import {
  type Knowledge,
  knowledges,
  marginOf,
  type Picked,
  type PickWeights,
  pickProbability,
  type ScoreModel,
  supportOf,
} from "../../src/search/score-model.js";
import { madeForAt } from "../../src/search/semantic-index.js";
import { dot, rounded, sigmoid, solve } from "./numbers.js";
import { groupByIncident, names, type Pair } from "./pairs.js";

/** Share of all picks that may be wrong and not be shown to a person. */
const maxWrong = { production: 0.01, elsewhere: 0.02 };
/**
 * Probability of a pick below which nothing is proposed, by what the proposal would rest on. The fit prints which share of the
 * incidents that nothing of a catalog fits reaches it.
 */
export const minimum = {
  reported: 0.25,
  unconfirmed: 0.66,
  observed: 0.02,
  known: 0.45,
};

/** A pair with its score by the weights of the other catalogs. */
export type ScoredPair = Pair & { readonly z: number };
/** What is added to a score, by what is known of an incident. */
export type Bias = ScoreModel["bias"];

/** The best entry of an incident, and whether it is the right one. */
export interface Pick {
  readonly catalog: string;
  readonly knowledge: Knowledge;
  readonly best: Picked;
  readonly next: { readonly logit: number } | undefined;
  readonly isRight: boolean;
  /** The right entries of the incident were taken out of the catalog. */
  readonly isCut: boolean;
}

/** A pick with its probability by the weights of the other catalogs. */
type JudgedPick = Pick & { readonly probability: number };

/**
 * The first entry of each incident, of the catalogs left out: with all entries, and with the right ones taken out, when nothing
 * of the catalog fits.
 */
export function makePicks(left: readonly ScoredPair[], bias: Bias, start: number): readonly Pick[] {
  return groupByIncident(left.filter(({ isOwn }) => isOwn)).flatMap((group) => {
    const ranked = group
      .map((one) => {
        return {
          ...one,
          logit: one.z + bias[one.knowledge] - start + one.shift,
          madeFor: one.isKnown ? one.values[madeForAt] : undefined,
        };
      })
      .toSorted((a, b) => b.logit - a.logit);
    const toPick = (of: typeof ranked, isCut: boolean): readonly Pick[] => {
      const [best, next] = of;
      if (best === undefined) return [];
      const { catalog, knowledge, belongs } = best;
      return [{ catalog, knowledge, best, next, isRight: belongs, isCut }];
    };
    const others = ranked.filter(({ belongs }) => !belongs);
    return [
      ...toPick(ranked, false),
      ...(others.length < ranked.length ? toPick(others, true) : []),
    ];
  });
}

/** Steps of Newton's method, and what keeps them small where a weight has no influence. */
const steps = 25;
const damping = 1e-3;

/** Logistic regression of whether the first entry is the right one. What speaks for an entry never speaks against it. */
export function fitPick(knowledge: Knowledge, of: readonly Pick[]): PickWeights {
  const rows = of
    .filter((one) => one.knowledge === knowledge)
    .map(({ best, next, isRight }) => ({
      x: [best.logit, marginOf(best, next), best.madeFor ?? 0, supportOf(best), 1],
      y: isRight ? 1 : 0,
    }));
  let weights = minimise(rows);
  const isLeftOut = weights.map((one, at) => one < 0 && at < weights.length - 1);
  if (isLeftOut.includes(true))
    weights = minimise(
      rows.map(({ x, y }) => ({ x: x.map((one, at) => (isLeftOut[at] ? 0 : one)), y })),
    );
  const [logit = 0, margin = 0, madeFor = 0, support = 0, start = 0] = weights.map(rounded);
  return { logit, margin, madeFor, support, bias: start };
}

function minimise(
  rows: readonly { readonly x: readonly number[]; readonly y: number }[],
): readonly number[] {
  let weights = [0, 0, 0, 0, 0];
  for (let step = 0; step < steps; step++) {
    const gradient = weights.map((one) => damping * one);
    const curvature = weights.map((_, at) =>
      weights.map((__, to): number => (at === to ? damping : 0)),
    );
    for (const { x, y } of rows) {
      const probability = sigmoid(dot(weights, x));
      for (const [at, value] of x.entries()) {
        gradient[at] = (gradient[at] ?? 0) + (probability - y) * value;
        const row = curvature[at] ?? [];
        for (const [to, other] of x.entries())
          row[to] = (row[to] ?? 0) + probability * (1 - probability) * value * other;
      }
    }
    const change = solve(curvature, gradient);
    weights = weights.map((one, at) => one - (change[at] ?? 0));
  }
  return weights;
}

/** The picks with their probability by the weights of the other catalogs, the highest first. */
export function judgePicksLeftOut(picks: readonly Pick[]): readonly JudgedPick[] {
  return names
    .flatMap((name) => {
      const others = picks.filter(({ catalog }) => catalog !== name);
      return knowledges.flatMap((knowledge) => {
        const weights = fitPick(knowledge, others);
        return picks
          .filter((one) => one.catalog === name && one.knowledge === knowledge)
          .map((one) => ({ ...one, probability: pickProbability(one.best, one.next, weights) }));
      });
    })
    .toSorted((a, b) => b.probability - a.probability);
}

/** Prints how many picks reach a probability. */
export function printPicks(seen: readonly JudgedPick[], knowledge: Knowledge): void {
  const own = seen.filter((one) => one.knowledge === knowledge);
  const cut = own.filter(({ isCut, isRight }) => isCut && !isRight);
  const whole = own.filter(({ isCut }) => !isCut);
  for (const least of [0.02, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.66, 0.7, 0.8]) {
    const passed = own.filter(({ probability }) => probability >= least);
    console.log(knowledge, least, {
      right: `${passed.filter(({ isRight }) => isRight).length} of ${whole.length}`,
      wrong: passed.filter(({ isRight, isCut }) => !isRight && !isCut).length,
      "right ones taken out": `${passed.filter(({ isCut }) => isCut).length} of ${cut.length}`,
    });
  }
}

/** Probability from which at most these shares of the picks on what was observed are wrong. */
export function findSure(seen: readonly JudgedPick[]) {
  const whole = seen.filter(({ isCut, knowledge }) => !isCut && knowledge !== "reported");
  const limitFor = (share: number) => {
    let wrong = 0;
    const at = whole.findIndex((one) => !one.isRight && ++wrong > share * whole.length);
    const kept = whole.slice(0, at === -1 ? whole.length : at);
    const right = kept.filter(({ isRight }) => isRight).length;
    console.log("sure", { share, right, wrong: kept.length - right, picks: whole.length });
    return rounded((kept.at(-1)?.probability ?? 0) - 1e-4);
  };
  return { production: limitFor(maxWrong.production), elsewhere: limitFor(maxWrong.elsewhere) };
}
