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
  if (/\byesterday\b/i.test(query)) return now - midnight + 86_400_000;
  return undefined;
}
