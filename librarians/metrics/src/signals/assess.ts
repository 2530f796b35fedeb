import type { TimeWindow } from "../question/time-window.js";
import type { Sample } from "../reader/metrics-reader.js";
import type { Signal, Unit } from "./signal.js";

/** What a signal did in a window, against the time before. */
export interface Assessment {
  readonly signal: Signal;
  /** Mean in the window. */
  readonly current: number;
  /** Median before it; absent when there is hardly any data from then. */
  readonly baseline: number | undefined;
  /** `usual`: within what it was before; `unknown`: there is nothing to compare with. */
  readonly change: "up" | "down" | "usual" | "unknown";
  /** Whether it needs attention: a change for the worse, or a limit that is nearly reached. */
  readonly isAbnormal: boolean;
  /** Since when it is as it is, in epoch milliseconds; present with a change. */
  readonly since: number | undefined;
  /** Moment of the last sample, in epoch milliseconds. */
  readonly lastAt: number;
  /** Share of the expected samples in the window that are there, 0 to 1. */
  readonly coverage: number;
  /** Finite samples of the window and the time before, oldest first. */
  readonly samples: readonly Sample[];
}

/** Smallest change that counts, so that noise around zero is not a change. */
const smallestChange: Readonly<Record<Unit, number>> = {
  "per-second": 0.1,
  share: 0.005,
  seconds: 0.02,
  cores: 0.05,
  bytes: 8 * 1024 * 1024,
  count: 0.9,
};
/** A change is at least this share of the baseline, and this many deviations from it. */
const smallestRelativeChange = 0.25;
const deviations = 4;
/** Scales the median absolute deviation to the standard deviation of a normal distribution. */
const madScale = 1.4826;
/** Share of a limit from which a workload is about to reach it. */
const nearLimit = 0.9;
/** Traffic that falls below this share of what it was is a fault, too. */
const trafficLoss = 0.5;

/**
 * Compares a window with the time before it.
 *
 * @returns `undefined` when the window has no finite sample: not measured.
 */
export function assess(
  signal: Signal,
  all: readonly Sample[],
  { baselineStart, start, end }: TimeWindow,
  stepMs: number,
): Assessment | undefined {
  const samples = all.filter(
    ({ at, value }) => Number.isFinite(value) && at >= baselineStart && at <= end,
  );
  const inWindow = samples.filter(({ at }) => at >= start);
  const before = samples.filter(({ at }) => at < start);
  const last = inWindow.at(-1);
  if (last === undefined) return undefined;
  const current = mean(inWindow);
  const expected = Math.floor((end - start) / stepMs) + 1;
  const coverage = Math.min(1, inWindow.length / expected);
  const measured = { signal, current, lastAt: last.at, coverage, samples };
  const isNearLimit =
    signal.unit === "share" && signal.aspect === "saturation" && current >= nearLimit;
  if (before.length < 3) {
    return {
      ...measured,
      baseline: undefined,
      change: "unknown",
      isAbnormal: isNearLimit,
      since: undefined,
    };
  }
  const baseline = median(before.map(({ value }) => value));
  const band = Math.max(
    smallestChange[signal.unit],
    smallestRelativeChange * Math.abs(baseline),
    deviations * madScale * spread(before),
  );
  const change =
    Math.abs(current - baseline) <= band ? "usual" : current > baseline ? "up" : "down";
  const isWorse =
    signal.aspect === "traffic"
      ? change === "down" && current < trafficLoss * baseline
      : change === "up";
  return {
    ...measured,
    baseline,
    change,
    isAbnormal: isWorse || isNearLimit,
    since: change === "usual" ? undefined : sinceWhen(samples, baseline, band),
  };
}

/** Start of the last stretch outside the band around the baseline, when it lasts until the end. */
function sinceWhen(samples: readonly Sample[], baseline: number, band: number): number | undefined {
  const lastUsual = samples.findLastIndex(({ value }) => Math.abs(value - baseline) <= band);
  return samples[lastUsual + 1]?.at;
}

function mean(samples: readonly Sample[]): number {
  return samples.reduce((sum, { value }) => sum + value, 0) / samples.length;
}

/** Median absolute deviation: the typical distance from the middle, which single spikes do not move. */
function spread(samples: readonly Sample[]): number {
  const values = samples.map(({ value }) => value);
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[half - 1 + (sorted.length % 2)], sorted[half]];
  return (low + high) / 2;
}
