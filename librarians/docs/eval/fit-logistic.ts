import type { LogisticModel } from "../src/calibration/logistic.js";

/** One case to learn from. */
export interface Example<Name extends string> {
  readonly features: Readonly<Record<Name, number>>;
  /** Whether it is what the model is to foretell. */
  readonly is: boolean;
  /** Cases of one group are left out together. */
  readonly group: string;
  /** How much it counts. @default 1 */
  readonly weight?: number;
}

/**
 * Fits a logistic regression by Newton's method, with a ridge on standardised features.
 *
 * @param ridge - Strength of the ridge; the intercept is free of it.
 */
export function fitLogistic<Name extends string>(
  examples: readonly Example<Name>[],
  names: readonly Name[],
  ridge = 1,
): LogisticModel<Name> {
  const scales = names.map((name) => {
    const values = examples.map(({ features }) => features[name]);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / values.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
  const rows = examples.map(({ features }) => [
    1,
    ...names.map((name, at) => {
      const { mean = 0, deviation = 1 } = scales[at] ?? {};
      return (features[name] - mean) / deviation;
    }),
  ]);
  let weights = new Array<number>(names.length + 1).fill(0);
  for (let round = 0; round < 50; round++) {
    const step = solve(...newton(rows, examples, weights, ridge));
    weights = weights.map((weight, at) => weight + (step[at] ?? 0));
    if (Math.max(...step.map(Math.abs)) < 1e-9) break;
  }
  const [first = 0, ...rest] = weights;
  const plain = rest.map((weight, at) => weight / (scales[at]?.deviation ?? 1));
  const shift = plain.reduce((sum, weight, at) => sum + weight * (scales[at]?.mean ?? 0), 0);
  return {
    intercept: first - shift,
    weights: Object.fromEntries(names.map((name, at) => [name, plain[at] ?? 0])) as Record<
      Name,
      number
    >,
  };
}

function newton(
  rows: readonly (readonly number[])[],
  examples: readonly Example<string>[],
  weights: readonly number[],
  ridge: number,
): [matrix: number[][], gradient: number[]] {
  const size = weights.length;
  const gradient = weights.map((weight, at) => (at === 0 ? 0 : -ridge * weight));
  const matrix = weights.map((_, at) =>
    weights.map((__, other) => (at === other ? (at === 0 ? 1e-9 : ridge) : 0)),
  );
  rows.forEach((row, place) => {
    const { is = false, weight = 1 } = examples[place] ?? {};
    const chance = 1 / (1 + Math.exp(-row.reduce((sum, x, at) => sum + x * (weights[at] ?? 0), 0)));
    const error = weight * (Number(is) - chance);
    const curve = weight * chance * (1 - chance);
    for (let at = 0; at < size; at++) {
      const x = row[at] ?? 0;
      gradient[at] = (gradient[at] ?? 0) + error * x;
      const line = matrix[at] ?? [];
      for (let other = 0; other < size; other++) {
        line[other] = (line[other] ?? 0) + curve * x * (row[other] ?? 0);
      }
    }
  });
  return [matrix, gradient];
}

/** Gauss, with the largest pivot. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  for (let at = 0; at < size; at++) {
    let best = at;
    for (let row = at; row < size; row++) {
      if (Math.abs(rows[row]?.[at] ?? 0) > Math.abs(rows[best]?.[at] ?? 0)) best = row;
    }
    const pivot = rows[best] ?? [];
    rows[best] = rows[at] ?? [];
    rows[at] = pivot;
    for (let row = 0; row < size; row++) {
      const line = rows[row] ?? [];
      if (row === at) continue;
      const factor = (line[at] ?? 0) / (pivot[at] ?? 1);
      for (let column = at; column <= size; column++) {
        line[column] = (line[column] ?? 0) - factor * (pivot[column] ?? 0);
      }
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
