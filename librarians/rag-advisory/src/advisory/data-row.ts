import { type AreaUnit, countries } from "../country/countries.js";
import { regionNamed } from "../country/gazetteer.js";
import { currencyNamed, readAmounts } from "../country/money.js";
import { fieldOfKey } from "../ingest/read-metadata.js";
import type { PropertyType } from "../question/question.js";
import { propertyWeight, readBedrooms } from "../question/subject-words.js";
import type { Chunk } from "../store/vector-store.js";
import { type Column, readColumn, readTypeCell } from "./row-columns.js";

/** One property, or one figure of a market, as a data row gives it. */
export interface DataRow {
  readonly chunk: Chunk;
  /** Of its money, ISO 4217: as the column, the cell or a column of its own says, else that of the country. */
  readonly currency: string;
  /** What its area or its rate is given in. */
  readonly unit?: AreaUnit | undefined;
  /** Whether all of its money is a fee: of a berth, of a stall. */
  readonly isFee?: boolean | undefined;
  readonly price?: number | undefined;
  /** For a square foot. */
  readonly rate?: number | undefined;
  /** For a month. */
  readonly rent?: number | undefined;
  /** As it is given, where that is not for a month. */
  readonly givenRent?: { readonly amount: number; readonly period: string } | undefined;
  /** For a month and a square foot. */
  readonly rentRate?: number | undefined;
  /** Per cent of the price, for a year. */
  readonly yield?: number | undefined;
  /** Square feet. */
  readonly area?: number | undefined;
  /** `2026-03-14`, `2026-03` or `2026`, as exact as it was given. */
  readonly date?: string | undefined;
  readonly propertyType?: PropertyType | undefined;
  readonly bedrooms?: number | undefined;
  /** The smallest part of a city that it names. */
  readonly locality?: string | undefined;
  readonly district?: string | undefined;
  readonly region?: string | undefined;
  /** Without the number of the house. */
  readonly street?: string | undefined;
  /** Names in columns that nothing else is read of: of a project, a quarter. */
  readonly names?: readonly string[] | undefined;
  readonly daysOnMarket?: number | undefined;
  readonly inventoryMonths?: number | undefined;
}

/** Units that only land is measured in. */
const landUnits: ReadonlySet<string> = new Set(
  "acre hectare gunta cent decimal kanal marla bigha katha biswa".split(" "),
);

/** Reads a data row; absent columns and unreadable cells stay out. */
export function readDataRow(chunk: Chunk): DataRow {
  const read: { -readonly [Key in keyof DataRow]: DataRow[Key] } = {
    chunk,
    currency: currencyOf(chunk),
  };
  const fees: (readonly [Column, string | number])[] = [];
  for (const [name, cell] of Object.entries(chunk.metadata.row ?? {})) {
    const column = readColumn(name);
    if (column?.isFee === true) fees.push([column, cell]);
    else if (column !== undefined) readCell(read, column, cell);
    else if (typeof cell === "string" && isProperName(cell) && fieldOfKey(name) === undefined)
      read.names = [...(read.names ?? []), cell];
  }
  if (fees.length > 0 && (read.price ?? read.rate ?? read.rent ?? read.rentRate) === undefined) {
    read.isFee = true;
    for (const [column, cell] of fees) readCell(read, column, cell);
  }
  read.locality ??= read.district;
  if (read.unit !== undefined && landUnits.has(read.unit.name)) read.propertyType ??= "plot";
  read.date ??= readDate(chunk.metadata.date ?? "");
  if (read.rate === undefined && read.price !== undefined && read.area !== undefined) {
    read.rate = within(read.price / read.area, 0.0001, 1e9);
  }
  return read;
}

/** The currency of the first amount of a row, or of the column that is only for it. */
function currencyOf({ metadata: { row = {}, country } }: Chunk): string {
  let found: string | undefined;
  for (const [name, cell] of Object.entries(row)) {
    const { kind, currency } = readColumn(name) ?? {};
    const named = kind === "currency" ? currencyNamed(String(cell).trim()) : undefined;
    if (named !== undefined) return named;
    if (kind !== "price" && kind !== "rate" && kind !== "rent") continue;
    found ??= currency ?? (typeof cell === "string" ? readAmounts(cell)[0]?.currency : undefined);
  }
  return found ?? countries[country].currency;
}

function readCell(
  row: { -readonly [Key in keyof DataRow]: DataRow[Key] },
  column: Column,
  cell: string | number,
) {
  const text = String(cell).trim();
  if (text === "") return;
  const { kind, factor, unit, currency, period = "month", isState = false } = column;
  if (kind === "date") row.date = readDate(text) ?? row.date;
  else if (kind === "type") row.propertyType ??= readTypeCell(text);
  else if (kind === "locality" || kind === "district") row[kind] ??= text;
  // The state of a house may be "good".
  else if (kind === "region") {
    const known = regionNamed(text);
    if (known !== undefined) row.region ??= known;
    else if (!isState) row.district ??= text;
  } else if (kind === "street") row.street ??= withoutNumber(text);
  else if (kind === "bedrooms")
    row.bedrooms ??= /^\d{1,2}$/.test(text) ? Number(text) : readBedrooms(text);
  else {
    const number = readNumber(cell);
    if (number === undefined) return;
    const { sqft = 1 } = unit ?? {};
    if (currency !== undefined && currency !== row.currency) return;
    if (unit !== undefined) row.unit ??= unit;
    if (kind === "price") row.price ??= within(number * factor, 1, 1e12);
    else if (kind === "rate") row.rate ??= within((number * factor) / sqft, 0.0001, 1e9);
    else if (kind === "area") row.area ??= within(number * sqft, 1, 1e12);
    else if (kind === "rent" && unit !== undefined)
      row.rentRate ??= within((number * factor * perMonth(period)) / sqft, 0.0001, 1e6);
    else if (kind === "rent") {
      row.rent ??= within(number * factor * perMonth(period), 1, 1e9);
      if (period !== "month") row.givenRent ??= { amount: number * factor, period };
    } else if (kind === "yield") row.yield ??= within(number, 0.01, 100);
    else if (kind === "days-on-market") row.daysOnMarket ??= within(number, 0, 36_500);
    else row.inventoryMonths ??= within(number, 0, 1_200);
  }
}

/** How many of a period a year has. */
export const periodsOfYear: Readonly<Record<string, number>> = {
  ...{ year: 1, month: 12, week: 52 },
  ...{ day: 365, night: 365 },
};

function perMonth(period: string): number {
  return (periodsOfYear[period] ?? 12) / 12;
}

/** Whether a cell is a name: with a capital letter, no figures, and no word of property. */
function isProperName(cell: string): boolean {
  return /^[\p{Lu}\p{Lo}][\p{L}\p{M}'’. -]{2,60}$/u.test(cell) && propertyWeight(cell) === 0;
}

/** A street without the number of the house, before or behind it; none where one word is left. */
function withoutNumber(address: string): string | undefined {
  const [first = ""] = address.split(",");
  const street = first
    .replace(/^\d{1,6}\p{L}?(?:[/-]\d{1,6})?\s{1,3}/u, "")
    .replace(/\s{1,3}\d{1,6}\p{L}?$/u, "")
    .trim();
  return /\s|straße|strasse/i.test(street) && !/^\d/.test(street) ? street : undefined;
}

/** A number that can be what a column says; a price of nothing, or of all the world's money, cannot. */
function within(number: number, minimum: number, maximum: number): number | undefined {
  return number >= minimum && number <= maximum ? number : undefined;
}

function readNumber(cell: string | number): number | undefined {
  if (typeof cell === "number") return Number.isFinite(cell) ? cell : undefined;
  const bare = cell.trim().replace(/\s?%$/, "").replaceAll(",", "");
  if (/^\d{1,15}(?:\.\d{1,6})?$/.test(bare)) return Number(bare);
  const [amount] = readAmounts(cell);
  return amount === undefined ? undefined : (amount.low + amount.high) / 2;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Reads `2026-03-14`, `2026-03`, `2026`, `2026-Q1`, `Q1 2026` and `Mar 2026`. */
export function readDate(text: string): string | undefined {
  const iso = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?![\d-])/.exec(text);
  if (iso !== null && !/q/i.test(text))
    return iso
      .slice(1)
      .filter((part) => part !== undefined)
      .join("-");
  const year = /\b(\d{4})\b/.exec(text)?.[1];
  if (year === undefined) return undefined;
  const quarter = /\bq([1-4])\b/i.exec(text)?.[1];
  if (quarter !== undefined) return `${year}-${String(Number(quarter) * 3).padStart(2, "0")}`;
  const month = months.indexOf(text.slice(0, 3).toLowerCase());
  return month < 0 ? undefined : `${year}-${String(month + 1).padStart(2, "0")}`;
}
