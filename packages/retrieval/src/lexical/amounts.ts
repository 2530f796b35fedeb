/** A unit: its base unit and its factor. */
export interface Unit {
  readonly base: "s" | "B" | "%" | "mo" | "y";
  readonly factor: number;
}

/** Prefix of amounts as terms; no word begins with it. */
const mark = "=";

/**
 * Units by name, lower case. Kilobytes count as 1,024 bytes, because texts do not distinguish the
 * two.
 */
const unitsByName: ReadonlyMap<string, Unit> = new Map([
  ...named("s", 1e-9, "ns nanosecond nanoseconds"),
  ...named("s", 1e-6, "us µs μs microsecond microseconds"),
  ...named("s", 1e-3, "ms msec millis millisecond milliseconds"),
  ...named("s", 1, "sec secs second seconds"),
  ...named("s", 60, "min mins minute minutes"),
  ...named("s", 3_600, "hr hrs hour hours"),
  ...named("s", 86_400, "day days"),
  ...named("s", 604_800, "week weeks"),
  ...named("mo", 1, "month months"),
  ...named("y", 1, "year years"),
  ...named("B", 1, "byte bytes"),
  ...named("B", 1_024, "kb kib ki kilobyte kilobytes kibibyte kibibytes"),
  ...named("B", 1_024 ** 2, "mb mib mi megabyte megabytes mebibyte mebibytes"),
  ...named("B", 1_024 ** 3, "gb gib gi gigabyte gigabytes gibibyte gibibytes"),
  ...named("B", 1_024 ** 4, "tb tib ti terabyte terabytes tebibyte tebibytes"),
  ...named("%", 1, "percent"),
]);

/** Units of one letter, which count only directly after the number. */
const unitsByLetter: ReadonlyMap<string, Unit> = new Map([
  ...named("s", 1, "s"),
  ...named("s", 60, "m"),
  ...named("s", 3_600, "h"),
  ...named("s", 86_400, "d"),
  ...named("s", 604_800, "w"),
  ...named("y", 1, "y"),
  ...named("B", 1, "B"),
  ...named("B", 1_024, "K"),
  ...named("B", 1_024 ** 2, "M"),
  ...named("B", 1_024 ** 3, "G"),
  ...named("B", 1_024 ** 4, "T"),
  ...named("%", 1, "%"),
]);

const numbersByName: ReadonlyMap<string, number> = new Map([
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((name, value) => [name, value] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety hundred"
    .split(" ")
    .map((name, at) => [name, 10 * (at + 2)] as const),
]);

/** Finds the unit that a word names: `seconds`, `MiB`, `percent`. */
export function findUnit(word: string): Unit | undefined {
  return unitsByName.get(word.toLowerCase());
}

/** Parses a word as a number: `30`, `1.5`, `30,000`, `thirty`, `twenty-four`. */
export function parseNumber(word: string): number | undefined {
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(word)) return Number(word);
  if (/^\d{1,3}(?:,\d{3}){1,4}$/.test(word)) return Number(word.replaceAll(",", ""));
  const parts = word.toLowerCase().split("-", 3);
  const values = parts.map((part) => numbersByName.get(part));
  const [first, second] = values;
  if (values.length === 1) return first;
  if (values.length > 2 || first === undefined || second === undefined) return undefined;
  return first >= 20 && first < 100 && second > 0 && second < 10 ? first + second : undefined;
}

/** Normalised term of an amount: `5m`, `5 minutes`, `five minutes` and `300s` share it. */
export function amountTerm(number: number, { base, factor }: Unit): string {
  // Twelve digits, so that 0.1 + 0.2 is 0.3.
  return `${mark}${Number((number * factor).toPrecision(12))}${base}`;
}

/** Whether a term is an amount. */
export function isAmountTerm(term: string): boolean {
  return term.startsWith(mark);
}

/** An amount written as one word. */
export interface WrittenAmount {
  /** The words in it; the unit is one of them only when a hyphen separates it from the number. */
  readonly words: readonly string[];
  readonly term: string;
}

/** Reads an amount that is one word: `30s`, `512Mi`, `30-second`, `1h30m`, `50%`. */
export function amountIn(word: string): WrittenAmount | undefined {
  if (word.length > 40 || !/^[\p{N}\p{L}]/u.test(word)) return undefined;
  const attached = /^(\d[\d.,]*)(-?)([a-zµμ]{1,12}|%)$/i.exec(word);
  if (attached !== null) {
    const [, digits = "", joint, name = ""] = attached;
    const number = parseNumber(digits);
    const unit = joint === "" ? (unitsByLetter.get(name) ?? findUnit(name)) : findUnit(name);
    if (number === undefined || unit === undefined) return undefined;
    const words = joint === "" ? [digits] : [digits, name];
    return { words, term: amountTerm(number, unit) };
  }
  if (/^(?:\d{1,9}(?:ms|[dhmsw])){2,5}$/.test(word)) {
    let seconds = 0;
    for (const [, digits, name = ""] of word.matchAll(/(\d{1,9})(ms|[dhmsw])/g)) {
      const unit = unitsByLetter.get(name) ?? findUnit(name);
      seconds += Number(digits) * (unit?.factor ?? 0);
    }
    return { words: [word], term: amountTerm(seconds, { base: "s", factor: 1 }) };
  }
  const cut = word.lastIndexOf("-");
  const number = cut < 0 ? undefined : parseNumber(word.slice(0, cut));
  const unit = cut < 0 ? undefined : findUnit(word.slice(cut + 1));
  if (number === undefined || unit === undefined) return undefined;
  return { words: word.split("-"), term: amountTerm(number, unit) };
}

function named(base: Unit["base"], factor: number, names: string): readonly [string, Unit][] {
  return names.split(" ").map((name) => [name, { base, factor }]);
}
