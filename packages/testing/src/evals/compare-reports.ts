import type { EvalReport, EvalResult } from "./eval-report.js";

/**
 * Changes from one eval to the next. Plain data.
 *
 * @beta
 */
export interface EvalComparison {
  /** Ids of cases that failed before and pass now. */
  readonly better: readonly string[];
  /** Ids of cases that passed before and fail now, and of new ones that fail. */
  readonly worse: readonly string[];
  /** Ids of cases that fail now as before. */
  readonly stillFailing: readonly string[];
  /** Ids of cases that only the earlier report has. */
  readonly gone: readonly string[];
  /** Time, tokens, cost and hops of the cases that both have, where both know them. */
  readonly amounts: readonly ComparedAmount[];
  /** Whether a case is worse, or an amount by more than the tolerance; times only where one was given. */
  readonly isWorse: boolean;
}

/**
 * An amount of both evals.
 *
 * @beta
 */
export interface ComparedAmount {
  readonly name: "durationMs" | "tokens" | "costUsd" | "hops";
  /** Of the cases that both evals have: the median of times, the sum of others. */
  readonly before: number;
  readonly now: number;
  /** Better or worse by more than the tolerance. */
  readonly change: "better" | "same" | "worse";
}

/**
 * Options for {@link compareReports}.
 *
 * @beta
 */
export interface CompareOptions {
  /**
   * Allowed increase of an amount, as a share: 0.1 is a tenth. 0 or more. Default: times are compared but do not
   * count as worse, because two evals seldom run on the same machine.
   *
   * @default 0.1
   */
  readonly tolerance?: number | undefined;
}

const defaultTolerance = 0.1;

/** Differences of times below this are ignored as noise, in milliseconds. */
const minDifferenceMs = 20;

/**
 * Compares an eval with one before it, such as that of the main branch: case by case, by id.
 *
 * @beta
 */
export function compareReports(
  before: Pick<EvalReport, "results">,
  now: Pick<EvalReport, "results">,
  { tolerance: given }: CompareOptions = {},
): EvalComparison {
  const tolerance = given ?? defaultTolerance;
  const earlier = new Map(before.results.map((result) => [result.id, result]));
  const ids = new Set(now.results.map(({ id }) => id));
  const idsWhere = (keep: (result: EvalResult, old: EvalResult | undefined) => boolean) =>
    now.results.filter((result) => keep(result, earlier.get(result.id))).map(({ id }) => id);
  const pairs = now.results.flatMap((result) => {
    const old = earlier.get(result.id);
    return old === undefined ? [] : [{ old, result }];
  });
  const amounts = (["durationMs", "tokens", "costUsd", "hops"] as const).flatMap((name) => {
    const both = pairs.flatMap(({ old, result }) => {
      const [one, other] = [old[name], result[name]];
      return one === undefined || other === undefined ? [] : [{ one, other }];
    });
    if (both.length === 0) return [];
    const total = name === "durationMs" ? median : sum;
    const [was, is] = [total(both.map(({ one }) => one)), total(both.map(({ other }) => other))];
    const room = was * tolerance + (name === "durationMs" ? minDifferenceMs : 0);
    const change = is > was + room ? "worse" : is < was - room ? "better" : "same";
    return [{ name, before: was, now: is, change } satisfies ComparedAmount];
  });
  const worse = idsWhere(({ passed }, old) => !passed && (old?.passed ?? true));
  return {
    better: idsWhere(({ passed }, old) => passed && old?.passed === false),
    worse,
    stillFailing: idsWhere(({ passed }, old) => !passed && old?.passed === false),
    gone: before.results.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    amounts,
    isWorse:
      worse.length > 0 ||
      amounts.some(
        ({ name, change }) => change === "worse" && (name !== "durationMs" || given !== undefined),
      ),
  };
}

/**
 * Prints what changed, for people: a line for each kind of change, and the amounts.
 *
 * @beta
 */
export function printComparison(comparison: EvalComparison): string {
  const { better, worse, stillFailing, gone, amounts } = comparison;
  const lists = Object.entries({ better, worse, "still failing": stillFailing, gone })
    .filter(([, ids]) => ids.length > 0)
    .map(([name, ids]) => `${name}: ${ids.join(", ")}`);
  const lines = amounts.map(
    ({ name, before, now, change }) =>
      `${name}: ${toText(before)} before, ${toText(now)} now${change === "same" ? "" : `, ${change}`}`,
  );
  return ["Against the baseline", ...(lists.length === 0 ? ["no case changed"] : lists), ...lines]
    .join("\n")
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, (text) => (text === "\n" ? text : " "));
}

function toText(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
