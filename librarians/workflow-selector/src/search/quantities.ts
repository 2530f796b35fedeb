/** A limit that a text sets: "below 10 s", "at least two", "above 50%". */
export interface Limit {
  readonly kind: "below" | "above";
  readonly quantity: Quantity;
}

/** A number and what it counts, in the base unit of its dimension. */
export interface Quantity {
  readonly value: number;
  /** `%`, `s`, `B`, or the word that follows the number; blank for a bare number. */
  readonly unit: string;
}

const form = /(?<![\w.,-])(\d{1,12}(?:[.,]\d{1,9}){0,4})\s?(%|[a-zµ]{1,20})?/gi;
/** What stands before the number of a limit. */
const lower = ["above", "over", "more than", "at least", "exceeds", "exceeding", "exceed"];
const upper = ["below", "under", "less than", "fewer than", "at most", "up to"];

const seconds = {
  ms: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  h: 3_600,
  hour: 3_600,
  d: 86_400,
  day: 86_400,
  week: 604_800,
};
const bytes = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
type Unit = readonly [unit: string, factor: number];
const units: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ...Object.entries(seconds).map(([name, factor]): [string, Unit] => [name, ["s", factor]]),
  ...Object.entries(bytes).map(([name, factor]): [string, Unit] => [name, ["B", factor]]),
  ["percent", ["%", 1]],
]);

/** Quantities of a text, at most 50. */
export function quantitiesIn(text: string): readonly Quantity[] {
  return [...text.matchAll(form)]
    .slice(0, 50)
    .flatMap(([, number, unit]) => toQuantity(number, unit) ?? []);
}

/** Limits of a text, at most 20. */
export function limitsIn(text: string): readonly Limit[] {
  return [...text.matchAll(form)].slice(0, 20).flatMap(({ index, 1: number, 2: unit }) => {
    const before = text
      .slice(Math.max(0, index - 20), index)
      .trimEnd()
      .toLowerCase();
    const isAfter = (words: readonly string[]) => words.some((word) => before.endsWith(word));
    const quantity = toQuantity(number, unit);
    if (quantity === undefined || !(isAfter(upper) || isAfter(lower))) return [];
    return [{ kind: isAfter(upper) ? "below" : "above", quantity }];
  });
}

/** Whether a quantity keeps a limit; undefined where the two are not of one unit. */
export function keepsLimit(
  { kind, quantity }: Limit,
  { value, unit }: Quantity,
): boolean | undefined {
  if (quantity.unit === "" || unit !== quantity.unit) return undefined;
  return kind === "below" ? value <= quantity.value : value >= quantity.value;
}

function toQuantity(number = "", written = ""): Quantity | undefined {
  const value = Number(number.replace(/,(?=\d{3}(?:\D|$))/g, "").replace(",", "."));
  if (Number.isNaN(value)) return undefined;
  const word = written.toLowerCase();
  const known = units.get(word) ?? units.get(word.replace(/s$/, ""));
  return known === undefined ? { value, unit: word } : { value: value * known[1], unit: known[0] };
}
