import { fullDate, sourceName } from "./citation.js";
import type { Comparables } from "./comparables.js";
import type { Passage } from "./retrieve.js";

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

const dayMs = 86_400_000;

/**
 * How sure an advisory is: from the passages that were found for the question and the rows that it is
 * answered by, whatever is quoted of them.
 */
export function weighEvidence(
  passages: readonly Passage[],
  comparables: Comparables | undefined,
  now: number,
): number {
  const rows = comparables?.rows ?? [];
  const chunks = [...passages.map(({ chunk }) => chunk), ...rows.map(({ chunk }) => chunk)];
  return scoreConfidence({
    sources: new Set(chunks.map(sourceName)).size,
    ageDays: ageOfEvidence(passages, comparables, now),
    closeness: Math.max(
      0,
      comparables?.closeness ?? 0,
      ...passages.map(({ closeness }) => closeness),
    ),
    agreement: comparables === undefined ? 0.5 : measureAgreement(comparables),
  });
}

/** Days since the newest of what an advisory rests on; `Infinity` where nothing has a date. */
export function ageOfEvidence(
  passages: readonly Passage[],
  comparables: Comparables | undefined,
  now: number,
): number {
  const rows = comparables?.rows ?? [];
  const chunks = [...passages.map(({ chunk }) => chunk), ...rows.map(({ chunk }) => chunk)];
  return ageInDays(
    [...chunks.map(({ metadata }) => metadata.date), ...rows.map(({ date }) => date)],
    now,
  );
}

/** How narrow the middle half is: 1 where all rows say the same, 0 where it is as wide as the median is large. */
export function measureAgreement({ spread: { q1, q3, median } }: Comparables): number {
  return median <= 0 ? 0 : Math.max(0, 1 - (q3 - q1) / median);
}

/** Days since the newest of some dates; `Infinity` where none can be read. */
export function ageInDays(dates: readonly (string | undefined)[], now: number): number {
  const times = dates.flatMap((date) => {
    const full = fullDate(date);
    return full === undefined ? [] : Date.parse(`${full}T00:00:00Z`);
  });
  return times.length === 0
    ? Number.POSITIVE_INFINITY
    : Math.max(0, (now - Math.max(...times)) / dayMs);
}
