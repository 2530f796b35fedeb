import type { PropertyType } from "../question/question.js";
import { readPropertyType } from "../question/subject-words.js";

/** What a column of a data row holds, and by what its numbers are multiplied. */
export interface Column {
  readonly kind:
    | "price"
    | "rate"
    | "rent"
    | "yield"
    | "area"
    | "date"
    | "type"
    | "bedrooms"
    | "locality"
    | "days-on-market"
    | "inventory";
  readonly factor: number;
  /** Of areas and rates. */
  readonly unit?: "sqft" | "sqm" | undefined;
  /** Of rents: 12 where they are for a year. */
  readonly months?: number | undefined;
}

const factors: Readonly<Record<string, number>> = {
  lakh: 1e5,
  lakhs: 1e5,
  lac: 1e5,
  lacs: 1e5,
  crore: 1e7,
  crores: 1e7,
  cr: 1e7,
  k: 1e3,
  thousand: 1e3,
  thousands: 1e3,
  m: 1e6,
  million: 1e6,
  millions: 1e6,
};

/**
 * Reads what a column holds from its name: `price_lakhs`, `Sale price (GBP)`, `rate_per_sqft`,
 * `bhk`, `sold_on`.
 *
 * @returns `undefined` for a column that says nothing an advisory computes with.
 */
export function readColumn(name: string): Column | undefined {
  const known = columns.get(name);
  if (known !== undefined) return known.column;
  const column = findColumn(name);
  if (columns.size >= maxColumns) columns.clear();
  columns.set(name, { column });
  return column;
}

/** Columns by name: a table has few, and thousands of rows. */
const columns = new Map<string, { readonly column: Column | undefined }>();
const maxColumns = 1_000;

function findColumn(name: string): Column | undefined {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\d²]+/u)
    .filter((word) => word !== "");
  const has = (...any: readonly string[]) => any.some((word) => words.includes(word));
  if (has("source", "country", "city", "title", "url")) return undefined;
  const unit = findUnit(words);
  const factor = words.map((word) => factors[word]).find((found) => found !== undefined) ?? 1;
  if (has("yield", "yields")) return { kind: "yield", factor: 1 };
  if (has("rent", "rental", "rents")) {
    return { kind: "rent", factor, months: has("annual", "yearly", "year", "pa") ? 12 : 1 };
  }
  if (words.join(" ").includes("days on market") || has("dom"))
    return { kind: "days-on-market", factor: 1 };
  if (has("inventory") || words.join(" ").includes("months of supply"))
    return { kind: "inventory", factor: 1 };
  const isDay = /\b(?:sold|registered|completed|listed) on\b/.test(words.join(" "));
  const isMoney = has(
    "price",
    "rate",
    "cost",
    "value",
    "amount",
    "consideration",
    "psf",
    "psm",
    "sold",
    "paid",
  );
  if (has("date", "period", "month", "quarter", "year") || isDay) {
    return { kind: "date", factor: 1 };
  }
  if (isMoney)
    return unit === undefined ? { kind: "price", factor } : { kind: "rate", factor, unit };
  if (unit !== undefined) return { kind: "area", factor: 1, unit };
  if (has("bedrooms", "bedroom", "beds", "bhk", "br", "bed"))
    return { kind: "bedrooms", factor: 1 };
  if (has("type", "kind", "configuration")) return { kind: "type", factor: 1 };
  if (
    has(
      "locality",
      "neighbourhood",
      "neighborhood",
      "suburb",
      "district",
      "sector",
      "postcode",
      "zip",
      "zipcode",
      "ward",
      "area",
    )
  ) {
    return { kind: "locality", factor: 1 };
  }
  return undefined;
}

/** Reads the kind of property a cell names, land registries' letters too. */
export function readTypeCell(cell: string): PropertyType | undefined {
  const letters: Readonly<Record<string, PropertyType>> = {
    d: "house",
    s: "house",
    t: "house",
    f: "apartment",
  };
  return letters[cell.trim().toLowerCase()] ?? readPropertyType(cell);
}

function findUnit(words: readonly string[]): "sqft" | "sqm" | undefined {
  const joined = words.join(" ");
  if (/\b(?:sqft|sft|psf|sq ft|square f(?:ee|oo)t)\b/.test(joined)) return "sqft";
  return /\b(?:sqm|psm|m2|sq m|square met(?:re|er)s?)\b|m²/.test(joined) ? "sqm" : undefined;
}
