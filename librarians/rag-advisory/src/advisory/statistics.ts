/** The middle of some numbers, and how far they lie apart. */
export interface Spread {
  readonly count: number;
  readonly median: number;
  /** First and third quartile: the middle half lies between them. */
  readonly q1: number;
  readonly q3: number;
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * Describes numbers by their quartiles.
 *
 * @returns `undefined` for none.
 *
 * Source: quantiles of type 7 (linear between neighbours) in R. J. Hyndman, Y. Fan, "Sample Quantiles
 * in Statistical Packages", The American Statistician 50 (1996).
 */
export function measureSpread(numbers: readonly number[]): Spread | undefined {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [minimum] = sorted;
  const maximum = sorted.at(-1);
  if (minimum === undefined || maximum === undefined) return undefined;
  const quantile = (share: number) => {
    const at = (sorted.length - 1) * share;
    const below = sorted[Math.floor(at)] ?? minimum;
    const above = sorted[Math.ceil(at)] ?? maximum;
    return below + (above - below) * (at - Math.floor(at));
  };
  return {
    count: sorted.length,
    median: quantile(0.5),
    q1: quantile(0.25),
    q3: quantile(0.75),
    minimum,
    maximum,
  };
}
