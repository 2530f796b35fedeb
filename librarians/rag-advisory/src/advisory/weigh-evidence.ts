import { fullDate, sourceName } from "./citation.js";
import type { Comparables } from "./comparables.js";
import { scoreConfidence } from "./confidence.js";
import type { Passage } from "./retrieved.js";

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
