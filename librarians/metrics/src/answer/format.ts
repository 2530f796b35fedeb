import type { Sample } from "../reader/metrics-reader.js";
import type { Unit } from "../signals/signal.js";

const bars = "▁▂▃▄▅▆▇█";

/**
 * Draws values as a line of bars, oldest first.
 *
 * @param width - Maximum number of bars; several samples share one where there are more.
 */
export function sparkline(samples: readonly Sample[], width = 24): string {
  const values = samples.map(({ value }) => value).filter(Number.isFinite);
  if (values.length === 0) return "";
  const count = Math.min(width, values.length);
  const groups = Array.from({ length: count }, (_, index) => {
    const group = values.slice(
      Math.floor((index * values.length) / count),
      Math.floor(((index + 1) * values.length) / count),
    );
    return group.reduce((sum, value) => sum + value, 0) / group.length;
  });
  const low = Math.min(...groups);
  const range = Math.max(...groups) - low;
  return groups
    .map((value) => bars[range === 0 ? 0 : Math.round(((value - low) / range) * (bars.length - 1))])
    .join("");
}

/** Writes a value with its unit: `12 %`, `1.9 s`, `41/s`, `384 MiB`. */
export function formatValue(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return String(value);
  switch (unit) {
    case "per-second":
      return `${formatNumber(value)}/s`;
    case "share":
      return `${formatNumber(value * 100)} %`;
    case "seconds":
      return value < 1 ? `${formatNumber(value * 1_000)} ms` : `${formatNumber(value)} s`;
    case "cores":
      return `${formatNumber(value)} cores`;
    case "bytes":
      return formatBytes(value);
    case "count":
      return formatNumber(value);
  }
}

/** At most three significant digits, without an exponent below a billion. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e9) return value.toExponential(2);
  if (size >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(size >= 10 ? 3 : 2)));
}

function formatBytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log2(Math.abs(value) || 1) / 10)),
  );
  return `${formatNumber(value / 1024 ** power)} ${units[power]}`;
}

/** `09:36`, in UTC. */
export function formatTime(at: number): string {
  return Number.isFinite(at) ? new Date(at).toISOString().slice(11, 16) : "an unknown time";
}
