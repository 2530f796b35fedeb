/** A feature of a text and how strong it is. */
export type Feature = readonly [name: string, value: number];

/** A fitted linear model as a generated file holds it. */
export interface LinearModelData {
  readonly labels: readonly string[];
  readonly bias: readonly number[];
  /** The value of one step of a weight, for each label. */
  readonly scales: readonly number[];
  /** Names of the features, joined by line breaks. */
  readonly features: string;
  /** For each feature one signed byte for each label, in Base64. */
  readonly weights: string;
}

/** How probable a label is. */
export interface Prediction {
  readonly label: string;
  /** From 0 to 1; those of all labels sum to 1. */
  readonly probability: number;
}

/** Multinomial logistic regression over named features. */
export interface LinearModel {
  readonly labels: readonly string[];
  /** Logits in the order of `labels`. */
  score(features: Iterable<Feature>): readonly number[];
  /** Best first. */
  predict(features: Iterable<Feature>): readonly Prediction[];
}

/** Makes a model ready for use. @throws RangeError for data whose parts do not fit each other. */
export function createLinearModel(data: LinearModelData): LinearModel {
  const { labels, bias, scales } = data;
  const names = data.features === "" ? [] : data.features.split("\n");
  const bytes = Buffer.from(data.weights, "base64");
  if (
    bytes.length !== names.length * labels.length ||
    bias.length !== labels.length ||
    scales.length !== labels.length
  )
    throw new RangeError("A linear model has one weight for each feature and label.");
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const places = new Map(names.map((name, at) => [name, at * labels.length]));

  const score = (features: Iterable<Feature>): readonly number[] => {
    const sums = labels.map(() => 0);
    for (const [name, value] of features) {
      const place = places.get(name);
      if (place === undefined) continue;
      for (let at = 0; at < sums.length; at++)
        sums[at] = (sums[at] ?? 0) + value * (weights[place + at] ?? 0);
    }
    return sums.map((sum, at) => sum * (scales[at] ?? 0) + (bias[at] ?? 0));
  };
  return {
    labels,
    score,
    predict: (features) => toPredictions(labels, score(features)),
  };
}

/** Probabilities of logits, best first. */
export function toPredictions(
  labels: readonly string[],
  logits: readonly number[],
): readonly Prediction[] {
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return labels
    .map((label, at) => ({ label, probability: (powers[at] ?? 0) / sum }))
    .sort((a, b) => b.probability - a.probability);
}
