import type { UsageRecord } from "@constellation/core";
import { addUsage } from "@constellation/core/checks";
import type { RunSummary } from "./kept-run.js";

/** Groupings of the figures. */
export const statsGroups = ["librarian", "user", "model", "day"] as const;

/** An element of `statsGroups`. */
export type StatsGroup = (typeof statsGroups)[number];

/** Figures of some runs; of the hops of a librarian, or the calls of a model, where they are grouped so. */
export interface RunFigures {
  readonly count: number;
  readonly answered: number;
  readonly notFound: number;
  readonly refused: number;
  readonly errors: number;
  /** Milliseconds, by nearest rank; absent where there is none. */
  readonly p50?: number | undefined;
  readonly p95?: number | undefined;
  readonly tokens: number;
  /** US dollars; absent where the price of a call is not known. */
  readonly costUsd?: number | undefined;
}

/** Figures of one group, with those of the earlier period. */
export interface GroupFigures extends RunFigures {
  readonly name: string;
  readonly before?: RunFigures | undefined;
}

/** Figures of the runs of a period, beside those of the period of the same length before it. */
export interface RunStats {
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly total: GroupFigures;
  /** By each group that was asked for: the largest first; days in order. */
  readonly groups: Readonly<Partial<Record<StatsGroup, readonly GroupFigures[]>>>;
}

/** Number of parts into which {@link countTimeline} divides the period. */
const timelineParts = 24;

/** Figures of one part of the period. */
export interface PartFigures extends RunFigures {
  /** Epoch milliseconds. */
  readonly from: number;
}

/** Counts runs of the period until now, in 24 parts of the same length, the oldest first. */
export function countTimeline(
  runs: readonly RunSummary[],
  { now, sinceMs }: Pick<Options, "now" | "sinceMs">,
): readonly PartFigures[] {
  const partMs = sinceMs / timelineParts;
  const parts = Array.from({ length: timelineParts }, (): Sample[] => []);
  for (const run of runs) {
    const part = Math.floor((run.startedAt - now + sinceMs) / partMs);
    parts[Math.min(part, timelineParts - 1)]?.push(toSample("all", run));
  }
  return parts.map((samples, index) => ({
    from: Math.round(now - sinceMs + index * partMs),
    ...addFigures(samples),
  }));
}

interface Options {
  readonly now: number;
  readonly sinceMs: number;
  readonly by: readonly StatsGroup[];
}

type Ending = "answered" | "notFound" | "refused" | "errors" | "open";

/** One counted item. */
interface Sample {
  readonly name: string;
  readonly count: number;
  readonly endings: Partial<Record<Ending, number>>;
  /** Absent where single durations are not known. */
  readonly durationMs: number | undefined;
  readonly usage: UsageRecord | undefined;
}

/** Counts runs of the period until now, and of the period before it. */
export function countRuns(runs: readonly RunSummary[], { now, sinceMs, by }: Options): RunStats {
  const from = now - sinceMs;
  const current = runs.filter(({ startedAt }) => startedAt >= from && startedAt <= now);
  const earlier = runs.filter(({ startedAt }) => startedAt < from && startedAt >= from - sinceMs);
  const whole = (each: readonly RunSummary[]) =>
    addFigures(each.map((run) => toSample("all", run)));
  return {
    from,
    to: now,
    total: { name: "all", ...whole(current), before: whole(earlier) },
    groups: Object.fromEntries(by.map((each) => [each, countGroups(current, earlier, each)])),
  };
}

function countGroups(
  current: readonly RunSummary[],
  earlier: readonly RunSummary[],
  by: StatsGroup,
): readonly GroupFigures[] {
  const now = byName(current, by);
  const then = byName(earlier, by);
  // A day has no earlier period of its own.
  const names = new Set(by === "day" ? now.keys() : [...now.keys(), ...then.keys()]);
  const groups = [...names].map((name) => ({
    name,
    ...addFigures(now.get(name) ?? []),
    ...(by !== "day" && { before: addFigures(then.get(name) ?? []) }),
  }));
  return by === "day"
    ? groups.sort((one, other) => one.name.localeCompare(other.name))
    : groups.sort((one, other) => other.count - one.count || one.name.localeCompare(other.name));
}

function byName(runs: readonly RunSummary[], by: StatsGroup): ReadonlyMap<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of runs.flatMap((run) => samplesIn(run, by))) {
    const group = groups.get(sample.name) ?? [];
    groups.set(sample.name, group);
    group.push(sample);
  }
  return groups;
}

function samplesIn(run: RunSummary, by: StatsGroup): readonly Sample[] {
  switch (by) {
    case "user":
      return [toSample(run.user?.id ?? "(none)", run)];
    case "day":
      return [toSample(new Date(run.startedAt).toISOString().slice(0, 10), run)];
    case "librarian":
      return (run.librarians ?? []).map(({ to, hops, errors, refused, durationMs, usage }) => ({
        ...{ name: to, count: hops, durationMs, usage },
        endings: { answered: hops - errors - refused, errors, refused },
      }));
    case "model":
      return (run.models ?? []).map(({ model, errors, durationMs, usage }) => ({
        ...{ name: model, count: usage.modelCalls, usage },
        durationMs: usage.modelCalls === 1 ? durationMs : durationMs / usage.modelCalls,
        endings: { answered: usage.modelCalls - errors, errors },
      }));
  }
}

function toSample(name: string, run: RunSummary): Sample {
  const { durationMs, usage } = run;
  return { name, count: 1, endings: { [readEnding(run)]: 1 }, durationMs, usage };
}

function readEnding({ stopReason }: RunSummary): Ending {
  switch (stopReason) {
    case "answered":
    case "partial":
      return "answered";
    case "not-found":
      return "notFound";
    case "refused":
      return "refused";
    case "waiting":
    case undefined:
      return "open";
    default:
      return "errors";
  }
}

function addFigures(samples: readonly Sample[]): RunFigures {
  const sum = (of: (sample: Sample) => number) =>
    samples.reduce((total, sample) => total + of(sample), 0);
  const ended = (ending: Ending) => sum(({ endings }) => endings[ending] ?? 0);
  const durations = samples
    .flatMap(({ durationMs }) => durationMs ?? [])
    .sort((one, other) => one - other);
  const usage = samples
    .flatMap((sample) => sample.usage ?? [])
    .reduce<UsageRecord | undefined>(addUsage, undefined);
  const cost = usage === undefined ? 0 : usage.costUsd;
  return {
    count: sum(({ count }) => count),
    ...{ answered: ended("answered"), notFound: ended("notFound") },
    ...{ refused: ended("refused"), errors: ended("errors") },
    ...(durations.length > 0 && { p50: rank(durations, 0.5), p95: rank(durations, 0.95) }),
    tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
    ...(cost !== undefined && { costUsd: cost }),
  };
}

/** The value of a share of a list that is in order, by nearest rank. */
function rank(ordered: readonly number[], share: number): number {
  return ordered[Math.max(0, Math.ceil(share * ordered.length) - 1)] ?? 0;
}
