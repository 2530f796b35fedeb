export function dot(weights: readonly number[], values: readonly number[]): number {
  return values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
}

export function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z));
}

export function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
