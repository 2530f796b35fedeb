import type { RAGCountry } from "../contract/rag-response.js";
import { countries, servedCountries } from "../country/countries.js";
import { gazetteer } from "../country/gazetteer.js";
import { regionOfCode } from "../country/known-places.js";
import { readAmounts } from "../country/money.js";
import { findOtherCountry } from "../country/other-countries.js";
import { literal, wholeWords } from "../country/whole-words.js";
import { findPlaces, findUnknownPlace, type NamedPlace, type NamedRegion } from "./find-place.js";
import { describePlace, narrowPlaces } from "./narrow-places.js";
import type { QueryPlace } from "./question.js";

/**
 * Where a question is about: one country that is served, several, places set side by side, a name that
 * several places have, another country, or none named.
 */
export type FoundCountry =
  | { readonly kind: "one"; readonly country: RAGCountry; readonly place?: QueryPlace | undefined }
  | { readonly kind: "several"; readonly countries: readonly RAGCountry[] }
  | { readonly kind: "places"; readonly names: readonly string[] }
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
export function findCountry(query: string, given?: RAGCountry): FoundCountry {
  const { cities, regions } = findPlaces(query);
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
  const hints = { regions: regionsIn(query, cities, regions), behind, named, hinted, given };
  const meant = cities.map((city) => ({ ...city, places: narrowPlaces(city, cities, hints) }));
  const open = meant.find(({ places }) => places.length > 1);
  if (open !== undefined) {
    return { kind: "ambiguous", name: open.written, meant: open.places.map(describePlace) };
  }
  const located = unique(meant.flatMap(({ places }) => places.map(({ country }) => country)));
  // A flat in London that someone from India asks about is in London; Birmingham, Alabama is not.
  const isInOtherCountry =
    located.length === 1 && !located.some((country) => named.includes(country));
  const byName = isInOtherCountry && named.length > 0 ? located : named;
  const [chosen = hinted] = [behind, byName, located].filter(({ length }) => length > 0);
  const [country] = chosen;
  const compared = chosen.length === 1 ? comparedIn(query, meant) : [];
  if (compared.length > 1) return { kind: "places", names: compared };
  if (country === undefined) return { kind: "none", place: findUnknownPlace(query) };
  if (chosen.length > 1) return { kind: "several", countries: chosen };
  const place = placeIn(query, country, meant, regions);
  return place === undefined ? { kind: "one", country } : { kind: "one", country, place };
}

/** The place of a question in a country: a known one, an unknown one, or a region. */
function placeIn(
  query: string,
  country: RAGCountry,
  cities: readonly NamedPlace[],
  regions: readonly NamedRegion[],
): QueryPlace | undefined {
  const [known] = cities.flatMap(({ places: [place], written }) =>
    place?.country === country ? [{ place, written }] : [],
  );
  if (known !== undefined) {
    const { name, aliases, locality, region } = known.place;
    const names = locality === undefined ? [known.written, name, ...aliases] : [name, ...aliases];
    return {
      name,
      names: distinct(names),
      isKnown: true,
      ...(locality !== undefined && { locality }),
      ...(region !== undefined && { region }),
    };
  }
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

/** The cities of "Vizag or Pune"; not those of "a flat in Vizag for someone from Pune". */
function comparedIn(query: string, cities: readonly NamedPlace[]): readonly string[] {
  const toLabel = ({ places: [place] }: NamedPlace) => place?.locality ?? place?.name ?? "";
  const sides = cities.flatMap((city, at) => {
    const next = cities[at + 1];
    if (next === undefined || toLabel(next) === toLabel(city)) return [];
    const between = query.slice(city.end, next.index);
    const isBeside = /^,?\s*(?:and|or|versus|vs\.?|with|against|&)\s+(?:in\s+)?$/i.test(between);
    return isBeside ? [toLabel(city), toLabel(next)] : [];
  });
  return [...new Set(sides)];
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
