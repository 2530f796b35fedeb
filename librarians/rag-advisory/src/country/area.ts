import type { AreaUnit, CountryConventions } from "./conventions.js";

/** Square feet in a square metre. */
export const sqftPerSqm = 10.763_910_4;

const sqftOf: readonly (readonly [form: RegExp, sqft: number])[] = [
  [/^(?:sq\.?\s?ft|sqft|sft|square f)/i, 1],
  [/^(?:sq\.?\s?m|sqm|m2|m²|square m)/i, sqftPerSqm],
  [/^(?:sq\.?\s?y|square y|gaj)/i, 9],
  [/^acre/i, 43_560],
];
const area =
  /(?<![\w.,])(\d{1,3}(?:,\d{2,3}){1,4}(?:\.\d{1,4})?|\d{1,9}(?:\.\d{1,4})?)\s?-?(sq\.?\s?(?:ft|m|yds?|yards?)(?![a-z])|sqft|sft|sqm|m2|m²|square (?:feet|foot|met(?:re|er)s?|yards?)|gaj|acres?)/giu;

/** Reads the areas in a text, in square feet. Of the text the first 20,000 characters are read. */
export function readAreas(text: string): readonly number[] {
  return [...text.slice(0, 20_000).matchAll(area)].map(([, digits = "", unit = ""]) => {
    const factor = sqftOf.find(([form]) => form.test(unit))?.[1] ?? 1;
    return Number(digits.replaceAll(",", "")) * factor;
  });
}

/** Prints an area in the unit of the country: `1,200 sqft`, `111 sqm`. */
export function printArea(sqft: number, { areaUnit, locale }: CountryConventions): string {
  return `${Math.round(inUnit(sqft, areaUnit)).toLocaleString(locale)} ${areaUnit}`;
}

/** Square feet in another unit. */
export function inUnit(sqft: number, unit: AreaUnit): number {
  return unit === "sqft" ? sqft : sqft / sqftPerSqm;
}

/** A price for a square foot as one for another unit. */
export function rateInUnit(perSqft: number, unit: AreaUnit): number {
  return unit === "sqft" ? perSqft : perSqft * sqftPerSqm;
}
