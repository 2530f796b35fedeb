/** A confidence in two decimals, never rounded up to a limit that it does not reach. */
export function roundedDown(confidence: number): number {
  return Math.floor(confidence * 100 + 1e-6) / 100;
}

/** A confidence for people, as {@link roundedDown} gives it. */
export function confidenceText(confidence: number): string {
  return roundedDown(confidence).toFixed(2);
}
