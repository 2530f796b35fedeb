import type { FeatureName } from "../src/calibration/features.js";
import { predictProbability } from "../src/calibration/logistic.js";
import type { Case } from "./cases.js";
import { type Example, fitLogistic } from "./fit-logistic.js";

/** For each case the chance by a model that was fitted on the learnt ones without the case's group. */
export function foretell<Name extends FeatureName>(
  learnable: readonly Case[],
  names: readonly Name[],
  is: (each: Case) => boolean,
  ridge: number,
  groupOf: (each: Case) => string,
  all: readonly Case[] = learnable,
): ReadonlyMap<Case, number> {
  const chances = new Map<Case, number>();
  const learnt = examples(learnable, is, groupOf);
  for (const group of new Set(learnt.map((each) => each.group))) {
    const model = fitLogistic(
      learnt.filter((each) => each.group !== group),
      names,
      ridge,
    );
    for (const each of all) {
      if (groupOf(each) === group) chances.set(each, predictProbability(model, each.features));
    }
  }
  return chances;
}

/** What a model learns from. */
export function examples(
  all: readonly Case[],
  is: (each: Case) => boolean,
  groupOf: (each: Case) => string,
): readonly Example<FeatureName>[] {
  return all.map((each) => ({ features: each.features, is: is(each), group: groupOf(each) }));
}
