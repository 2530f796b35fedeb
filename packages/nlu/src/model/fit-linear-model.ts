import type { Feature, LinearModelData } from "./linear-model.js";

/** A labelled example. */
export interface FitExample {
  readonly features: readonly Feature[];
  readonly label: string;
  /** How much it counts. @default 1 */
  readonly weight?: number;
}

/** Options for {@link fitLinearModel}. */
export interface FitOptions {
  /** Maximum number of features kept: those with the largest weights. @default 5000 */
  readonly maxFeatures?: number;
  /** Minimum number of examples with a feature. @default 2 */
  readonly minCount?: number;
  /** Strength of the quadratic penalty on weights. @default 0.0003 */
  readonly penalty?: number;
  /** Passes over all examples. @default 150 */
  readonly rounds?: number;
}

/** Fits multinomial logistic regression by full gradients (Adam), so that the same examples give the same model. */
export function fitLinearModel(
  examples: readonly FitExample[],
  options: FitOptions = {},
): LinearModelData {
  const { maxFeatures = 5_000, minCount = 2, penalty = 0.0003, rounds = 150 } = options;
  const labels = [...new Set(examples.map(({ label }) => label))].sort();
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const name of new Set(features.map(([one]) => one)))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  let names = [...counts]
    .filter(([, count]) => count >= minCount)
    .map(([name]) => name)
    .sort();
  let fitted = descend(examples, names, labels, penalty, rounds);
  if (names.length > maxFeatures) {
    const size = labels.length;
    const strength = (at: number) =>
      Math.max(...fitted.weights.slice(at * size, (at + 1) * size).map(Math.abs));
    const kept = names
      .map((name, at) => ({ name, strength: strength(at) }))
      .sort((a, b) => b.strength - a.strength || (a.name < b.name ? -1 : 1))
      .slice(0, maxFeatures);
    names = kept.map(({ name }) => name).sort();
    fitted = descend(examples, names, labels, penalty, rounds);
  }
  return quantize(names, labels, fitted);
}

interface Fitted {
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

function descend(
  examples: readonly FitExample[],
  names: readonly string[],
  labels: readonly string[],
  penalty: number,
  rounds: number,
): Fitted {
  const size = labels.length;
  const places = new Map(names.map((name, at) => [name, at]));
  const rows = examples.map(({ features, label, weight = 1 }) => {
    const known = features.flatMap(([name, value]) => {
      const at = places.get(name);
      return at === undefined ? [] : [{ at: at * size, value }];
    });
    return {
      places: Int32Array.from(known, ({ at }) => at),
      values: Float64Array.from(known, ({ value }) => value),
      label: labels.indexOf(label),
      weight,
    };
  });
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const length = names.length * size;
  // The last entries are the bias.
  const weights = new Float64Array(length + size);
  const gradient = new Float64Array(length + size);
  const mean = new Float64Array(length + size);
  const spread = new Float64Array(length + size);
  const logits = new Float64Array(size);
  for (let round = 1; round <= rounds; round++) {
    for (let at = 0; at < length; at++) gradient[at] = penalty * (weights[at] ?? 0);
    gradient.fill(0, length);
    for (const row of rows) {
      for (let label = 0; label < size; label++) logits[label] = weights[length + label] ?? 0;
      for (let index = 0; index < row.places.length; index++) {
        const place = row.places[index] ?? 0;
        const value = row.values[index] ?? 0;
        for (let label = 0; label < size; label++)
          logits[label] = (logits[label] ?? 0) + value * (weights[place + label] ?? 0);
      }
      const highest = Math.max(...logits);
      let sum = 0;
      for (let label = 0; label < size; label++) {
        logits[label] = Math.exp((logits[label] ?? 0) - highest);
        sum += logits[label] ?? 0;
      }
      for (let label = 0; label < size; label++) {
        const error =
          (((logits[label] ?? 0) / sum - (label === row.label ? 1 : 0)) * row.weight) / total;
        logits[label] = error;
        gradient[length + label] = (gradient[length + label] ?? 0) + error;
      }
      for (let index = 0; index < row.places.length; index++) {
        const place = row.places[index] ?? 0;
        const value = row.values[index] ?? 0;
        for (let label = 0; label < size; label++)
          gradient[place + label] = (gradient[place + label] ?? 0) + value * (logits[label] ?? 0);
      }
    }
    const rate = 0.1 * (1 - (round - 1) / rounds);
    for (let at = 0; at < weights.length; at++) {
      const slope = gradient[at] ?? 0;
      const first = 0.9 * (mean[at] ?? 0) + 0.1 * slope;
      const second = 0.999 * (spread[at] ?? 0) + 0.001 * slope * slope;
      mean[at] = first;
      spread[at] = second;
      const step = first / (1 - 0.9 ** round) / (Math.sqrt(second / (1 - 0.999 ** round)) + 1e-8);
      weights[at] = (weights[at] ?? 0) - rate * step;
    }
  }
  return { weights: weights.slice(0, length), bias: weights.slice(length) };
}

/** Weights as signed bytes, with one scale for each label. */
function quantize(
  names: readonly string[],
  labels: readonly string[],
  { weights, bias }: Fitted,
): LinearModelData {
  const size = labels.length;
  const scales = labels.map((_, label) => {
    let highest = 1e-9;
    for (let at = label; at < weights.length; at += size)
      highest = Math.max(highest, Math.abs(weights[at] ?? 0));
    return Number((highest / 127).toPrecision(4));
  });
  const bytes = Int8Array.from(weights, (weight, at) =>
    Math.max(-127, Math.min(127, Math.round(weight / (scales[at % size] ?? 1)))),
  );
  return {
    labels,
    bias: Array.from(bias, (value) => Number(value.toFixed(3))),
    scales,
    features: names.join("\n"),
    weights: Buffer.from(bytes.buffer).toString("base64"),
  };
}
