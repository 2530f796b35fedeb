import { type FitOptions, fitLinearModel } from "../model/fit-linear-model.js";
import { toIntentFeatures, toVectorFeatures } from "./intent-features.js";
import { createIntentReader, type IntentModelData, type IntentReading } from "./intent-model.js";

/** A labelled question. */
export interface IntentExample {
  /** The question with `<kind>` in place of names, as `Reading.masked` has it. */
  readonly masked: string;
  readonly intent: string;
  /** Other intents that are right as well. */
  readonly also?: readonly string[] | undefined;
  readonly hints?: readonly string[] | undefined;
  readonly vector?: ArrayLike<number> | undefined;
  /** How much it counts. @default 1 */
  readonly weight?: number | undefined;
  /** Where it comes from: folds leave out a whole source. */
  readonly source: string;
}

/** Options for {@link fitIntents}. */
export interface IntentFitOptions extends FitOptions {
  /** Id of the embedder that made the vectors. Without it, vectors are left out. */
  readonly vectorModel?: string | undefined;
}

/** Fits a model of intents to labelled questions. The same questions give the same model. */
export function fitIntents(
  examples: readonly IntentExample[],
  options: IntentFitOptions = {},
): IntentModelData {
  const { vectorModel, ...fit } = options;
  const words = fitLinearModel(
    examples.map(({ masked, hints = [], intent, weight = 1 }) => ({
      features: toIntentFeatures(masked, hints),
      label: intent,
      weight,
    })),
    fit,
  );
  if (vectorModel === undefined) return { words };
  const vectors = fitLinearModel(
    examples.flatMap(({ vector, intent }) =>
      vector === undefined ? [] : [{ features: toVectorFeatures(vector), label: intent }],
    ),
    fit,
  );
  return { words, vectors: { ...vectors, model: vectorModel } };
}

/** How a model of the other sources reads the questions of one. */
export interface FoldScore {
  readonly source: string;
  readonly questions: number;
  readonly right: number;
  /** Questions whose intent is likely, and how many of these are right. */
  readonly likely: number;
  readonly likelyRight: number;
  readonly certain: number;
  readonly certainRight: number;
  /** How often each wrong intent was read instead of the right one: `list > count`. */
  readonly confusions: ReadonlyMap<string, number>;
}

/** Reads each source with a model that was fitted to all the others. */
export function scoreFolds(
  examples: readonly IntentExample[],
  options: IntentFitOptions = {},
): readonly FoldScore[] {
  const { vectorModel } = options;
  return [...new Set(examples.map(({ source }) => source))].map((source) => {
    const reader = createIntentReader(
      fitIntents(
        examples.filter((one) => one.source !== source),
        options,
      ),
    );
    const own = examples.filter((one) => one.source === source);
    const read = own.map((one) => ({
      one,
      reading: reader.read(
        one.masked,
        one.hints,
        vectorModel === undefined || one.vector === undefined
          ? undefined
          : { model: vectorModel, values: one.vector },
      ),
    }));
    return scoreSource(source, read);
  });
}

function scoreSource(
  source: string,
  read: readonly { readonly one: IntentExample; readonly reading: IntentReading }[],
): FoldScore {
  const isRight = ({ one, reading }: (typeof read)[number]) =>
    reading.intent === one.intent || one.also?.includes(reading.intent) === true;
  const likely = read.filter(({ reading }) => reading.certainty !== "unsure");
  const certain = read.filter(({ reading }) => reading.certainty === "certain");
  const confusions = new Map<string, number>();
  for (const each of read) {
    if (isRight(each)) continue;
    const name = `${each.one.intent} > ${each.reading.intent}`;
    confusions.set(name, (confusions.get(name) ?? 0) + 1);
  }
  return {
    source,
    questions: read.length,
    right: read.filter(isRight).length,
    likely: likely.length,
    likelyRight: likely.filter(isRight).length,
    certain: certain.length,
    certainRight: certain.filter(isRight).length,
    confusions,
  };
}
