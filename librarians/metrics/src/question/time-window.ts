import type { Reading } from "@constellation/nlu";

/** The window that a question is about, and the baseline before it. Epoch milliseconds. */
export interface TimeWindow {
  /** Start of the baseline, which ends at `start`. */
  readonly baselineStart: number;
  readonly start: number;
  readonly end: number;
  /** A time that the question names and that could not be read. */
  readonly unread?: string;
}

/** Default lengths of windows and baselines, in milliseconds. */
export interface WindowDefaults {
  readonly windowMs: number;
  /** Length of the baseline of a window that the question names. */
  readonly baselineMs: number;
  /** Length of the baseline when the question names no time: a problem may last for hours. */
  readonly lookbackMs: number;
}

/** Maximum length of a window. */
const maxWindowMs = 7 * 86_400_000;

/** Words before a time of day or a length of time. */
const moment = /\b(at|since|from|around)\s+$/i;
const stretch = /\b(?:last|past|previous)\s*$/i;

/** Reads the window of a question: "in the last 30 minutes", "since 09:00", "at 2026-03-14T09:36Z", "2 hours ago".
 * Times of day are UTC, on the day of `now`, or the day before when they are in the future.
 *
 * @returns The last `windowMs` before `now` when the question names no time that can be read.
 */
export function readTimeWindow(
  { text, spans }: Pick<Reading, "text" | "spans">,
  now: number,
  { windowMs, baselineMs, lookbackMs }: WindowDefaults,
): TimeWindow {
  const until = (start: number, end: number): TimeWindow => ({
    baselineStart: start - baselineMs,
    start,
    end: Math.max(end, start + 60_000),
  });
  for (const span of spans) {
    const before = text.slice(0, span.start);
    if (span.kind === "duration" && span.ms >= 60_000) {
      const ms = Math.min(span.ms, maxWindowMs);
      if (stretch.test(before) || stretch.test(span.text.split(" ")[0] ?? ""))
        return until(now - ms, now);
      if (/^\s+ago\b/i.test(text.slice(span.end))) return until(now - ms, now - ms + windowMs);
    }
    const at = span.kind === "time" ? parseMoment(span.text, now) : undefined;
    if (at === undefined || now - at > maxWindowMs) continue;
    const [, word = "at"] = moment.exec(before) ?? [];
    return /since|from/i.test(word) ? until(at, now) : until(at, Math.min(now, at + windowMs));
  }
  const unread = spans.find(({ kind }) => kind === "time")?.text;
  const last = { baselineStart: now - windowMs - lookbackMs, start: now - windowMs, end: now };
  return unread === undefined ? last : { ...last, unread };
}

/** Parses a time in the past; `undefined` for an invalid or future one. */
function parseMoment(text: string, now: number): number | undefined {
  if (!/^(?:\d{1,2}:\d\d|\d{4}-\d\d-\d\d[T ]\d\d:\d\d)/.test(text)) return undefined;
  if (!text.includes("-")) {
    const [hours = 99, minutes = 99] = text.split(":").map(Number);
    if (hours > 23 || minutes > 59) return undefined;
    const today = new Date(now).setUTCHours(hours, minutes, 0, 0);
    return today <= now ? today : today - 86_400_000;
  }
  const iso = text.replace(" ", "T");
  const at = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(at) || at > now ? undefined : at;
}
