import { readFileSync } from "node:fs";
import type { AreaUnit, CountryConventions } from "./countries.js";

const { areas, ...tables } = JSON.parse(
  readFileSync(new URL("../../data/measures.json", import.meta.url), "utf8"),
) as {
  readonly areas: Readonly<Record<string, { readonly sqft?: number; readonly words: string }>>;
} & Readonly<Record<"scales" | "currencies" | "periods", Readonly<Record<string, string>>>>;

/** What multiplies a number, by its word in lower case. */
export const scales = byWord(tables.scales);
/** Currencies (ISO 4217) by their words and signs in lower case. */
export const currencyWords = byWord(tables.currencies);
/** What a rate is for, `month` or `year`, by its word in lower case. */
export const periods = byWord(tables.periods);

function byWord(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([value, words]) =>
      words.split(" ").map((word) => [word, value] as const),
    ),
  );
}

const named: ReadonlyMap<string, { readonly name: string; readonly sqft: number | undefined }> =
  new Map(
    Object.entries(areas).flatMap(([name, { sqft, words }]) =>
      words.split("|").map((word) => [bare(word), { name, sqft }] as const),
    ),
  );
/** How a unit is written, as a part of an expression. */
export const unitPattern: string = Object.values(areas)
  .flatMap(({ words }) => words.split("|"))
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replaceAll(" ", "\\.?\\s?"))
  .join("|");
const area = new RegExp(
  `(?<![\\w.,])(?<digits>\\d{1,3}(?:,\\d{2,3}){1,4}(?:\\.\\d{1,4})?|\\d{1,9}(?:\\.\\d{1,4})?)\\s?-?(?<unit>${unitPattern})(?![a-z])`,
  "giu",
);
/** "Per cent" is a share, unless a price stands before it. */
const askedUnit = new RegExp(
  `(?:\\b(?<joint>in|into|per|a|an|many|each)\\s|(?<slash>/)\\s?)(?<unit>(?:(?<!(?<!(?:prices?|rates?|costs?|lakhs?|crores?|rupees)\\s)per\\s)cent|(?!cent\\b)(?:${unitPattern}))(?![a-z]))`,
  "iu",
);

/** The unit that a word names; without square feet where it differs by state. */
export function unitNamed(
  word: string,
): { readonly name: string; readonly sqft: number | undefined } | undefined {
  return named.get(bare(word));
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[\s.]/g, "");
}

/** An area that is in a text. */
export interface ReadArea {
  readonly sqft: number;
  readonly unit: AreaUnit;
}

/** Reads the areas in a text. Of the text the first 20,000 characters are read. */
export function readAreas(text: string): readonly ReadArea[] {
  return [...text.slice(0, 20_000).matchAll(area)].flatMap(({ groups = {} }) => {
    const { name = "", sqft } = unitNamed(groups.unit ?? "") ?? {};
    if (sqft === undefined) return [];
    return [{ sqft: Number(groups.digits?.replaceAll(",", "")) * sqft, unit: { name, sqft } }];
  });
}

/** The unit that a question wants figures in: "in acres" for areas, "per gunta" for rates. */
export function readAskedUnit(text: string):
  | {
      readonly name: string;
      readonly sqft: number | undefined;
      readonly isRate: boolean;
    }
  | undefined {
  const { joint, slash, unit = "" } = askedUnit.exec(text.slice(0, 20_000))?.groups ?? {};
  const found = unitNamed(unit);
  const isRate = slash !== undefined || /^(?:per|an?|each)$/i.test(joint ?? "");
  return found === undefined ? undefined : { ...found, isRate };
}

/** Prints an area in the unit of the country: `1,200 sqft`, `111 sqm`. */
export function printArea(sqft: number, { areaUnit, locale }: CountryConventions): string {
  const size = sqft / areaUnit.sqft;
  const digits = size < 100 ? Number(size.toPrecision(4)) : Math.round(size);
  return `${digits.toLocaleString(locale)} ${areaUnit.name}`;
}

/** One unit as the other: `1 gunta = 1,089 sqft`. */
export function describeConversion(one: AreaUnit, other: AreaUnit): string {
  const [large, small] = one.sqft >= other.sqft ? [one, other] : [other, one];
  const ratio = Number((large.sqft / small.sqft).toPrecision(6)).toLocaleString("en", {
    maximumFractionDigits: 4,
  });
  return `1 ${large.name} = ${ratio} ${small.name}`;
}
