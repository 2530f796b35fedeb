import { type Measure, measureSpread, minRows } from "./comparables.js";
import type { DataRow } from "./data-row.js";

/** The median of one period. */
export interface PeriodMedian {
  readonly period: string;
  readonly median: number;
  readonly count: number;
}

/** How a median changed from one period to the next. */
export interface Trend {
  readonly measure: Measure;
  readonly from: PeriodMedian;
  readonly to: PeriodMedian;
  /** Per cent. */
  readonly change: number;
  readonly rows: readonly DataRow[];
}

interface Dated {
  readonly row: DataRow;
  readonly value: number;
  /** Months since the year 0; of a year without a month its last one. */
  readonly month: number;
}

/**
 * Compares the median of the twelve months up to the newest row with that of the twelve before or,
 * where one of them has fewer than three rows, six months with six.
 *
 * @returns `undefined` where there are no two such periods.
 */
export function findTrend(
  rows: readonly DataRow[],
  measures: readonly Measure[],
): Trend | undefined {
  for (const measure of measures) {
    const dated = rows.flatMap((row) => {
      const value = row[measure];
      return value === undefined || row.date === undefined
        ? []
        : [{ row, value, month: toMonthNumber(row.date) }];
    });
    for (const length of [12, 6]) {
      const trend = between(dated, measure, length);
      if (trend !== undefined) return trend;
    }
  }
  return undefined;
}

function between(dated: readonly Dated[], measure: Measure, length: number): Trend | undefined {
  const newest = Math.max(...dated.map(({ month }) => month));
  const endingAt = (last: number) =>
    dated.filter(({ month }) => month > last - length && month <= last);
  const [before, after] = [endingAt(newest - length), endingAt(newest)];
  const from = findMedian(before, newest - length, length);
  const to = findMedian(after, newest, length);
  if (from === undefined || to === undefined || from.median === 0) return undefined;
  const change = (to.median / from.median - 1) * 100;
  return { measure, from, to, change, rows: [...before, ...after].map(({ row }) => row) };
}

function findMedian(
  dated: readonly Dated[],
  last: number,
  length: number,
): PeriodMedian | undefined {
  const spread = measureSpread(dated.map(({ value }) => value));
  if (spread === undefined || spread.count < minRows) return undefined;
  const period = `${formatMonth(last - length + 1)} to ${formatMonth(last)}`;
  return { period, median: spread.median, count: spread.count };
}

function toMonthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7) || "12") - 1;
}

function formatMonth(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
}
