import type { RAGCountry } from "../contract/rag-response.js";
import { romanize } from "../question/romanize.js";
import { countries, gazetteer, localities, servedCountries } from "./countries.js";

/** A city or a locality that is known by name. */
export interface GazetteerPlace {
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

/** A city with so many times the inhabitants of its namesakes is the one that is meant. */
const dominance = 12;
/** Thousands of inhabitants of a city that the tables of a country list and the gazetteer does not. */
const unlisted = 100;

let known: ReadonlyMap<string, readonly GazetteerPlace[]> | undefined;

/** The places that have a name. */
export type PlaceNames = (name: string) => readonly GazetteerPlace[];

/**
 * Places of a name, the largest first; none for a name that no place has. Letter case does not count, and Devanagari is
 * read in Latin letters.
 */
export function placesNamed(name: string): readonly GazetteerPlace[] {
  known ??= readPlaces();
  const key = nameKey(name);
  return known.get(key) ?? known.get(romanize(key)) ?? [];
}

/**
 * The places that a name can mean: one, where only it is listed by its country's table or it has twelve times
 * the inhabitants of the next; all of that name else.
 */
export function placesMeant(found: readonly GazetteerPlace[]): readonly GazetteerPlace[] {
  const listed = found.filter(
    ({ isListed, locality }) => isListed === true && locality === undefined,
  );
  if (listed.length === 1) return listed;
  const [largest, next] = found;
  if (largest === undefined || next === undefined || largest.isStored === true) return found;
  return largest.inhabitants >= dominance * next.inhabitants ? [largest] : found;
}

/** The region that a city is in, where one is on record. */
export function findRegion(country: RAGCountry, city: string): string | undefined {
  return placesNamed(city).find((place) => place.country === country)?.region;
}

let regionNames: ReadonlyMap<string, string> | undefined;

/** The region that a text names, in the United States by its two capitals too; `undefined` for any other text. */
export function regionNamed(text: string): string | undefined {
  regionNames ??= new Map(
    servedCountries.flatMap((country) =>
      Object.keys(gazetteer[country]).map((name) => [nameKey(name), name] as const),
    ),
  );
  const written = text.trim();
  const code = /^[A-Z]{2}$/.test(written) ? regionOfCode(written) : undefined;
  return regionNames.get(nameKey(written)) ?? code;
}

/** The country that a region, as {@link regionNamed} gives it, is of. */
export function countryOfRegion(region: string): RAGCountry | undefined {
  return servedCountries.find((country) => gazetteer[country][region] !== undefined);
}

/** The region of the United States that two capitals are short for; `undefined` for any others. */
export function regionOfCode(code: string): string | undefined {
  return Object.keys(gazetteer.US)[countries.US.regionCodes.indexOf(code)];
}

/** Names of one word, each with the name of its city. */
export function namesOfOneWord(): readonly (readonly [name: string, city: string])[] {
  known ??= readPlaces();
  return [...known].flatMap(([key, [place]]) =>
    place === undefined || key.includes(" ") ? [] : [[key, place.locality ?? place.name] as const],
  );
}

/** Maximum number of words of a name. */
export const maxNameWords = 5;

/** A name as it is compared. */
export function nameKey(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[.,'’]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function readPlaces(): ReadonlyMap<string, readonly GazetteerPlace[]> {
  const places = new Map<string, GazetteerPlace[]>();
  const add = (name: string, place: GazetteerPlace) => {
    const key = nameKey(name);
    const same = places.get(key) ?? [];
    const isThere = same.some(
      (each) =>
        each.country === place.country &&
        each.name === place.name &&
        (each.region === place.region || each.region === undefined),
    );
    if (!isThere)
      places.set(
        key,
        [...same, place].sort((a, b) => b.inhabitants - a.inhabitants),
      );
  };
  for (const country of servedCountries) {
    const listed = cities(country);
    for (const spellings of countries[country].places) {
      const [name = "", ...aliases] = spellings;
      const [largest] = listed
        .filter((city) => spellings.some((each) => nameKey(each) === nameKey(city.name)))
        .sort((a, b) => b.inhabitants - a.inhabitants);
      const { region, inhabitants = unlisted } = largest ?? {};
      const place = { name, aliases, country, region, inhabitants, isListed: true };
      for (const each of spellings) add(each, place);
    }
    for (const city of listed) {
      const isListed = [...(places.get(nameKey(city.name)) ?? [])].some(
        (each) => each.country === country && each.region === city.region,
      );
      if (!isListed) add(city.name, city);
    }
  }
  for (const country of servedCountries) {
    for (const [city, names] of Object.entries(localities[country])) {
      const of = places.get(nameKey(city))?.find((each) => each.country === country);
      if (of === undefined) throw new RangeError(`localities: expected a city, got ${city}`);
      for (const locality of names.split(", ")) {
        // A locality that a list of cities has, too, is the locality: Gajuwaka is a part of Visakhapatnam.
        const others = (places.get(nameKey(locality)) ?? []).filter(
          (each) =>
            each.locality !== undefined || each.country !== country || each.region !== of.region,
        );
        const place = { ...of, isListed: false, locality };
        const sorted = [...others, place].sort((a, b) => b.inhabitants - a.inhabitants);
        places.set(nameKey(locality), sorted);
      }
    }
  }
  return places;
}

function cities(country: RAGCountry): readonly GazetteerPlace[] {
  return Object.entries(gazetteer[country]).flatMap(([region, line]) =>
    line.split(", ").map((entry): GazetteerPlace => {
      const at = entry.lastIndexOf(" ");
      const inhabitants = Number(entry.slice(at + 1));
      return { name: entry.slice(0, at), aliases: [], country, region, inhabitants };
    }),
  );
}
