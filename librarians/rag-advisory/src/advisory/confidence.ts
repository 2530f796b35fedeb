/** What a confidence is made of. */
export interface Evidence {
  /** Sources that say something about the question, each once. Integer, 0 or more. */
  readonly sources: number;
  /** Days since the newest of them; `Infinity` where none has a date. */
  readonly ageDays: number;
  /** How close the closest is to the question, 0 to 1. */
  readonly closeness: number;
  /** How much they agree, 0 to 1; 0.5 where it is unknown. */
  readonly agreement: number;
}

/** Days after which evidence counts half as recent. */
const halfLifeDays = 730;

/**
 * How sure an advisory is, from its evidence alone: never lower for more sources, newer ones, closer
 * ones, or ones that agree more. None: 0.
 *
 * @returns 0 to 1, in hundredths. What the evidence is worth (a fifth for being there, three tenths
 *   for its number, which halves its distance to all with each source, a quarter each for recency,
 *   halved every two years, and agreement), times the square root of how close it is.
 */
export function scoreConfidence({ sources, ageDays, closeness, agreement }: Evidence): number {
  if (sources === 0) return 0;
  const number = 1 - 0.5 ** sources;
  const recency = 0.5 ** (Math.max(0, ageDays) / halfLifeDays);
  const worth = 0.2 + 0.3 * number + 0.25 * recency + 0.25 * within(agreement);
  return Math.round(worth * Math.sqrt(within(closeness)) * 100) / 100;
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}
