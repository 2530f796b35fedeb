import type { Aspect } from "../question/intent.js";
import type { Assessment } from "../signals/assess.js";
import { formatTime, formatValue } from "./format.js";
import type { Measurement } from "./measurement.js";
import { escapeMarkdown } from "./text.js";

/** What is worst for users comes first. */
const byHarm: readonly Aspect[] = ["errors", "latency", "saturation", "traffic"];

/** A signal in a sentence, behind the name of its workload. */
const phrases: Readonly<Record<Aspect, (value: string, title: string) => string>> = {
  errors: (value) => `fails ${value}${value.endsWith("%") ? " of requests" : ""}`,
  latency: (value) => `takes ${value} (95th percentile)`,
  traffic: (value) => `gets ${value.replace("/s", " requests/s")}`,
  saturation(value, title) {
    if (title.startsWith("Restarts"))
      return `restarted ${Math.round(Number(value))} times in 15 minutes`;
    if (title.startsWith("CPU throttling")) return `is throttled ${value} of the time`;
    if (title.startsWith("CPU")) return `uses ${value}`;
    return `uses ${value}${value.endsWith("%") ? " of its memory limit" : " of memory"}`;
  },
};

/**
 * The first sentence of an answer: whether it is as was asked, then what changed, the worst for users first, or else the values
 * that were asked for.
 */
export function writeHeadline(measured: Measurement): string {
  const { subject, assessments, asksWhether, window } = measured;
  const abnormal = assessments.filter(({ isAbnormal }) => isAbnormal);
  const moved = assessments.filter(({ change }) => change === "up" || change === "down");
  const isWell = abnormal.length === 0;
  const [first, ...others] = sortByHarm(
    isWell ? (moved.length > 0 ? moved : assessments) : abnormal,
  );
  const rest = others.slice(1).length;
  const verdict =
    asksWhether === undefined ? "" : isWell === (asksWhether === "well") ? "Yes: " : "No: ";
  return [
    `${verdict}${escapeMarkdown(subject.name)} ${first === undefined ? "" : phrase(first)}`,
    moved.length === 0 && isWell ? "" : first && describeChange(first),
    others[0] === undefined ? "" : ` and ${phrase(others[0])}`,
    moved.length === 0 && isWell ? describeUsual(assessments, window) : "",
    rest === 0 || moved.length === 0 ? "" : `; ${rest} more changed`,
    ".",
  ].join("");
}

function phrase({ signal, current }: Assessment): string {
  return phrases[signal.aspect](formatValue(current, signal.unit), signal.title);
}

function sortByHarm(assessments: readonly Assessment[]): readonly Assessment[] {
  return byHarm.flatMap((aspect) => assessments.filter(({ signal }) => signal.aspect === aspect));
}

/** What a signal was before, and since when it is not. */
function describeChange({ baseline, signal, since }: Assessment): string {
  const from = since === undefined ? "" : ` since ${formatTime(since)} UTC`;
  return baseline === undefined ? from : `${from} (${formatValue(baseline, signal.unit)} before)`;
}

function describeUsual(
  assessments: readonly Assessment[],
  { baselineStart, start }: Measurement["window"],
): string {
  return assessments.some(({ change }) => change === "usual")
    ? `, as in the ${formatLength(start - baselineStart)} before`
    : ", with nothing from before to compare";
}

function formatLength(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 90) return minutes === 60 ? "hour" : `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
