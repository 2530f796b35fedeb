import { unitNamed } from "../country/area.js";
import type { Question } from "../question/question.js";
import { glossNames } from "../question/question-words.js";
import { romanize } from "../question/romanize.js";
import { asksFee, asksYield } from "../question/subject-words.js";
import { isFitName } from "./citation.js";
import type { DataRow } from "./data-row.js";
import { toPlainName } from "./plain-text.js";
import { readColumn } from "./row-columns.js";

/** The middle of some numbers, and how far they lie apart. */
export interface Spread {
  readonly count: number;
  readonly median: number;
  /** First and third quartile: the middle half lies between them. */
  readonly q1: number;
  readonly q3: number;
  readonly minimum: number;
  readonly maximum: number;
}

/**
 * Describes numbers by their quartiles.
 *
 * @returns `undefined` for none.
 *
 * Source: quantiles of type 7 (linear between neighbours) in R. J. Hyndman, Y. Fan, "Sample Quantiles
 * in Statistical Packages", The American Statistician 50 (1996).
 */
export function measureSpread(numbers: readonly number[]): Spread | undefined {
  const sorted = [...numbers].sort((a, b) => a - b);
  const [minimum] = sorted;
  const maximum = sorted.at(-1);
  if (minimum === undefined || maximum === undefined) return undefined;
  const quantile = (share: number) => {
    const at = (sorted.length - 1) * share;
    const below = sorted[Math.floor(at)] ?? minimum;
    const above = sorted[Math.ceil(at)] ?? maximum;
    return below + (above - below) * (at - Math.floor(at));
  };
  return {
    count: sorted.length,
    median: quantile(0.5),
    q1: quantile(0.25),
    q3: quantile(0.75),
    minimum,
    maximum,
  };
}

/** What is compared. */
export type Measure = "price" | "rate" | "rent" | "rentRate" | "yield" | "area";

/** Rows that are like what was asked about, and what they say. */
export interface Comparables {
  readonly measure: Measure;
  readonly rows: readonly DataRow[];
  /** The same and older ones: for trends. */
  readonly ever: readonly DataRow[];
  readonly spread: Spread;
  /** What the rows have in common with the question, for people: `2-bedroom apartments in Visakhapatnam`. */
  readonly of: string;
  /** How many of what the question names (type, bedrooms, area, locality) the rows had to meet, 0 to 1. */
  readonly closeness: number;
  /** Fewer than are worth a median: their values are listed, and nothing is estimated. */
  readonly isFew: boolean;
  /** How large the properties are, where that was asked too, and of each of a few. */
  readonly areas?: Spread | undefined;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/** Least rows that are worth a comparison. */
export const minRows = 3;
/** Rows older than this before the newest one are left out, in years. */
const maxYears = 2;
/** How far an area may be off, as a share. */
const areaTolerance = 0.3;

interface Wish {
  readonly name: "own name" | "locality" | "type" | "bedrooms" | "area";
  readonly accepts: (row: DataRow) => boolean;
}

/**
 * Finds the rows that are comparable: those that meet everything the question names or, where they are
 * fewer than three, one wish less, and so on, but never the locality or the name of one row. Rows more than two years older than the
 * newest stay out.
 *
 * @returns `undefined` where no row has the figure; where fewer than three do, these.
 */
export function findComparables(
  rows: readonly DataRow[],
  question: Question,
  measures: readonly Measure[] = measuresFor(question),
): Comparables | undefined {
  return find(rows, question, measures, minRows) ?? find(rows, question, measures, 1);
}

function find(
  rows: readonly DataRow[],
  question: Question,
  measures: readonly Measure[],
  least: number,
): Comparables | undefined {
  for (const measure of measures) {
    const having = rows.filter(
      (row) => row[measure] !== undefined && (row.isFee !== true || asksFee(question.query)),
    );
    const wishes = readWishes(question, having);
    const minMet =
      wishes.filter(({ name }) => name === "locality" || name === "own name").length +
      (isOwnKind(question.propertyType) &&
      wishes.some(({ name }) => name === "type") &&
      !wishes.some(({ name }) => name === "own name")
        ? 1
        : 0);
    for (let kept = wishes.length; kept >= minMet; kept--) {
      const met = wishes.slice(0, kept);
      const ever = having.filter((row) => met.every(({ accepts }) => accepts(row)));
      const chosen = recent(ever);
      const spread = measureSpread(chosen.map((row) => row[measure] ?? 0));
      if (spread === undefined || spread.count < least) continue;
      const isFew = spread.count < minRows;
      const areas =
        (question.isAboutSize === true || isFew) && measure !== "area"
          ? measureSpread(chosen.flatMap(({ area }) => area ?? []))
          : undefined;
      const dates = chosen.flatMap(({ date }) => date ?? []).sort();
      return {
        measure,
        rows: chosen,
        ever,
        spread,
        isFew,
        ...(areas !== undefined && { areas }),
        of: describeComparables(question, met, chosen),
        closeness: wishes.length === 0 ? 1 : (1 + met.length) / (1 + wishes.length),
        first: dates[0],
        last: dates.at(-1),
      };
    }
  }
  return undefined;
}

/** What a question is compared by, the best first. */
export function measuresFor({
  intent,
  area,
  budget,
  query,
  areaUnit,
  isAboutSize,
}: Question): readonly Measure[] {
  // A rent says nothing of what share of a price it is.
  if (intent === "rental") return asksYield(query) ? ["yield"] : ["rent", "rentRate", "yield"];
  if (isAboutSize === true && intent !== "valuation") return ["area", "price", "rate"];
  const isByArea =
    area !== undefined || areaUnit?.isRate === true || unitNamed(budget?.per ?? "") !== undefined;
  const prices: readonly Measure[] = isByArea ? ["rate", "price"] : ["price", "rate"];
  // Where rows have rents only, "how much is it" asks for these.
  return budget === undefined && areaUnit === undefined ? [...prices, "rent", "rentRate"] : prices;
}

/** What the question names, the least likely to be given up first. */
function readWishes(question: Question, rows: readonly DataRow[]): readonly Wish[] {
  const { propertyType, bedrooms, area, query, place } = question;
  const lower = `${query} ${romanize(query)}`.toLowerCase();
  const asked = (place?.locality ?? (place?.isKnown === false ? place.name : ""))?.toLowerCase();
  const names = new Set(rows.flatMap(partsOf));
  const [locality] = [...names]
    .filter((name) => name === asked || hasName(lower, name))
    .sort((a, b) => Number(b === asked) - Number(a === asked) || b.length - a.length);
  const wishes: Wish[] = [];
  const own = new Set(rows.filter((row) => ownNames(row).some((name) => hasName(lower, name))));
  if (own.size > 0) wishes.push({ name: "own name", accepts: (row) => own.has(row) });
  if (locality !== undefined)
    wishes.push({
      name: "locality",
      accepts: (row) => partsOf(row).includes(locality),
    });
  if (propertyType !== undefined && rows.some((row) => row.propertyType !== undefined))
    wishes.push({
      name: "type",
      accepts: (row) =>
        row.propertyType === propertyType ||
        (propertyType === "villa" && row.propertyType === "house") ||
        (row.propertyType === undefined && !isForOthers(propertyType)),
    });
  if (bedrooms !== undefined)
    wishes.push({ name: "bedrooms", accepts: (row) => row.bedrooms === bedrooms });
  if (area !== undefined) {
    wishes.push({
      name: "area",
      accepts: (row) => row.area === undefined || Math.abs(row.area / area - 1) <= areaTolerance,
    });
  }
  return wishes;
}

/** The parts of a city that a row is of, in lower case. */
function partsOf({ locality, district, street, names = [], chunk }: DataRow): readonly string[] {
  const { city } = chunk.metadata;
  return [locality, district, street, ...names].flatMap((part) =>
    part === undefined || part.length < 3 || part === city ? [] : [part.toLowerCase()],
  );
}

/** What names one property: cells with a figure in columns that nothing is computed of, such as `Plot 41/2`, `1307 Kirk Ave`. */
export function ownNames({ chunk: { metadata } }: DataRow): readonly string[] {
  return Object.entries(metadata.row ?? {}).flatMap(([column, cell]) => {
    const { kind } = readColumn(column) ?? {};
    if (kind !== undefined && kind !== "street") return [];
    const name = String(cell).toLowerCase();
    const [label = ""] = column.toLowerCase().split(/[^\p{L}\p{M}]/u);
    const isShort = /^[\p{L}\d/-]{1,8}$/u.test(name) && /\d/.test(name);
    // "52" is the name of plot 52 only behind its label.
    const labels = [label, `${label}s`, ...glossNames([label])].filter((each) => each.length > 2);
    const labelled = isShort
      ? labels.flatMap((each) => joints.map((joint) => each + joint + name))
      : [];
    if (typeof cell !== "string" || !ownNameForm.test(cell)) return labelled;
    // A kind in another language is read as the plural: "plots 7".
    return [name, name.replace(/^\p{L}+(?= )/u, "$&s"), ...labelled];
  });
}

/** What may stand between a label and a number. */
const joints = [" ", " no ", " no. ", " number ", " nr. ", " nr ", " #", " n.º "];

const ownNameForm = /^(?=.{0,60}\d)(?=.{0,60}[\p{L}/-])[\p{L}\d][\p{L}\d /.-]{1,60}$/u;

/** Whether a text has a name, and not as a part of a longer word or number. */
export function hasName(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  const isInside = (character: string) => /[\p{L}\d/-]/u.test(character);
  return !isInside(text.charAt(at - 1)) && !isInside(text.charAt(at + name.length));
}

/** A houseboat is like no flat, and neither is land: these are compared with their own kind only. */
export function isOwnKind(type: Question["propertyType"]): boolean {
  return type === "villa" || isForOthers(type);
}

/** Rows that name no kind are of homes, most likely. */
function isForOthers(type: Question["propertyType"]): boolean {
  return type === "plot" || type === "commercial" || type === "other";
}

function recent(rows: readonly DataRow[]): readonly DataRow[] {
  const newest = rows
    .flatMap(({ date }) => date ?? [])
    .sort()
    .at(-1);
  if (newest === undefined) return rows;
  const oldest = `${Number(newest.slice(0, 4)) - maxYears}${newest.slice(4)}`;
  return rows.filter(({ date }) => date === undefined || date >= oldest.slice(0, date.length));
}

const plural: Readonly<Record<string, string>> = {
  apartment: "apartments",
  house: "houses",
  villa: "villas",
  plot: "plots",
  commercial: "commercial properties",
};

function describeComparables(
  { bedrooms, place, query }: Question,
  met: readonly Wish[],
  rows: readonly DataRow[],
): string {
  const has = (name: Wish["name"]) => met.some((wish) => wish.name === name);
  const [type, ...others] = new Set(rows.map((row) => row.propertyType));
  const kind = (has("type") && others.length === 0 && plural[type ?? ""]) || "properties";
  const size = has("bedrooms") && bedrooms !== undefined ? `${bedrooms}-bedroom ` : "";
  const [first] = rows;
  const named = [first?.locality, first?.district, first?.street, ...(first?.names ?? [])].find(
    (part) => part !== undefined && hasName(query.toLowerCase(), part.toLowerCase()),
  );
  const locality = has("locality") ? toPlainName(named ?? "") : "";
  const isPart = isFitName(locality) && locality !== place?.name;
  const part = isPart ? `${locality}, ` : "";
  return `${size}${kind} in ${part}${place !== undefined && place.isRegion !== true ? place.name : nameCities(rows)}`;
}

/** Which cities rows are from: what is said of a country holds for these. */
function nameCities(rows: readonly DataRow[]): string {
  const cities = [...new Set(rows.map(({ chunk }) => toPlainName(chunk.metadata.city ?? "")))];
  const isNamed = cities.length <= 3 && cities.every(isFitName);
  if (isNamed) return cities.join(", ");
  return cities.length === 1 ? "one place" : `${cities.length} places`;
}

/**
 * The price or rent a question names, as it compares with a measure: of a range the middle, a price
 * over the area where prices for an area are compared, a year's rent as a month's.
 *
 * @returns `undefined` where the question names none, or one that does not compare.
 */
export function budgetPrice({ budget, area }: Question, measure: Measure): number | undefined {
  if (budget === undefined) return undefined;
  const { low, high, per } = budget;
  const middle = (low + high) / 2;
  if (measure === "price") return per === undefined ? middle : undefined;
  if (measure === "rent") {
    if (per === "year") return middle / 12;
    if (per === "week") return (middle * 52) / 12;
    return per === undefined || per === "month" ? middle : undefined;
  }
  if (measure !== "rate") return undefined;
  const { sqft } = unitNamed(per ?? "") ?? {};
  if (sqft !== undefined) return middle / sqft;
  return per === undefined && area !== undefined ? middle / area : undefined;
}
