import type { RAGCountry } from "../contract/rag-response.js";
import {
  countries,
  gazetteer,
  literal,
  servedCountries,
  wholeWords,
} from "../country/countries.js";
import { type PlaceNames, regionOfCode } from "../country/known-places.js";
import { readAmounts } from "../country/money.js";
import { findOtherCountry } from "../country/other-countries.js";
import {
  conjunction,
  findPlaces,
  findUnknownPlace,
  type NamedPlace,
  type NamedRegion,
  unknownBeside,
} from "./find-place.js";
import { describePlace, narrowPlaces } from "./narrow-places.js";
import type { QueryPlace } from "./question.js";

/** A place of several that a question sets side by side. */
export interface PlaceOfCountry {
  readonly country: RAGCountry;
  readonly place: QueryPlace;
}

/**
 * Where a question is about: one country that is served, several, places set side by side, a name that
 * several places have, another country, or none named.
 */
export type FoundCountry =
  | { readonly kind: "one"; readonly country: RAGCountry; readonly place?: QueryPlace | undefined }
  | { readonly kind: "several"; readonly countries: readonly RAGCountry[] }
  | { readonly kind: "places"; readonly places: readonly PlaceOfCountry[] }
  | { readonly kind: "ambiguous"; readonly name: string; readonly meant: readonly string[] }
  | { readonly kind: "other"; readonly name: string }
  | { readonly kind: "none"; readonly place?: QueryPlace | undefined };

/**
 * Reads which country a question is about. The name of a country or a state counts most, then a city,
 * then the currency and words that only one country uses.
 *
 * @param given - The country of questions that name none, where it is known: of places of one name it
 *   decides last.
 */
export function findCountry(
  query: string,
  given?: RAGCountry,
  placeNames?: PlaceNames,
): FoundCountry {
  const { cities, regions } = findPlaces(query, placeNames);
  const behind = unique(
    cities.flatMap((city) => servedCountries.filter((country) => isBehind(query, city, country))),
  );
  const named = unique([
    ...servedCountries.filter((country) => isNamed(query, country)),
    ...regions.filter((region) => !isCity(region, cities)).map(({ country }) => country),
  ]);
  const other = findOtherCountry(query);
  if (
    behind.length + named.length === 0 &&
    other !== undefined &&
    !cities.some(({ index, end }) => index <= other.index && other.index < end) &&
    !isBesides(other.index, cities, query)
  ) {
    return { kind: "other", name: other.name };
  }
  const hinted = unique(hintedBy(query));
  const hints = { regions: regionsIn(query, cities, regions), behind, named, hinted, given, query };
  const meant = withoutWholes(
    query,
    cities.map((city) => ({ ...city, places: narrowPlaces(city, cities, hints) })),
  );
  const open = meant.find(({ places }) => places.length > 1);
  if (open !== undefined) {
    return { kind: "ambiguous", name: open.written, meant: open.places.map(describePlace) };
  }
  const located = unique(meant.flatMap(({ places }) => places.map(({ country }) => country)));
  // A flat in London that someone from India asks about is in London; Birmingham, Alabama is not.
  const isInOtherCountry =
    located.length === 1 && !located.some((country) => named.includes(country));
  const byName = isInOtherCountry && named.length > 0 ? located : named;
  // Rows that are of the region that is named are of its country, whatever a list says.
  const isOfNamedRegion =
    meant.length > 0 &&
    meant.every(
      ({ places: [place] }) => place?.isStored && hints.regions.includes(place.region ?? ""),
    );
  const [chosen = hinted] = [isOfNamedRegion ? located : [], behind, byName, located].filter(
    ({ length }) => length > 0,
  );
  const [country] = chosen;
  const compared = comparedIn(query, meant, regions, placeNames);
  if (compared.length > 1) {
    return {
      kind: "places",
      places: compared.map((each) =>
        typeof each === "string"
          ? { country: country ?? "IN", place: { name: each, names: [each], isKnown: false } }
          : toPlace(each, hints.regions),
      ),
    };
  }
  if (country === undefined) return { kind: "none", place: findUnknownPlace(query) };
  if (chosen.length > 1) return { kind: "several", countries: chosen };
  const place = placeIn(query, country, meant, regions, hints.regions);
  return place === undefined ? { kind: "one", country } : { kind: "one", country, place };
}

/** The place of a question in a country: a known one, an unknown one, or a region. */
function placeIn(
  query: string,
  country: RAGCountry,
  cities: readonly NamedPart[],
  regions: readonly NamedRegion[],
  regionNames: readonly string[],
): QueryPlace | undefined {
  const known = cities.find(({ places: [place] }) => place?.country === country);
  if (known !== undefined) return toPlace(known, regionNames).place;
  // A city that the gazetteer has elsewhere only, and what no list has: `Birmingham, Kerala`.
  const [elsewhere] = cities;
  const unknown = unknownIn(query, country);
  if (elsewhere !== undefined && isBehind(query, elsewhere, country)) {
    return { name: elsewhere.written, names: [elsewhere.written], isKnown: false };
  }
  if (unknown !== undefined) return unknown;
  const region = regions.find((each) => each.country === country);
  if (region === undefined) return undefined;
  return { name: region.name, names: [region.name], isKnown: true, isRegion: true };
}

/** A city that is in a text, and the name before it that is of a part of it: "Civil Lines, Nagpur". */
interface NamedPart extends NamedPlace {
  readonly part?: string | undefined;
}

function toPlace(
  { places: [place], written, part }: NamedPart,
  regionNames: readonly string[],
): PlaceOfCountry {
  if (place === undefined) throw new RangeError("places: expected at least one");
  const { name, aliases, region, country } = place;
  const locality = place.locality ?? part;
  const names = place.locality === undefined ? [written, name, ...aliases] : [name, ...aliases];
  return {
    country,
    place: {
      name,
      names: distinct(names),
      isKnown: place.isOpen !== true,
      ...(locality !== undefined && { locality }),
      ...(region !== undefined && { region, isRegionNamed: regionNames.includes(region) }),
    },
  };
}

/** The places of a query without the city behind a part of it, and without a part that is a city elsewhere: "Sadar, Nagpur". */
function withoutWholes(query: string, cities: readonly NamedPlace[]): readonly NamedPart[] {
  const kept: NamedPart[] = [];
  for (const city of cities) {
    const before = kept.at(-1);
    const [place] = city.places;
    const [part] = before?.places ?? [];
    const between = before === undefined ? "" : query.slice(before.end, city.index);
    const isIn = before !== undefined && /^(?:,|,? in)$/.test(between.trim());
    const isListed =
      listedBehind.test(query.slice(city.end, city.end + 200)) ||
      /\b(?:compare|between|versus)\b/i.test(query);
    if (isIn && part?.locality !== undefined && part.name === place?.name) {
      kept[kept.length - 1] = { ...before, end: city.end };
    } else if (isIn && !isListed && part?.country === place?.country) {
      kept[kept.length - 1] = { ...city, index: before.index, part: before.written };
    } else {
      const named =
        /(?:^|\b(?:in|at|near|around|on|of|for)\s)(\p{Lu}[\p{L}\d'’-]*(?:\s[\p{Lu}\d][\p{L}\d'’-]*){0,3}),\s*$/u;
      const written = named.exec(query.slice(Math.max(0, city.index - 100), city.index))?.[1];
      const isPart =
        written !== undefined &&
        before?.end !== city.index - 2 &&
        findUnknownPlace(`in ${written}`) !== undefined;
      kept.push(isPart ? { ...city, part: written } : city);
    }
  }
  return kept;
}

/** A list of names up to its conjunction, and what stands between two places of a list. */
const listedBehind = new RegExp(`^(?:, ?\\p{Lu}[^\\s,]{0,40}){0,5}${conjunction}`, "u");
const beside = new RegExp(`^(?:${conjunction}|\\s?,\\s?)$`, "iu");

/** Regions that a query names, by name or behind a city by code: `Springfield, IL`. */
function regionsIn(
  query: string,
  cities: readonly NamedPlace[],
  regions: readonly NamedRegion[],
): readonly string[] {
  const byCode = cities.flatMap(({ end }) => {
    const [, code = ""] = /^\s?,?\s?([A-Z]{2})(?![\p{L}\d])/u.exec(query.slice(end)) ?? [];
    const name = regionOfCode(code);
    return name === undefined ? [] : [name];
  });
  return [
    ...regions.filter((region) => !isCity(region, cities)).map(({ name }) => name),
    ...byCode,
  ];
}

/** Whether the name of a region is that of a city, too, and represents it: New York, Delhi. */
function isCity({ index, end }: NamedRegion, cities: readonly NamedPlace[]): boolean {
  return cities.some((city) => city.index === index && city.end === end);
}

/** Whether a city is followed by a country or a region of it: `Birmingham, Alabama`, `Cambridge, MA`. */
function isBehind(query: string, { end }: NamedPlace, country: RAGCountry): boolean {
  const [, word = ""] = /^\s?,\s?(?:in )?(.{1,40})/s.exec(query.slice(end)) ?? [];
  const { names: regionNames, codes } = behindForms[country];
  return regionNames.test(word) || codes.test(word);
}

/** What may be behind a city: names of its country or a region in any letter case, codes in capitals. */
const behindForms = Object.fromEntries(
  servedCountries.map((country) => {
    const { spellings, codes, regions, regionCodes } = countries[country];
    return [
      country,
      {
        names: new RegExp(`^(?:${[...spellings, ...regions].map(literal).join("|")})\\b`, "i"),
        codes: new RegExp(`^(?:${[...codes, ...regionCodes].map(literal).join("|")})\\b`),
      },
    ];
  }),
) as Readonly<Record<RAGCountry, { readonly names: RegExp; readonly codes: RegExp }>>; // of every served country

/**
 * The places that a query sets side by side, with those that no list has: "Vizag or Pune"; not those of "a flat in Vizag
 * for someone from Pune".
 */
function comparedIn(
  query: string,
  cities: readonly NamedPart[],
  regions: readonly NamedRegion[],
  placeNames: PlaceNames | undefined,
): readonly (NamedPart | string)[] {
  const toLabel = ({ places: [place], part }: NamedPart) =>
    [place?.locality ?? part, place?.name, place?.region, place?.country].join();
  const sides = new Set<NamedPart>();
  let hasConjunction = /\b(?:compare|between|versus)\b/i.test(query);
  for (const [at, city] of cities.entries()) {
    const next = cities[at + 1];
    if (next === undefined || toLabel(next) === toLabel(city)) continue;
    const between = regions
      .reduce(
        (text, { index, end }) =>
          index >= city.end && end <= next.index ? text.replace(query.slice(index, end), "") : text,
        query.slice(city.end, next.index),
      )
      .replace(/^, ?[A-Z]{2,3}\b/, "")
      .replace(/^, ?(?=,| (?:and|or|vs|versus)\b)/, "");
    if (!beside.test(between)) continue;
    hasConjunction ||= !/^\s*,\s*$/.test(between);
    sides.add(city).add(next);
  }
  const anchors = sides.size > 0 ? [...sides] : cities.slice(0, 1);
  const unknown = distinct(anchors.flatMap((city) => unknownBeside(query, city, placeNames)));
  if (unknown.length > 0) return [...anchors, ...unknown];
  return hasConjunction ? [...sides] : [];
}

function isNamed(query: string, country: RAGCountry): boolean {
  const { spellings, codes } = countries[country];
  // "IN" is a word in a query that is all capitals.
  const isShouted = query === query.toUpperCase();
  return (
    hasWord(query.toLowerCase(), spellings) ||
    (!isShouted &&
      hasWord(
        query,
        codes.filter((code) => code !== "IN" || /[,(] ?IN\b/.test(query)),
      ))
  );
}

/** Countries that only the currency or the words of a question tell. */
function hintedBy(query: string): readonly RAGCountry[] {
  const currencies = new Set(readAmounts(query).map(({ currency }) => currency));
  const byMoney = servedCountries.filter((country) => currencies.has(countries[country].currency));
  const lower = query.toLowerCase();
  const byWords = servedCountries.filter(
    (country) =>
      hasWord(lower, countries[country].onlyHere) ||
      (country === "IN" && /\d ?(?:bhk|lakh|crore)/.test(lower)),
  );
  return byMoney.length > 0 ? byMoney : byWords;
}

/** "London, Canada" is abroad; "a flat in Vizag for someone in Dubai" is not. */
function isBesides(index: number, cities: readonly NamedPlace[], query: string): boolean {
  return cities.some(({ index: at, end }) => {
    const between = query.slice(end, index);
    return !/^,?\s*$/.test(between) || at > index;
  });
}

function unknownIn(query: string, country: RAGCountry): QueryPlace | undefined {
  const place = findUnknownPlace(query);
  const isCountry =
    place !== undefined &&
    [
      ...countries[country].spellings,
      ...countries[country].codes,
      ...countries[country].regions,
      ...Object.keys(gazetteer[country]),
    ].some((name) => name.toLowerCase() === place.name.toLowerCase().replace(/^the /, ""));
  return isCountry ? undefined : place;
}

function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word) && wholeWords([word], "u").test(text));
}

function unique(found: readonly RAGCountry[]): readonly RAGCountry[] {
  return distinct(found);
}

function distinct<T>(found: readonly T[]): readonly T[] {
  return [...new Set(found)];
}
