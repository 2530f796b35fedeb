/** The time a question is about, and the time before it to compare with. Epoch milliseconds. */
export interface TimeWindow {
  /** Start of the time it is compared with, which ends at `start`. */
  readonly baselineStart: number;
  readonly start: number;
  readonly end: number;
}

/** Lengths a window has where the question gives none, in milliseconds. */
export interface WindowDefaults {
  readonly windowMs: number;
  /** Time before a window that the question names. */
  readonly baselineMs: number;
  /** Time before the last `windowMs`, where the question names no time: what is wrong may be so for hours. */
  readonly lookbackMs: number;
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Longest window a question can ask for. */
const maxWindowMs = 7 * 86_400_000;

const lastUnits = /\b(?:last|past)\s+(\d{1,4})\s*(m|h|d)(?:in|ins|inutes?|ours?|rs?|ays?)?\b/i;
const lastUnit = /\b(?:last|past)\s+(minute|hour|day)\b/i;
const moment =
  /\b(at|since|from|around)\s+(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?|\d{1,2}:\d\d)(?![\d:])/i;

/**
 * Reads when a question is about: "in the last 30 minutes", "since 09:00", "at 2026-03-14T09:36Z".
 * Times of day are UTC, on the day of `now` or, when still to come, the day before.
 *
 * @returns The last `windowMs` before `now` where the question names no time.
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
  const at = text === undefined ? undefined : momentOf(text, now);
  if (at !== undefined && now - at <= maxWindowMs) {
    return /since|from/i.test(word ?? "")
      ? before(at, now)
      : before(at, Math.min(now, at + windowMs));
  }
  const length = lengthOf(question);
  return length === undefined ? before(now - windowMs, now, lookbackMs) : before(now - length, now);
}

function lengthOf(question: string): number | undefined {
  const [, amount, unit = ""] = lastUnits.exec(question) ?? [];
  const [, single] = lastUnit.exec(question) ?? [];
  const named = single?.charAt(0) ?? unit;
  const ms =
    Number(amount ?? (single === undefined ? Number.NaN : 1)) * (unitMs[named.toLowerCase()] ?? 0);
  return ms >= 60_000 ? Math.min(ms, maxWindowMs) : undefined;
}

/** A moment in the past; `undefined` for one that does not exist or is still to come. */
function momentOf(text: string, now: number): number | undefined {
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
