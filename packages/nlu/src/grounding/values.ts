import type { Quantity, Statement, Word } from "./read-statement.js";

/** A number, a time or a name, with what it can be exchanged for: another of its kind. */
export interface Value {
  readonly kind: string;
  /** What it can be exchanged for in a sentence: "colony 4" for "colony 7", "in A" for "in B"; empty for nothing. */
  readonly group: string;
  readonly key: string;
  /** `NaN` for a name. */
  readonly size: number;
  /** Place among the words of its statement. */
  readonly at: number;
  readonly part: number;
  readonly quantity?: Quantity | undefined;
}

/** How close each word, number and name is to a value, from 0 to 1. */
export type Context = ReadonlyMap<string, number>;

/** Values of a statement, in order. */
export function listValues({ quantities, times, words }: Statement): readonly Value[] {
  const values: Value[] = quantities.map((quantity) => ({
    kind: `number ${quantity.units[0]?.dimension ?? ""}`,
    group: quantity.units[0]?.name ?? nounOf(words, quantity),
    key: `#${quantity.value}`,
    size: toBase(quantity),
    at: quantity.at,
    part: quantity.part,
    quantity,
  }));
  for (const { kind, text, at, part } of times)
    values.push({
      kind,
      group: kind,
      key: `${kind} ${text}`,
      size: kind === "clock" ? toSeconds(text) : Number(text),
      at,
      part,
    });
  for (const [at, { text, lower, isId, isContent, isFirst, part }] of words.entries())
    if (isId || (isContent && !isFirst && /^\p{Lu}/u.test(text)))
      values.push({
        kind: "name",
        group: groupOf(words, at),
        key: lower,
        size: Number.NaN,
        at,
        part,
      });
  return values.sort((a, b) => a.at - b.at);
}

/** What a number without a unit numbers or counts: "zone 3", "31 votes". */
function nounOf(words: readonly Word[], { at, part }: Quantity): string {
  const near = [words[at - 1], words[at]].find(
    (word) => word?.isContent === true && word.part === part,
  );
  return near === undefined ? "" : `of ${near.stem}`;
}

const titles = /^(?:mr|mrs|ms|dr|herr|frau|señora?|sra?)$/;

/** Names that differ in their numbers, people with a title, and places behind "in". */
function groupOf(words: readonly Word[], at: number): string {
  const lower = words[at]?.lower ?? "";
  const before = words[at - 1]?.lower ?? "";
  if (/\d/.test(lower)) return `like ${lower.replace(/\d+/g, "0")}`;
  if (titles.test(before)) return "person";
  return before === "in" ? "place" : "";
}

/** The value in the base unit of its dimension. */
export function toBase({ value, units }: Pick<Quantity, "value" | "units">): number {
  return units.reduce((product, { factor }) => product * factor, value);
}

function toSeconds(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

const acrossPart = 0.7;
const acrossValue = 0.55;
const behindValue = 0.85;
/** Weight of the words of the statement before, and number of words around a value that count. */
const acrossStatement = 0.12;
const reach = 40;

/** What stands around a value: the nearer, and the fewer other values of its kind between, the closer. */
export function readContext(
  value: Value,
  { words }: Statement,
  values: readonly Value[],
  before: readonly (Statement | undefined)[] = [],
): Context {
  const context = new Map<string, number>();
  const add = (key: string, closeness: number) => {
    if (key !== value.key && closeness > (context.get(key) ?? 0)) context.set(key, closeness);
  };
  for (const one of before)
    for (const { stem, isContent } of one?.words.slice(-reach) ?? [])
      if (isContent) add(stem, acrossStatement);
  const rivals = values.filter(
    (one) => one !== value && one.kind === value.kind && Math.abs(one.at - value.at) <= reach,
  );
  // A value stands before the word of its place: two of one place are in the order of their parts.
  const placeOf = (one: Value) => one.at - 0.5 + one.part * 1e-4;
  const own = placeOf(value);
  const closeness = (place: number, part: number) => {
    const [from, to] = place < own ? [place, own] : [own, place];
    const between = rivals.filter((one) => placeOf(one) > from && placeOf(one) < to).length;
    return (
      acrossPart ** Math.abs(part - value.part) *
      acrossValue ** between *
      (place < own ? 1 : behindValue)
    );
  };
  for (
    let at = Math.max(0, value.at - reach);
    at < Math.min(words.length, value.at + reach);
    at++
  ) {
    const word = words[at];
    if (word?.isContent === true) add(word.stem, closeness(at, word.part));
  }
  for (const one of values)
    if (one !== value && one.kind !== "name" && Math.abs(one.at - value.at) <= reach)
      add(one.key, closeness(placeOf(one), one.part));
  return context;
}
