import { phrases } from "./question-words.js";

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `10 minutes`, `2h`, `hour`: digits are optional. */
const span =
  /\b(?:last|past|within(?: the)?(?: last| past)?|previous|since) (\d{1,6})? ?(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?|rs?)?|d(?:ays?)?|w(?:eeks?)?)\b/i;
const ago =
  /\b(\d{1,6}) ?(s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?|rs?)?|d(?:ays?)?) ago\b/i;
const clockTime =
  /\b(?:since|after|from) (\d{1,2})(?::(\d{2}))?(?: ?(am|pm))?(?: ?(?:utc|z|gmt|o'clock))?(?=[\s?.,!]|$)/i;

const week = phrases("period.week");
const month = phrases("period.month");

/**
 * How far a query looks back, in milliseconds before `now`: `in the last 10 minutes`, `since 09:00`,
 * `today`. Times of day are UTC, as in a cluster; one that is still to come was yesterday's.
 */
export function readPeriod(query: string, now: number): number | undefined {
  const found = span.exec(query) ?? ago.exec(query);
  if (found !== null) {
    const unit = units[found[2]?.charAt(0).toLowerCase() ?? ""] ?? 0;
    return Number(found[1] ?? 1) * unit;
  }
  const midnight = now - (now % 86_400_000);
  const at = clockTime.exec(query);
  if (at !== null) {
    const [, hour = "0", minute = "0", half = ""] = at;
    const hours = (Number(hour) % (half === "" ? 24 : 12)) + (/pm/i.test(half) ? 12 : 0);
    const moment = midnight + hours * 3_600_000 + Number(minute) * 60_000;
    return moment <= now ? now - moment : now - moment + 86_400_000;
  }
  if (/\b(?:today|this morning)\b/i.test(query)) return now - midnight;
  if (week.test(query)) return 7 * 86_400_000;
  if (month.test(query)) return 30 * 86_400_000;
  if (/\byesterday\b/i.test(query)) return now - midnight + 86_400_000;
  return undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Parts of a day, in hours after its midnight. */
const parts: Readonly<Record<string, readonly [from: number, to: number]>> = {
  night: [20, 31],
  evening: [16, 25],
  afternoon: [11, 19],
  morning: [3, 13],
};
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const pastMoment = new RegExp(
  `(?<!\\b(?:since|until|than) (?:the )?)\\b(?:(yesterday|last)(?: (night|evening|afternoon|morning))?|(?:(night|evening|afternoon|morning) (?:from|of|on) )?(?:last )?(${weekdays.join("|")})(?: (night|evening|afternoon|morning))?)\\b`,
  "i",
);

/**
 * The past moment that a query asks about: `yesterday evening`, `in the night from Tuesday to Wednesday`. Undefined for one
 * about the present, and for a time that has not ended: `since Monday`.
 */
export function readMoment(
  query: string,
  now: number,
): { readonly from: number; readonly to: number } | undefined {
  // "It was fine yesterday" asks about now.
  if (/\b(?:fine|ok|okay|worked|good|healthy)\b/i.test(query)) return undefined;
  const [, near, nearPart, before, weekday, after] = pastMoment.exec(query) ?? [];
  const part = (nearPart ?? before ?? after)?.toLowerCase();
  if ((near === undefined && weekday === undefined) || (near?.toLowerCase() === "last" && !part))
    return undefined;
  const midnight = now - (now % dayMs);
  const wanted = weekdays.indexOf(weekday?.toLowerCase() ?? "");
  const days = wanted < 0 ? 1 : (new Date(now).getUTCDay() - wanted + 7) % 7 || 7;
  const [from, to] = parts[part ?? ""] ?? [0, 24];
  const start = midnight - days * dayMs;
  return { from: start + from * hourMs, to: Math.min(now, start + to * hourMs) };
}
