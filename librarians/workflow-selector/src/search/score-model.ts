import { readFileSync } from "node:fs";
import { z } from "zod";

/** What `npm run fit` writes: weights of the score, fitted on cases with catalogs left out whole. */
export interface ScoreModel {
  /** One for each of `featureNames`, in that order. */
  readonly weights: readonly number[];
  /** By what is known of an incident: added, so that at semantic 0.4 at most 5 % of unrelated pairs pass. */
  readonly bias: Readonly<Record<Knowledge, number>>;
  /** Probability that the best entry is the right one, by what is known of an incident. */
  readonly pick: Readonly<Record<Knowledge, PickWeights>>;
  /** Probability of a pick below which nothing is proposed: of incidents that nothing of a catalog fits, few reach it. */
  readonly minimum: Readonly<Record<Standing, number>>;
  /** Probability of a pick from which a person need not look at it, by where it counts. */
  readonly sure: { readonly production: number; readonly elsewhere: number };
  /** Share of unrelated texts that have a term, 0 to 1: "pod" says little. */
  readonly commonness: Readonly<Record<string, number>>;
  readonly remedies: RemedyModel;
}

/** What entries that mend a trouble are like. */
export interface RemedyModel {
  /** Mean vector of the texts of entries, a byte each, in 1/1,000, in base64. */
  readonly mean: string;
  /** By what a trouble means: the signs of the mean of its remedies, a bit each, in base64. */
  readonly signs: Readonly<Record<string, string>>;
}

/** What is known of an incident: that it was reported, observed, or observed with a trouble that `data/signals.json` has. */
export const knowledges = ["reported", "observed", "known"] as const;
export type Knowledge = (typeof knowledges)[number];

/** What a proposal would rest on: what was reported, also where a librarian looked and did not see it, or what was observed. */
const standings = ["reported", "unconfirmed", "observed", "known"] as const;
type Standing = (typeof standings)[number];

/** Weights of the probability of a pick. */
export interface PickWeights {
  readonly logit: number;
  readonly margin: number;
  readonly madeFor: number;
  readonly support: number;
  readonly bias: number;
}

/** An entry, as far as the probability of its pick depends on it. */
export interface Picked {
  readonly logit: number;
  /** 0 where it is made for the trouble, down to -1; undefined: the trouble is not known. */
  readonly madeFor: number | undefined;
  /** What was observed for it and against it, where anything was. */
  readonly comparison?: { readonly support: number | undefined } | undefined;
}

const pickSchema = z.object({
  logit: z.number(),
  margin: z.number(),
  madeFor: z.number(),
  support: z.number(),
  bias: z.number(),
});
const modelSchema = z.object({
  weights: z.array(z.number()),
  bias: z.record(z.enum(knowledges), z.number()),
  pick: z.object({ reported: pickSchema, observed: pickSchema, known: pickSchema }),
  minimum: z.record(z.enum(standings), z.number()),
  sure: z.object({ production: z.number(), elsewhere: z.number() }),
  commonness: z.record(z.string(), z.number().min(0).max(1)),
  remedies: z.object({ mean: z.string(), signs: z.record(z.string(), z.string()) }),
});
/** Logit of an entry that passes only just: an entry below it is not a rival. */
export const passLogit = Math.log(0.4 / 0.6);
/** Largest distance between the first and the second entry that counts. */
const maxMargin = 4;

/** Probability, 0 to 1, that an entry is the right one for an incident: none of a catalog may be. */
export function pickProbability(
  best: Picked,
  next: { readonly logit: number } | undefined,
  { logit, margin, madeFor, support, bias }: PickWeights,
): number {
  const sum =
    logit * best.logit +
    margin * marginOf(best, next) +
    madeFor * (best.madeFor ?? 0) +
    support * supportOf(best) +
    bias;
  return 1 / (1 + Math.exp(-sum));
}

/** Distance of the logit of an entry to that of the second, as far as it counts. */
export function marginOf(
  best: { readonly logit: number },
  next: { readonly logit: number } | undefined,
): number {
  const distance = best.logit - Math.max(passLogit, next?.logit ?? passLogit);
  return Math.max(-maxMargin, Math.min(maxMargin, distance));
}

/** How much of one clause of its use was observed, from -0.5 to 0.5: 0 where an entry says nothing of its use. */
export function supportOf({ comparison }: Pick<Picked, "comparison">): number {
  return (comparison?.support ?? 0.5) - 0.5;
}

let model: ScoreModel | undefined;

/** Read once, when the first catalog is searched. */
export function readScoreModel(): ScoreModel {
  model ??= modelSchema.parse(
    JSON.parse(readFileSync(new URL("../../data/score.json", import.meta.url), "utf8")),
  );
  return model;
}
