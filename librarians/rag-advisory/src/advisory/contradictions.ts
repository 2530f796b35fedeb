import type { CountryConventions } from "../country/countries.js";
import { printMoney } from "../country/money.js";
import { namesOfSources, sourceName } from "./citation.js";
import { type Claim, type ClaimSubject, readClaim } from "./claims.js";
import { type Comparables, measureSpread } from "./comparables.js";
import type { DataRow } from "./data-row.js";
import { printFigure, round } from "./figures.js";
import type { Statement } from "./statements.js";
import type { Trend } from "./trend.js";

/** Two changes that differ by more than this many percentage points contradict each other. */
export const changeBand = 5;
/** Two medians or averages that differ by more than this share of the lower one contradict each other. */
export const levelBand = 0.2;
/** Change in per cent up to which computed medians count as unchanged. */
const unchangedBelow = 1;
/** Rows of a source that are worth a median of their own. */
const minRows = 3;

/** Two sources that cannot both be right. */
export interface Contradiction {
  readonly subject: ClaimSubject;
  /** What they differ in, in a sentence with the names of both. */
  readonly sentence: string;
  /** The statements that contradict; those of data rows have none. */
  readonly statements: readonly Statement[];
}

interface Sourced {
  readonly claim: Claim;
  readonly source: string;
  readonly said: string;
  readonly statement?: Statement | undefined;
}

/**
 * Finds sources that disagree about the same thing, time and place: on its direction, by more than
 * {@link changeBand} points of change, or by more than {@link levelBand} of a median or an average. Sentences
 * are compared with each other and with the trend of data rows, and the rows of one source with another's.
 */
export function findContradictions(
  statements: readonly Statement[],
  trend: Trend | undefined,
  comparables: Comparables | undefined,
  conventions: CountryConventions,
): readonly Contradiction[] {
  const claims = [
    ...statements.flatMap((each) => toSourcedClaims(each, conventions)),
    ...(trend === undefined ? [] : [trendClaim(trend, conventions)]),
  ];
  const found = claims.flatMap((one, at) =>
    claims.slice(at + 1).flatMap((other): Contradiction[] => {
      if (one.source === other.source || !isSameMatter(one.claim, other.claim)) return [];
      const what = findDifference(one.claim, other.claim);
      if (what === undefined) return [];
      const { subject } = one.claim;
      const sentence = `Sources disagree on ${what} of ${subject}: ${one.said} (${one.source}), ${other.said} (${other.source}).`;
      return [
        { subject, sentence, statements: [one, other].flatMap(({ statement }) => statement ?? []) },
      ];
    }),
  );
  const rows = comparables === undefined ? undefined : rowsDisagree(comparables, conventions);
  return rows === undefined ? found : [...found, rows];
}

function toSourcedClaims(statement: Statement, conventions: CountryConventions): Sourced[] {
  const claim = readClaim(statement.text);
  if (claim === undefined) return [];
  return [{ claim, source: statement.source, said: describeClaim(claim, conventions), statement }];
}

function describeClaim(
  { direction, percent, level = 0, per }: Claim,
  conventions: CountryConventions,
): string {
  if (direction === undefined) {
    const unit = per === "month" || per === "year" ? ` a ${per}` : per === "" ? "" : `/${per}`;
    return `${printMoney(level, conventions)}${unit}`;
  }
  const change =
    direction > 0
      ? "a rise"
      : direction < 0
        ? "a fall"
        : percent === undefined
          ? "no change"
          : "a change";
  return percent === undefined ? change : `${change} of ${round(percent)} %`;
}

function trendClaim(
  { measure, change, to, from, rows }: Trend,
  conventions: CountryConventions,
): Sourced {
  const direction = Math.abs(change) < unchangedBelow ? 0 : change > 0 ? 1 : -1;
  const claim: Claim = {
    subject: measure.startsWith("rent") ? "rents" : measure === "yield" ? "yields" : "prices",
    direction,
    percent: Math.abs(change),
    per: "",
    years: findYears(`${from.period} ${to.period}`),
    quarters: [],
    places: [],
    kind: "/",
  };
  return {
    claim,
    source: namesOfSources(rows.map(({ chunk }) => chunk)),
    said: describeClaim(claim, conventions),
  };
}

function findYears(text: string): readonly string[] {
  return [...new Set(text.match(/\b(?:19|20)\d\d\b/g) ?? [])];
}

/** Whether two claims can contradict: the same subject, and nothing that distinguishes time, place or kind. */
function isSameMatter(a: Claim, b: Claim): boolean {
  return (
    a.subject === b.subject &&
    mayMeet(a.years, b.years) &&
    mayMeet(a.quarters, b.quarters) &&
    mayMeet(a.places, b.places) &&
    isSameKind(a.kind, b.kind)
  );
}

function mayMeet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((each) => b.includes(each));
}

function isSameKind(a: string, b: string): boolean {
  const [kinds, others] = [a.split("/"), b.split("/")];
  return kinds.every((kind, at) => kind === "" || others[at] === "" || kind === others[at]);
}

/** What two claims differ in; `undefined` where they agree within the bands. */
function findDifference(a: Claim, b: Claim): string | undefined {
  if (a.direction !== undefined && b.direction !== undefined) {
    if (a.direction * b.direction < 0) return "the direction";
    if (a.direction === 0 && b.direction === 0) return undefined;
    const move = a.direction === 0 ? b : b.direction === 0 ? a : undefined;
    if (move !== undefined)
      return (move.percent ?? changeBand + 1) > changeBand ? "the direction" : undefined;
    const gap = Math.abs((a.percent ?? 0) - (b.percent ?? 0));
    return a.percent !== undefined && b.percent !== undefined && gap > changeBand
      ? "the change"
      : undefined;
  }
  if (a.level === undefined || b.level === undefined || a.per !== b.per) return undefined;
  return Math.abs(a.level - b.level) > levelBand * Math.min(a.level, b.level)
    ? "the level"
    : undefined;
}

/** Sources of comparable rows whose medians are too far apart, the two that differ most. */
function rowsDisagree(
  { rows, measure }: Comparables,
  conventions: CountryConventions,
): Contradiction | undefined {
  const bySource = new Map<string, DataRow[]>();
  for (const row of rows) {
    const name = sourceName(row.chunk);
    bySource.set(name, [...(bySource.get(name) ?? []), row]);
  }
  const medians = [...bySource]
    .flatMap(([source, own]) => {
      const spread = measureSpread(own.map((row) => row[measure] ?? 0));
      return spread === undefined || spread.count < minRows
        ? []
        : [{ source, median: spread.median }];
    })
    .sort((a, b) => a.median - b.median);
  const [least, most] = [medians[0], medians.at(-1)];
  if (
    least === undefined ||
    most === undefined ||
    most.median - least.median <= levelBand * least.median
  ) {
    return undefined;
  }
  const figure = (value: number) => printFigure(value, measure, conventions);
  const subject = measure.startsWith("rent") ? "rents" : measure === "yield" ? "yields" : "prices";
  const sentence = `Sources disagree on the level of ${subject}: median ${figure(least.median)} (${least.source}), median ${figure(most.median)} (${most.source}).`;
  return { subject, sentence, statements: [] };
}
