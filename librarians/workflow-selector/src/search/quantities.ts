import type { Span } from "@constellation/nlu";

/** A limit that a text sets: "below 10 s", "at least two", "above 50%". */
export interface Limit {
  readonly kind: "below" | "above";
  readonly quantity: Quantity;
}

/** A number and what it counts, in the base unit of its dimension. */
export interface Quantity {
  readonly value: number;
  /** `%`, `ms`, `B`, or the word that follows the number; blank for a bare number. */
  readonly unit: string;
}

/** What stands before the number of a limit. */
const lower = ["above", "over", "more than", "at least", "exceeds", "exceeding", "exceed"];
const upper = ["below", "under", "less than", "fewer than", "at most", "up to"];

const bytes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
};

/** Quantities among the spans of a text. */
export function quantitiesIn(spans: readonly Span[]): readonly Quantity[] {
  return spans.flatMap((span) => toQuantity(span) ?? []);
}

/** Limits among the spans of a text. */
export function limitsIn(text: string, spans: readonly Span[]): readonly Limit[] {
  return spans.flatMap((span) => {
    const before = text
      .slice(Math.max(0, span.start - 20), span.start)
      .trimEnd()
      .toLowerCase();
    const isAfter = (words: readonly string[]) => words.some((word) => before.endsWith(word));
    const quantity = toQuantity(span);
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

function toQuantity(span: Span): Quantity | undefined {
  if (span.kind === "duration") return { value: span.ms, unit: "ms" };
  if (span.kind !== "number") return undefined;
  const word = span.unit.toLowerCase().replace(/ib$/, "i");
  const factor = bytes[word];
  if (factor !== undefined) return { value: span.value * factor, unit: "B" };
  return { value: span.value, unit: word === "percent" ? "%" : word };
}
