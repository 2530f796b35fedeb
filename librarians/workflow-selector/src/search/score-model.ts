import { readFileSync } from "node:fs";
import { z } from "zod";

/** What `npm run fit` writes: weights of the score, fitted on cases with catalogs left out whole. */
export interface ScoreModel {
  /** One for each of `featureNames`, in that order. */
  readonly weights: readonly number[];
  /** By what is known of an incident: added, so that at semantic 0.4 at most 5 % of unrelated pairs pass. */
  readonly bias: { readonly reported: number; readonly observed: number };
  /** Distance of the logit of the best entry to the second, and its own, from which a person need not look at the pick. */
  readonly sure: { readonly margin: number; readonly logit: number };
  /** Share of unrelated texts that have a term, 0 to 1: "pod" says little. */
  readonly commonness: Readonly<Record<string, number>>;
}

const modelSchema = z.object({
  weights: z.array(z.number()),
  bias: z.object({ reported: z.number(), observed: z.number() }),
  sure: z.object({ margin: z.number(), logit: z.number() }),
  commonness: z.record(z.string(), z.number().min(0).max(1)),
});
const signalsSchema = z.record(z.string(), z.string());

let model: ScoreModel | undefined;
let signals: ReadonlyMap<string, string> | undefined;

/** Read once, when the first catalog is searched. */
export function readScoreModel(): ScoreModel {
  model ??= modelSchema.parse(
    JSON.parse(readFileSync(new URL("../../data/score.json", import.meta.url), "utf8")),
  );
  return model;
}

/** What a signal of the k8s librarian means, in words; undefined for another one. */
export function explainSignal(name: string): string | undefined {
  signals ??= new Map(
    Object.entries(
      signalsSchema.parse(
        JSON.parse(readFileSync(new URL("../../data/signals.json", import.meta.url), "utf8")),
      ),
    ).map(([key, text]) => [key.toLowerCase(), text]),
  );
  return signals.get(name.toLowerCase());
}
