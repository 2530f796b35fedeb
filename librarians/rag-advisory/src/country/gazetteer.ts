import type { RAGCountry } from "../contract/rag-response.js";
import { isDevanagari, soundKey } from "../question/romanize.js";
import { citiesAbroad, countries, gazetteer, localities, servedCountries } from "./countries.js";

/** A city or a locality that is known by name. */
export interface Place {
  /** The usual name of the city. */
  readonly name: string;
  /** Every other name in use of it. */
  readonly aliases: readonly string[];
  readonly country: RAGCountry;
  /** State, or part of the United Kingdom; absent for a few that have none on record. */
  readonly region?: string | undefined;
  /** Thousands of inhabitants of the city. */
  readonly inhabitants: number;
  /** Whether the table of its country lists it: of its namesakes it is the one that is meant. */
  readonly isListed?: boolean | undefined;
  /** Whether data rows name it. */
  readonly isStored?: boolean | undefined;
  /** Whether its rows name no city that it is in. */
  readonly isOpen?: boolean | undefined;
  /** The name of the locality, where the name is of one. */
  readonly locality?: string | undefined;
}

/** A country or a region of one; a country that is not served, or a city there, has `abroad`. */
export interface Area {
  readonly country?: RAGCountry | undefined;
  /** The region, where it is one. */
  readonly region?: string | undefined;
  /** Name of the country that is not served. */
  readonly abroad?: string | undefined;
}

/** What is known by name. */
export interface KnownNames {
  /** The places that have a name; what data rows are of is known better than any list tells. */
  places(name: string): readonly Place[];
  /** Names of one property of data rows, in lower case, with the places of these rows: `marina pearl 1402`. */
  readonly properties: ReadonlyMap<string, readonly Place[]>;
  /** Countries of data rows that have words of the question. */
  readonly countries: readonly RAGCountry[];
}

/** The names of the lists, without those of data rows. */
export const listedNames: KnownNames = {
  places: placesNamed,
  properties: new Map(),
  countries: [],
};

/** Maximum number of words of a name. */
export const maxNameWords = 5;
/** A city with so many times the inhabitants of its namesakes is the one that is meant. */
const dominance = 12;
/** Thousands of inhabitants of a city that the tables of a country list and the gazetteer does not. */
const unlisted = 100;

let places: ReadonlyMap<string, readonly Place[]> | undefined;
let sounds: ReadonlyMap<string, readonly Place[]> | undefined;
let areas: ReadonlyMap<string, Area> | undefined;
let regions: ReadonlyMap<string, string> | undefined;

/**
 * Places of a name, the largest first; none for a name that no place has. Letter case does not count, and Devanagari is
 * read in Latin letters.
 */
export function placesNamed(name: string): readonly Place[] {
  places ??= readPlaces();
  if (!isDevanagari(name)) return places.get(nameKey(name)) ?? [];
  sounds ??= new Map([...places].reverse().map(([key, found]) => [soundKey(key), found]));
  return sounds.get(soundKey(nameKey(name))) ?? [];
}

/** The country or region that a text names, in any letter case; codes of countries, such as `UK`, in capitals. */
export function areaNamed(text: string): Area | undefined {
  areas ??= readAreas();
  const key = areaKey(text);
  return areas.get(text) ?? areas.get(key) ?? areas.get(key.replace(/^the /, ""));
}

/** The region that a text names, in the United States by its two capitals too; `undefined` for any other text. */
export function regionNamed(text: string): string | undefined {
  regions ??= new Map(
    servedCountries
      .flatMap((country) => Object.keys(gazetteer[country]))
      .map((region) => [nameKey(region), region]),
  );
  return regions.get(nameKey(text)) ?? regionOfCode(text.trim());
}

/** The country that a region, as {@link regionNamed} gives it, is of. */
export function countryOfRegion(region: string): RAGCountry | undefined {
  return servedCountries.find((country) => gazetteer[country][region] !== undefined);
}

/** The region of the United States that two capitals are short for; `undefined` for any others. */
export function regionOfCode(code: string): string | undefined {
  return Object.keys(gazetteer.US)[countries.US.regionCodes.indexOf(code)];
}

/** The region that a city is in, where one is on record. */
export function findRegion(country: RAGCountry, city: string): string | undefined {
  return placesNamed(city).find((place) => place.country === country)?.region;
}

/**
 * The places that a name can mean: one, where only it is listed by its country's table or it has twelve times
 * the inhabitants of the next; all of that name else.
 */
export function placesMeant(found: readonly Place[]): readonly Place[] {
  const listed = found.filter(
    ({ isListed, locality }) => isListed === true && locality === undefined,
  );
  if (listed.length === 1) return listed;
  const [largest, next] = found;
  if (largest === undefined || next === undefined || largest.isStored === true) return found;
  return largest.inhabitants >= dominance * next.inhabitants ? [largest] : found;
}

/** Names of one word, each with its place; of one that its country's table lists first. */
export function namesOfOneWord(): readonly (readonly [name: string, place: Place])[] {
  places ??= readPlaces();
  return [...places]
    .flatMap(([key, [place]]) =>
      place === undefined || key.includes(" ") ? [] : [[key, place] as const],
    )
    .sort(([, one], [, other]) => Number(other.isListed ?? false) - Number(one.isListed ?? false));
}

/** A name as it is compared. */
export function nameKey(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[.,'’()]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** `U.S.` is not `us`. */
function areaKey(text: string): string {
  return text.toLowerCase().replaceAll("’", "'").replace(/\.$/, "");
}

function readPlaces(): ReadonlyMap<string, readonly Place[]> {
  const found = new Map<string, readonly Place[]>();
  const add = (name: string, place: Place, replaces: (other: Place) => boolean = () => false) => {
    const others = (found.get(nameKey(name)) ?? []).filter((other) => !replaces(other));
    found.set(
      nameKey(name),
      [...others, place].sort((a, b) => b.inhabitants - a.inhabitants),
    );
  };
  const isOf = (country: RAGCountry, region: string | undefined) => (place: Place) =>
    place.country === country && place.region === region;
  for (const country of servedCountries) {
    const cities = readCities(country);
    for (const spellings of countries[country].places) {
      const [name = "", ...aliases] = spellings;
      const [largest] = cities
        .filter((city) => spellings.some((each) => nameKey(each) === nameKey(city.name)))
        .sort((a, b) => b.inhabitants - a.inhabitants);
      const { region, inhabitants = unlisted } = largest ?? {};
      for (const each of spellings)
        add(each, { name, aliases, country, region, inhabitants, isListed: true });
    }
    for (const city of cities)
      if (!(found.get(nameKey(city.name)) ?? []).some(isOf(country, city.region)))
        add(city.name, city);
  }
  for (const country of servedCountries)
    for (const [city, names] of Object.entries(localities[country])) {
      const whole = found.get(nameKey(city))?.find((each) => each.country === country);
      if (whole === undefined) throw new RangeError(`localities: expected a city, got ${city}`);
      // A locality that a list of cities has, too, is the locality: Gajuwaka is a part of Visakhapatnam.
      const isSame = isOf(country, whole.region);
      for (const locality of names.split(", "))
        add(
          locality,
          { ...whole, isListed: false, locality },
          (other) => other.locality === undefined && isSame(other),
        );
    }
  return found;
}

function readCities(country: RAGCountry): readonly Place[] {
  return Object.entries(gazetteer[country]).flatMap(([region, line]) =>
    line.split(", ").map((entry): Place => {
      const at = entry.lastIndexOf(" ");
      const inhabitants = Number(entry.slice(at + 1));
      return { name: entry.slice(0, at), aliases: [], country, region, inhabitants };
    }),
  );
}

/** Every country of ISO 3166 by its English name in the runtime's own table, cities abroad, and what is served. */
function readAreas(): ReadonlyMap<string, Area> {
  const found = new Map<string, Area>();
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const abroad = notAbroad.test(code) ? undefined : names.of(code);
    if (abroad !== undefined) found.set(areaKey(abroad), { abroad });
  }
  for (const [abroad, cities] of Object.entries(citiesAbroad))
    for (const city of cities.split(", ")) found.set(areaKey(city), { abroad });
  for (const country of servedCountries) {
    const { regions, spellings, codes } = countries[country];
    for (const region of [...regions, ...Object.keys(gazetteer[country])])
      found.set(areaKey(region), { country, region });
    for (const spelling of spellings) found.set(areaKey(spelling), { country });
    for (const code of codes) found.set(code, { country });
  }
  return found;
}

/** What is served, has the name of a state or of a common word, or is not a country. */
const notAbroad = /^(?:IN|US|GB|GE|UM|TD|JO|JE|GG|IM|AA|Q[M-Z]|X.|ZZ|EU|EZ|UN|UK)$/;
