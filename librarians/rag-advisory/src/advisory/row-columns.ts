import { readFileSync } from "node:fs";
import { isCommonWord } from "@constellation/nlu";
import { periods, readAreas, scales, unitNamed } from "../country/area.js";
import type { AreaUnit } from "../country/countries.js";
import { currencyNamed } from "../country/money.js";
import type { PropertyType } from "../question/question.js";
import { glossNames } from "../question/question-words.js";
import { propertyWeight, readPropertyType } from "../question/subject-words.js";

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
    | "district"
    | "region"
    | "street"
    | "currency"
    | "days-on-market"
    | "inventory";
  readonly factor: number;
  /** Of money: whether it is a fee, which says nothing of what a property costs. */
  readonly isFee?: boolean | undefined;
  /** Of areas and rates. */
  readonly unit?: AreaUnit | undefined;
  /** Of money, ISO 4217, where the name says it. */
  readonly currency?: string | undefined;
  /** Of regions: whether the name has another meaning, too. */
  readonly isState?: boolean | undefined;
  /** Of rents: for how long they are, `month` where the name does not say it. */
  readonly period?: string | undefined;
}

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

/** Words of columns by what they hold, the first that fits counts; others are read by their English ones. */
const { kinds } = JSON.parse(
  readFileSync(new URL("../../data/columns.json", import.meta.url), "utf8"),
) as { readonly kinds: Readonly<Record<Column["kind"] | "none" | "money" | "fee", string>> };
const wordSets = new Map(Object.entries(kinds).map(([kind, words]) => [kind, words.split(" ")]));

function findColumn(name: string): Column | undefined {
  const read = (text: string) => {
    const written = text
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{Sc}\d²]+/u)
      .filter((word) => word !== "");
    return [...written, ...glossNames(written)];
  };
  const words = read(name);
  const joined = words.join(" ");
  // "Per month" in a note in brackets does not make a date of a fee.
  const [bare = ""] = name.split(/[([]/);
  const own = read(bare.trim() === "" ? name : bare);
  const has = (kind: keyof typeof kinds) =>
    (kind === "date" || kind === "none" ? own : words).some((word) =>
      wordSets.get(kind)?.includes(word),
    );
  if (has("none")) return undefined;
  if (has("currency")) return { kind: "currency", factor: 1 };
  const unit = findUnit(name, words) ?? (has("area") ? unknownUnit(own) : undefined);
  // In Spanish "miles" are thousands.
  const scale = words
    .map((word) => (word === "miles" ? "k" : word))
    .find((word) => scales.has(word));
  const factor = Number(scales.get(scale ?? "") ?? 1);
  const currency =
    words.map(currencyNamed).find((found) => found !== undefined) ??
    (factor === 1e5 || factor === 1e7 ? "INR" : undefined);
  const isFee = has("fee");
  const isMoney = isFee || has("money");
  const money = { factor, isFee, ...(currency !== undefined && { currency }) };
  if (has("yield")) return { kind: "yield", factor: 1 };
  const period = words.map((word) => periods.get(word)).find((each) => each !== undefined);
  if (has("rent") || (isMoney && (period === "night" || period === "day")))
    return { kind: "rent", ...money, period, ...(unit !== undefined && { unit }) };
  if (joined.includes("days on market") || has("days-on-market"))
    return { kind: "days-on-market", factor: 1 };
  if (has("inventory") || joined.includes("months of supply"))
    return { kind: "inventory", factor: 1 };
  const isDay = /\b(?:sold|registered|completed|listed) on\b/.test(joined);
  if (has("date") || isDay) return { kind: "date", factor: 1 };
  if (isMoney)
    return unit === undefined ? { kind: "price", ...money } : { kind: "rate", ...money, unit };
  if (unit !== undefined) return { kind: "area", factor: 1, unit };
  if (has("bedrooms")) return { kind: "bedrooms", factor: 1 };
  if (has("type")) return { kind: "type", factor: 1 };
  const kind = (["locality", "district", "region", "street"] as const).find(has);
  return kind === undefined ? undefined : { kind, factor: 1, isState: words.includes("state") };
}

/** Reads the kind of property a cell names, land registries' letters too. */
export function readTypeCell(cell: string): PropertyType | undefined {
  const letters: Readonly<Record<string, PropertyType>> = {
    d: "house",
    s: "house",
    t: "house",
    f: "apartment",
  };
  return (
    letters[cell.trim().toLowerCase()] ?? readPropertyType(glossNames(cell.split(" ")).join(" "))
  );
}

/** A unit of area that no list has, as the name of a column names it: `area_tsubo`. */
function unknownUnit(words: readonly string[]): AreaUnit | undefined {
  const others = [...new Set(words)].filter((word) => !wordSets.get("area")?.includes(word));
  const [name] = others.length === 1 ? others : [];
  const isUnit = name !== undefined && /^\p{L}{3,12}$/u.test(name) && !isCommonWord(name);
  return isUnit && propertyWeight(name) === 0 ? { name, sqft: 1, isLocal: true } : undefined;
}

/** The unit of a column's name; where it differs by state the name says its size: `area (1 bigha = 27,225 sqft)`. */
function findUnit(name: string, words: readonly string[]): AreaUnit | undefined {
  const found = words
    .flatMap((word, at) => [`${word}${words[at + 1] ?? ""}`, word])
    .map(unitNamed)
    .find((unit) => unit !== undefined);
  if (found === undefined) return undefined;
  const sqft = found.sqft ?? readAreas(name.slice(name.indexOf("=") + 1))[0]?.sqft;
  return { name: found.name, ...(sqft === undefined ? { sqft: 1, isLocal: true } : { sqft }) };
}
