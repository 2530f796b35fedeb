const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const named: Readonly<Record<string, number>> = {
  "@hourly": hour,
  "@daily": day,
  "@midnight": day,
  "@weekly": 7 * day,
  "@monthly": 31 * day,
  "@yearly": 366 * day,
  "@annually": 366 * day,
};

/**
 * The longest time between two runs of a cron schedule, in milliseconds, by its fields: at least that long
 * for a list of times. Undefined for a text that is not a schedule of five fields.
 */
export function schedulePeriod(schedule: string): number | undefined {
  const known = named[schedule.trim()];
  if (known !== undefined) return known;
  const fields = schedule.trim().split(/\s+/).slice(-5);
  if (fields.length !== 5) return undefined;
  const [minutes = "", hours = "", date = "", month = "", weekday = ""] = fields;
  if (month !== "*") return 366 * day;
  if (date !== "*") return 31 * day;
  if (weekday !== "*") return 7 * day;
  if (hours !== "*") return parseStep(hours, hour) ?? day;
  return parseStep(minutes, minute) ?? (minutes === "*" ? minute : hour);
}

/** Every n: a step over the whole field. */
function parseStep(field: string, unit: number): number | undefined {
  const step = /^\*\/(\d{1,3})$/.exec(field)?.[1];
  return step === undefined ? undefined : Number(step) * unit;
}

const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** True for a day of the month that none of the months of a schedule has, such as `0 0 31 2 *`. Single numbers only. */
export function neverMatches(schedule: string): boolean {
  const [, , date = "", month = "", weekday = ""] = schedule.trim().split(/\s+/).slice(-5);
  if (!/^\d{1,2}$/.test(date) || !/^\d{1,2}(?:,\d{1,2})*$/.test(month) || weekday !== "*")
    return false;
  return month.split(",").every((one) => Number(date) > (daysOfMonths[Number(one) - 1] ?? 0));
}
