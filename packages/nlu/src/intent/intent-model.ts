import {
  createLinearModel,
  type LinearModelData,
  type Prediction,
  toPredictions,
} from "../model/linear-model.js";
import { toIntentFeatures, toVectorFeatures } from "./intent-features.js";

/** What {@link fitIntents} makes of labelled questions. */
export interface IntentModelData {
  /** Over words, characters and hints. */
  readonly words: LinearModelData;
  /** Over the vectors of an embedder. */
  readonly vectors?: (LinearModelData & { readonly model: string }) | undefined;
}

/** The vector of a question. */
export interface QuestionVector {
  /** Id of the embedder that made it. One that the intents were not fitted with is left out of account. */
  readonly model: string;
  readonly values: ArrayLike<number>;
}

/** What a librarian's own examples say that a question wants. */
export interface IntentReading {
  readonly intent: string;
  /** From 0 to 1. */
  readonly probability: number;
  /**
   * `certain` from .95: enough to refuse. `likely` from .4. Below, `unsure`: do what you would do without it, or say
   * how the question was read.
   */
  readonly certainty: "certain" | "likely" | "unsure";
  /** All intents, best first. */
  readonly ranked: readonly Prediction[];
}

/** Reads intents with a fitted model. */
export interface IntentReader {
  readonly intents: readonly string[];
  /**
   * @param masked - The question with `<kind>` in place of names, as `Reading.masked` has it.
   * @param hints - What the librarian itself sees in the question; each is a feature.
   */
  read(masked: string, hints?: readonly string[], vector?: QuestionVector): IntentReading;
}

/** Probability from which an intent is likely, and from which it is certain. */
const minLikely = 0.4;
const minCertain = 0.95;

/** Makes a reader of intents from what `fitIntents` wrote. @throws RangeError for data that does not fit together. */
export function createIntentReader({ words, vectors }: IntentModelData): IntentReader {
  const wordModel = createLinearModel(words);
  const vectorModel = vectors && createLinearModel(vectors);
  return {
    intents: wordModel.labels,
    read(masked, hints = [], vector) {
      const logits = wordModel.score(toIntentFeatures(masked, hints));
      const isKnown =
        vectorModel !== undefined && vector !== undefined && vector.model === vectors?.model;
      const added = isKnown ? vectorModel.score(toVectorFeatures(vector.values)) : [];
      const ranked = toPredictions(
        wordModel.labels,
        logits.map((logit, at) => logit + (added[at] ?? 0)),
      );
      const { label: intent = "", probability = 0 } = ranked[0] ?? {};
      const certainty =
        probability >= minCertain ? "certain" : probability >= minLikely ? "likely" : "unsure";
      return { intent, probability, certainty, ranked };
    },
  };
}
