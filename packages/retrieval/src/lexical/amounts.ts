import { toEnglishUnit } from "@constellation/nlu";

/** A unit: its base unit and its factor. */
export interface Unit {
  readonly base: "s" | "B" | "%" | "mo" | "y";
  readonly factor: number;
}

/** Prefix of amounts as terms; no word begins with it. */
const mark = "=";

/** Units of one letter, which count only directly after the number; `m` is a minute, and `K` to `T` are bytes. */
const letters: Readonly<Record<string, string>> = {
  ...{ s: "s", m: "min", h: "h", d: "d", w: "week", y: "year", B: "b" },
  ...{ K: "ki", M: "mi", G: "gi", T: "ti", "%": "%" },
};

const numbersByName: ReadonlyMap<string, number> = new Map([
  ..."zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((name, value) => [name, value] as const),
  ..."twenty thirty forty fifty sixty seventy eighty ninety hundred"
    .split(" ")
    .map((name, at) => [name, 10 * (at + 2)] as const),
]);

/**
 * Finds the unit that a word names: `seconds`, `MiB`, `percent`. Kilobytes count as 1,024 bytes, because texts do not
 * distinguish the two.
 */
export function findUnit(word: string): Unit | undefined {
  return word.length < 2 || word === "pct" ? undefined : toUnit(word);
}

function toUnit(word: string): Unit | undefined {
  const unit = toEnglishUnit(word);
  if (unit === undefined) return undefined;
  const { name, dimension, factor } = unit;
  if (name === "month") return { base: "mo", factor: 1 };
  if (name === "year") return { base: "y", factor: 1 };
  if (dimension === "time") return { base: "s", factor };
  if (dimension === "share") return { base: "%", factor: 1 };
  if (dimension !== "data") return undefined;
  const binary = toEnglishUnit(name.replace(/^([kmgt])b$/, "$1i"));
  return { base: "B", factor: binary?.factor ?? 1 };
}

function findLetter(name: string): Unit | undefined {
  return Object.hasOwn(letters, name) ? toUnit(letters[name] ?? "") : undefined;
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
    const unit = joint === "" ? (findLetter(name) ?? findUnit(name)) : findUnit(name);
    if (number === undefined || unit === undefined) return undefined;
    const words = joint === "" ? [digits] : [digits, name];
    return { words, term: amountTerm(number, unit) };
  }
  if (/^(?:\d{1,9}(?:ms|[dhmsw])){2,5}$/.test(word)) {
    let seconds = 0;
    for (const [, digits, name = ""] of word.matchAll(/(\d{1,9})(ms|[dhmsw])/g)) {
      const unit = findLetter(name) ?? findUnit(name);
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
