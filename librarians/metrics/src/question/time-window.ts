/** The window that a question is about, and the baseline before it. Epoch milliseconds. */
export interface TimeWindow {
  /** Start of the baseline, which ends at `start`. */
  readonly baselineStart: number;
  readonly start: number;
  readonly end: number;
}

/** Default lengths of windows and baselines, in milliseconds. */
export interface WindowDefaults {
  readonly windowMs: number;
  /** Length of the baseline of a window that the question names. */
  readonly baselineMs: number;
  /** Length of the baseline when the question names no time: a problem may last for hours. */
  readonly lookbackMs: number;
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Maximum length of a window. */
const maxWindowMs = 7 * 86_400_000;

const lastUnits = /\b(?:last|past)\s+(\d{1,4})\s*(m|h|d)(?:in|ins|inutes?|ours?|rs?|ays?)?\b/i;
const lastUnit = /\b(?:last|past)\s+(minute|hour|day)\b/i;
const moment =
  /\b(at|since|from|around)\s+(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?|\d{1,2}:\d\d)(?![\d:])/i;

/** Reads the window of a question: "in the last 30 minutes", "since 09:00", "at 2026-03-14T09:36Z".
 * Times of day are UTC, on the day of `now`, or the day before when they are in the future.
 *
 * @returns The last `windowMs` before `now` when the question names no time.
 */
export function readTimeWindow(
  question: string,
  now: number,
  { windowMs, baselineMs, lookbackMs }: WindowDefaults,
): TimeWindow {
  const before = (start: number, end: number, comparedMs = baselineMs): TimeWindow => ({
    baselineStart: start - comparedMs,
    start,
    end: Math.max(end, start + 60_000),
  });
  const [, word, text] = moment.exec(question) ?? [];
  const at = text === undefined ? undefined : parseMoment(text, now);
  if (at !== undefined && now - at <= maxWindowMs) {
    return /since|from/i.test(word ?? "")
      ? before(at, now)
      : before(at, Math.min(now, at + windowMs));
  }
  const length = readWindowLength(question);
  return length === undefined ? before(now - windowMs, now, lookbackMs) : before(now - length, now);
}

function readWindowLength(question: string): number | undefined {
  const [, amount, unit = ""] = lastUnits.exec(question) ?? [];
  const [, single] = lastUnit.exec(question) ?? [];
  const named = single?.charAt(0) ?? unit;
  const ms =
    Number(amount ?? (single === undefined ? Number.NaN : 1)) * (unitMs[named.toLowerCase()] ?? 0);
  return ms >= 60_000 ? Math.min(ms, maxWindowMs) : undefined;
}

/** Parses a time in the past; `undefined` for an invalid or future one. */
function parseMoment(text: string, now: number): number | undefined {
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
