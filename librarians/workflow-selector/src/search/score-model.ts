import { readFileSync } from "node:fs";
import { z } from "zod";
import { toPattern } from "./concepts.js";

/** What `npm run fit` writes: weights of the score, fitted on cases with catalogs left out whole. */
export interface ScoreModel {
  /** One for each of `featureNames`, in that order. */
  readonly weights: readonly number[];
  /** By what is known of an incident: added, so that at semantic 0.4 at most 5 % of unrelated pairs pass. */
  readonly bias: { readonly reported: number; readonly observed: number };
  /** Certainty of a pick from which a person need not look at it, by where it counts. */
  readonly sure: { readonly production: number; readonly elsewhere: number };
  /** Share of unrelated texts that have a term, 0 to 1: "pod" says little. */
  readonly commonness: Readonly<Record<string, number>>;
}

const modelSchema = z.object({
  weights: z.array(z.number()),
  bias: z.object({ reported: z.number(), observed: z.number() }),
  sure: z.object({ production: z.number(), elsewhere: z.number() }),
  commonness: z.record(z.string(), z.number().min(0).max(1)),
});
const causeSchema = z.object({ says: z.string(), means: z.string() });
const signalsSchema = z.record(
  z.string(),
  z.union([z.string(), z.object({ means: z.string(), causes: z.array(causeSchema) })]),
);

/** What a signal means, or what each of its causes does, where its messages tell them apart. */
interface SignalMeaning {
  readonly means: string;
  readonly causes: readonly { readonly form: RegExp; readonly means: string }[];
}

/** Logit of an entry that passes only just: an entry below it is no rival. */
export const passLogit = Math.log(0.4 / 0.6);

/** How sure the pick of an entry is: by its distance to the second, and by its own fit. */
export function certaintyOf(
  best: { readonly logit: number },
  next: { readonly logit: number } | undefined,
): number {
  return best.logit - Math.max(passLogit, next?.logit ?? passLogit) + best.logit / 2;
}

let model: ScoreModel | undefined;
let signals: ReadonlyMap<string, SignalMeaning> | undefined;

/** Read once, when the first catalog is searched. */
export function readScoreModel(): ScoreModel {
  model ??= modelSchema.parse(
    JSON.parse(readFileSync(new URL("../../data/score.json", import.meta.url), "utf8")),
  );
  return model;
}

/** What a signal of the k8s librarian means, in words; `means` has none for another signal. */
export interface Explained {
  /** What all causes of it have in common. */
  readonly means: readonly string[];
  /** Those that its messages show. */
  readonly causes: readonly string[];
}

/** Says what a signal means, and which of its causes the messages show. */
export function explainSignal(name: string, messages: readonly string[] = []): Explained {
  signals ??= readSignals();
  const meaning = signals.get(name.toLowerCase());
  if (meaning === undefined) return { means: [], causes: [] };
  const text = messages.join("\n");
  const causes = meaning.causes.flatMap(({ form, means }) => (form.test(text) ? [means] : []));
  return { means: [meaning.means], causes };
}

function readSignals(): ReadonlyMap<string, SignalMeaning> {
  const file = readFileSync(new URL("../../data/signals.json", import.meta.url), "utf8");
  const read = Object.entries(signalsSchema.parse(JSON.parse(file)));
  return new Map(
    read.map(([name, value]) => {
      const { means, causes } = typeof value === "string" ? { means: value, causes: [] } : value;
      const compiled = causes.map(({ says, means: own }) => ({
        form: toPattern(says.split(" | ")),
        means: own,
      }));
      return [name.toLowerCase(), { means, causes: compiled }];
    }),
  );
}
