import { toEnglishUnit } from "@constellation/nlu";

/** A unit as amounts are compared. */
interface Unit {
  readonly measure: "time" | "bytes" | "share" | "money" | "cores";
  readonly factor: number;
}

/** What the measures are called by the table of units. */
const measures: Readonly<Record<string, Unit["measure"]>> = {
  ...{ time: "time", data: "bytes", share: "share", currency: "money" },
};
/** Units as docs write them behind a number, by their names in the table. */
const short: Readonly<Record<string, string>> = {
  ...{ m: "min", w: "week", wk: "week", y: "year", yr: "year" },
};
/** Days of a month and of a year, in which docs give them. */
const days: Readonly<Record<string, number>> = { month: 30, year: 365 };

/** Units that may directly follow a number, and those that need a space or a hyphen between. */
const attached = "ns|us|µs|μs|ms|s|sec|secs|min|mins|m|hr|hrs|h|d|w|y|[KkMmGgTt]i?[Bb]|[KMGT]i|B|%";
const spaced =
  "nanoseconds?|microseconds?|milliseconds?|millis|msec|seconds?|secs?|sec|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|ns|µs|ms|[KkMmGgTt]i?[Bb]|(?:kilo|mega|giga|tera|kibi|mebi|gibi|tebi)?bytes?|%|percent|USD|EUR|GBP|dollars?|euros?|v?CPUs?|cores?";

/** Source of a regular expression for a unit after a number, with its space or hyphen. */
export const unitForm = `(?:(?:${attached})(?![\\w])|[ \\u00A0-](?:${spaced})(?![\\w]))`;

/**
 * The forms in which an amount is compared: `5m`, `5 minutes` and `300s` share one. Kilobytes count
 * both as 1,000 and as 1,024 bytes, because docs use either.
 *
 * @param unit - As written; empty for a bare number.
 */
export function amountKeys(value: number, unit: string): readonly string[] {
  const known = findUnit(unit);
  if (known === undefined) return [toAmountKey("count", value)];
  const amounts = [value * known.factor];
  const isDecimal =
    known.measure === "bytes" && /^[kmgt]b$|^(?:kilo|mega|giga|tera)/.test(lower(unit));
  if (isDecimal) amounts.push(value * 1_024 ** (Math.log10(known.factor) / 3));
  return amounts.map((amount) => toAmountKey(known.measure, amount));
}

/**
 * The bare numbers that may represent an amount where docs give the unit apart from the number: the
 * number itself, and what it is in a smaller unit that options are given in: `10s` as `10000`.
 */
export function bareKeys(value: number, unit: string): readonly string[] {
  const known = findUnit(unit);
  const numbers = [value];
  if (known?.measure === "time" && known.factor > 1e-6) {
    const seconds = value * known.factor;
    numbers.push(seconds, seconds * 1_000);
  }
  if (known?.measure === "bytes" && known.factor > 1) {
    for (const key of amountKeys(value, unit)) numbers.push(Number(key.split(":")[1]));
  }
  return numbers.map((number) => toAmountKey("count", number));
}

function findUnit(unit: string): Unit | undefined {
  const name = lower(unit);
  if (/^(?:core|v?cpu)s?$/.test(name)) return { measure: "cores", factor: 1 };
  const known = toEnglishUnit(Object.hasOwn(short, name) ? (short[name] ?? "") : name);
  const measure = known && measures[known.dimension];
  if (known === undefined || measure === undefined) return undefined;
  const inDays = days[known.name];
  return { measure, factor: inDays === undefined ? known.factor : inDays * 86_400 };
}

function lower(unit: string): string {
  return unit.replace(/^[\s\u00A0-]/, "").toLowerCase();
}

/** Twelve digits, so that 0.1 + 0.2 is 0.3. */
function toAmountKey(measure: string, amount: number): string {
  return `${measure}:${Number(amount.toPrecision(12))}`;
}
