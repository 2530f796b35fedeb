/** A fitted logistic regression over named features. */
export interface LogisticModel<Name extends string> {
  readonly intercept: number;
  readonly weights: Readonly<Record<Name, number>>;
}

/** The probability that a model predicts, 0 to 1. */
export function predictProbability<Name extends string>(
  { intercept, weights }: LogisticModel<Name>,
  features: Readonly<Record<NoInfer<Name>, number>>,
): number {
  let sum = intercept;
  for (const name of Object.keys(weights) as Name[]) sum += weights[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}
