import type { TimeWindow } from "../question/time-window.js";
import type { Sample } from "../reader/metrics-reader.js";
import type { Signal, Unit } from "./signal.js";

/** Comparison of a signal in a window with its baseline. */
export interface Assessment {
  readonly signal: Signal;
  /** Mean in the window. */
  readonly current: number;
  /** Median of the baseline; absent when it has too few samples. */
  readonly baseline: number | undefined;
  /** `usual`: within the range of the baseline; `unknown`: there is no baseline. */
  readonly change: "up" | "down" | "usual" | "unknown";
  /** Whether it needs attention: it got worse, or has nearly reached a limit. */
  readonly isAbnormal: boolean;
  /** Start of the change, in epoch milliseconds; present with a change. */
  readonly since: number | undefined;
  /** Time of the last sample, in epoch milliseconds. */
  readonly lastAt: number;
  /** Share of the expected samples that the window contains, 0 to 1. */
  readonly coverage: number;
  /** Finite samples of baseline and window, oldest first. */
  readonly samples: readonly Sample[];
}

/** Minimum change per unit, so that noise around zero does not count. */
const minChange: Readonly<Record<Unit, number>> = {
  "per-second": 0.1,
  share: 0.005,
  seconds: 0.02,
  cores: 0.05,
  bytes: 8 * 1024 * 1024,
  count: 0.9,
};
/** Minimum change as a share of the baseline, and in deviations from it. */
const minRelativeChange = 0.25;
const deviations = 4;
/** Scales the median absolute deviation to the standard deviation of a normal distribution. */
const madScale = 1.4826;
/** Minimum share of a limit at which it counts as nearly reached. */
const nearLimit = 0.9;
/** Traffic below this share of its baseline counts as a fault, too. */
const trafficLoss = 0.5;

/** Compares a window with its baseline.
 *
 * @returns `undefined` when the window has no finite sample.
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
    minChange[signal.unit],
    minRelativeChange * Math.abs(baseline),
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

/**
 * Median absolute deviation: the typical distance from the middle, which single spikes do not
 * affect.
 */
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
