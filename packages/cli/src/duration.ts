import { maxTimerMs } from "@constellation/core";

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads `500ms`, `10s`, `2m` or `1h`, as milliseconds. A number without a unit is invalid. */
export function parseDuration(text: string, maxMs = maxTimerMs): number | undefined {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const ms = Number(amount) * (unitMs[unit] ?? Number.NaN);
  return ms >= 1 && ms <= maxMs ? ms : undefined;
}
