export function dot(weights: readonly number[], values: readonly number[]): number {
  return values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
}

export function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z));
}

export function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** Solves a positive definite system of equations, by Gaussian elimination. */
export function solve(
  matrix: readonly (readonly number[])[],
  wanted: readonly number[],
): readonly number[] {
  const rows = matrix.map((row, at) => [...row, wanted[at] ?? 0]);
  for (const [at, pivot] of rows.entries()) {
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1);
      for (const [place, value] of pivot.entries()) row[place] = (row[place] ?? 0) - factor * value;
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}
