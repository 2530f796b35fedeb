/** Units by spelling, in lower case, with their measure and their factor to its base unit. */
interface Unit {
  readonly measure: "time" | "bytes" | "share" | "money" | "cores";
  readonly factor: number;
}

const units: Readonly<Record<string, Unit>> = {
  ...each("time", 1e-9, "ns nanosecond nanoseconds"),
  ...each("time", 1e-6, "us µs μs microsecond microseconds"),
  ...each("time", 1e-3, "ms msec millis millisecond milliseconds"),
  ...each("time", 1, "s sec secs second seconds"),
  ...each("time", 60, "m min mins minute minutes"),
  ...each("time", 3_600, "h hr hrs hour hours"),
  ...each("time", 86_400, "d day days"),
  ...each("time", 604_800, "w wk week weeks"),
  ...each("time", 2_592_000, "month months"),
  ...each("time", 31_536_000, "y yr year years"),
  ...each("bytes", 1, "b byte bytes"),
  ...each("bytes", 1e3, "kb kilobyte kilobytes"),
  ...each("bytes", 1e6, "mb megabyte megabytes"),
  ...each("bytes", 1e9, "gb gigabyte gigabytes"),
  ...each("bytes", 1e12, "tb terabyte terabytes"),
  ...each("bytes", 1_024, "kib ki kibibyte kibibytes"),
  ...each("bytes", 1_024 ** 2, "mib mi mebibyte mebibytes"),
  ...each("bytes", 1_024 ** 3, "gib gi gibibyte gibibytes"),
  ...each("bytes", 1_024 ** 4, "tib ti tebibyte tebibytes"),
  ...each("share", 1, "% percent"),
  ...each("money", 1, "usd eur gbp dollar dollars euro euros $ € £"),
  ...each("cores", 1, "core cores cpu cpus vcpu vcpus"),
};

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
  return Object.hasOwn(units, name) ? units[name] : undefined;
}

function lower(unit: string): string {
  return unit.replace(/^[\s\u00A0-]/, "").toLowerCase();
}

/** Twelve digits, so that 0.1 + 0.2 is 0.3. */
function toAmountKey(measure: string, amount: number): string {
  return `${measure}:${Number(amount.toPrecision(12))}`;
}

function each(measure: Unit["measure"], factor: number, names: string): Record<string, Unit> {
  return Object.fromEntries(names.split(" ").map((name) => [name, { measure, factor }]));
}
