/** A confidence for people, in two decimals: never rounded up to a limit that it does not reach. */
export function confidenceText(confidence: number): string {
  return (Math.floor(confidence * 100 + 1e-6) / 100).toFixed(2);
}
