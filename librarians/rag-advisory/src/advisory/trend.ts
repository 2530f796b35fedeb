import { leastRows, type Measure } from "./comparables.js";
import type { DataRow } from "./data-row.js";
import { spreadOf } from "./statistics.js";

/** How a median changed from one period to a later one. */
export interface Trend {
  readonly measure: Measure;
  readonly from: { readonly period: string; readonly median: number; readonly count: number };
  readonly to: { readonly period: string; readonly median: number; readonly count: number };
  /** Per cent. */
  readonly change: number;
  readonly rows: readonly DataRow[];
}

/**
 * Compares the median of the first and the last period that have three rows at least: years or, where
 * the rows lie within one year, halves of it.
 *
 * @returns `undefined` where there are no two such periods.
 */
export function findTrend(
  rows: readonly DataRow[],
  measures: readonly Measure[],
): Trend | undefined {
  for (const measure of measures) {
    const dated = rows.filter((row) => row[measure] !== undefined && row.date !== undefined);
    for (const period of [yearOf, halfOf]) {
      const trend = between(dated, measure, period);
      if (trend !== undefined) return trend;
    }
  }
  return undefined;
}

function between(
  rows: readonly DataRow[],
  measure: Measure,
  periodOf: (date: string) => string | undefined,
): Trend | undefined {
  const periods = new Map<string, DataRow[]>();
  for (const row of rows) {
    const period = periodOf(row.date ?? "");
    if (period === undefined) continue;
    periods.set(period, [...(periods.get(period) ?? []), row]);
  }
  const full = [...periods]
    .filter(([, found]) => found.length >= leastRows)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const first = full[0];
  const last = full.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const [from, to] = [first, last].map(([period, found]) => {
    const spread = spreadOf(found.map((row) => row[measure] ?? 0));
    return { period, median: spread?.median ?? 0, count: found.length };
  });
  if (from === undefined || to === undefined || from.median === 0) return undefined;
  return {
    measure,
    from,
    to,
    change: (to.median / from.median - 1) * 100,
    rows: [...first[1], ...last[1]],
  };
}

function yearOf(date: string): string | undefined {
  return date.slice(0, 4);
}

function halfOf(date: string): string | undefined {
  const month = Number(date.slice(5, 7));
  return month === 0 ? undefined : `${date.slice(0, 4)} H${month <= 6 ? 1 : 2}`;
}
