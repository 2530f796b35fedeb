import { printArea } from "../country/area.js";
import type { CountryConventions } from "../country/countries.js";
import { printMoney, printRange } from "../country/money.js";
import { namesOfSources } from "./citation.js";
import { type Comparables, type Measure, measureSpread } from "./comparables.js";
import type { DataRow } from "./data-row.js";
import type { Trend } from "./trend.js";

const nouns: Readonly<Record<Measure, string>> = {
  price: "price",
  rate: "price",
  rent: "monthly rent",
  rentRate: "monthly rent",
  yield: "gross yield",
  area: "area",
};

/** What a measure is called: `price`, `monthly rent`. */
export function measureNoun(measure: Measure): string {
  return nouns[measure];
}

/** Prints a figure of a measure: `₹48 lakhs`, `₹4,500/sqft`, `$2,100 a month`, `4.2 %`. */
export function printFigure(
  value: number,
  measure: Measure,
  conventions: CountryConventions,
): string {
  if (measure === "yield") return `${round(value)} %`;
  const { areaUnit } = conventions;
  if (measure === "area") return printArea(value, conventions);
  if (measure === "rate" || measure === "rentRate")
    return `${printMoney(value * areaUnit.sqft, conventions)}/${areaUnit.name}`;
  return printMoney(value, conventions);
}

/** Prints the middle half of a measure. */
export function printMiddle(
  { measure, spread }: Pick<Comparables, "measure" | "spread">,
  conventions: CountryConventions,
): string {
  const { q1, q3 } = spread;
  if (measure === "yield")
    return round(q1) === round(q3) ? `${round(q1)} %` : `${round(q1)}-${round(q3)} %`;
  const { areaUnit } = conventions;
  if (measure === "rate" || measure === "rentRate")
    return `${printRange(q1 * areaUnit.sqft, q3 * areaUnit.sqft, conventions)}/${areaUnit.name}`;
  if (measure === "area")
    return q1 === q3
      ? printArea(q1, conventions)
      : `${printArea(q1, conventions)}-${printArea(q3, conventions)}`;
  return printRange(q1, q3, conventions);
}

/** `2025-01 to 2026-09`; one period where both are the same, nothing where there is none. */
export function formatPeriod(first: string | undefined, last: string | undefined): string {
  if (first === undefined || last === undefined) return "no dates given";
  const [from, to] = [first.slice(0, 7), last.slice(0, 7)];
  return from === to ? from : `${from} to ${to}`;
}

/** Median, middle half, count, period and sources of comparables, in a sentence. */
export function describeComparables(
  comparables: Comparables,
  conventions: CountryConventions,
): string {
  const { measure, spread, of, first, last, rows, isFew, areas } = comparables;
  const names = namesOfSources(rows.map(({ chunk }) => chunk));
  const figure = (value: number) => printFigure(value, measure, conventions);
  const size =
    areas === undefined
      ? ""
      : `; area ${[...new Set([areas.minimum, areas.median, areas.maximum].map((sqft) => printArea(sqft, conventions)))].join(", ")}`;
  const own = measureNoun(measure);
  const noun = rows.every(({ isFee }) => isFee) ? own.replace(/price|rent/, "fee") : own;
  const span = `${formatPeriod(first, last)} (${names})`;
  if (isFew) {
    const values = rows.map((row) => figure(row[measure] ?? 0)).join(" and ");
    const count = `${rows.length} data ${rows.length === 1 ? "row" : "rows"}`;
    return `Comparable ${of}: ${noun} ${values}${size}, ${count}, too few for a median, ${span}.`;
  }
  return `Comparable ${of}: median ${noun} ${figure(spread.median)}, middle half ${printMiddle(comparables, conventions)}${size}, ${spread.count} data rows, ${span}.`;
}

/** How a median changed, in a sentence with counts, periods and sources. */
export function describeTrend(trend: Trend, conventions: CountryConventions): string {
  const { measure, from, to, change, rows } = trend;
  const names = namesOfSources(rows.map(({ chunk }) => chunk));
  const figure = (value: number) => printFigure(value, measure, conventions);
  const sign = change >= 0 ? "+" : "-";
  return `Median ${measureNoun(measure)} ${figure(from.median)} from ${from.period} (${from.count} data rows), ${figure(to.median)} from ${to.period} (${to.count}): ${sign}${round(Math.abs(change))} % (${names}).`;
}

/** How fast properties sell, and the rows that say so; none where no row does. */
export function describePace(rows: readonly DataRow[]): {
  readonly sentences: readonly string[];
  readonly rows: readonly DataRow[];
} {
  const described = (["daysOnMarket", "inventoryMonths"] as const).flatMap((key) => {
    const having = rows.filter((row) => row[key] !== undefined);
    const spread = measureSpread(having.map((row) => row[key] ?? 0));
    if (spread === undefined) return [];
    const dates = having.flatMap(({ date }) => date ?? []).sort();
    const names = namesOfSources(having.map(({ chunk }) => chunk));
    const what = key === "daysOnMarket" ? "days on the market" : "months of inventory";
    const count = `${spread.count} data ${spread.count === 1 ? "row" : "rows"}`;
    const sentence = `Median ${round(spread.median)} ${what}, ${count}, ${formatPeriod(dates[0], dates.at(-1))} (${names}).`;
    return [{ sentence, having }];
  });
  return {
    sentences: described.map(({ sentence }) => sentence),
    rows: described.flatMap(({ having }) => having),
  };
}

/** One decimal, none where it is zero. */
export function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
