import type { RAGCountry } from "../contract/rag-response.js";
import { countries, servedCountries } from "../country/countries.js";
import { readAmounts } from "../country/money.js";
import { findOtherCountry } from "../country/other-countries.js";
import { literal, wholeWords } from "../country/whole-words.js";
import { type FoundPlace, findPlaces, findUnknownPlace } from "./find-place.js";
import type { AskedPlace } from "./question.js";

/** Where a question is about: one country that is served, several, places set side by side, another country, or none named. */
export type FoundCountry =
  | { readonly kind: "one"; readonly country: RAGCountry; readonly place?: AskedPlace | undefined }
  | { readonly kind: "several"; readonly countries: readonly RAGCountry[] }
  | { readonly kind: "places"; readonly names: readonly string[] }
  | { readonly kind: "other"; readonly name: string }
  | { readonly kind: "none"; readonly place?: AskedPlace | undefined };

/**
 * Reads which country a question is about. The name of a country or a state counts most, then a city,
 * then the currency and words that only one country uses.
 */
export function findCountry(query: string): FoundCountry {
  const { cities, regions } = findPlaces(query);
  const behind = unique(
    cities.flatMap((city) => servedCountries.filter((country) => isBehind(query, city, country))),
  );
  const named = unique([
    ...servedCountries.filter((country) => isNamed(query, country)),
    ...regions.map(({ country }) => country),
  ]);
  const located = unique(cities.map(({ country }) => country));
  const other = findOtherCountry(query);
  if (
    behind.length + named.length === 0 &&
    other !== undefined &&
    !isBesides(other.index, cities, query)
  ) {
    return { kind: "other", name: other.name };
  }
  // A flat in London that someone from India asks about is in London; Birmingham, Alabama is not.
  const isElsewhere = located.length === 1 && !located.some((country) => named.includes(country));
  const byName = isElsewhere && named.length > 0 ? located : named;
  const [chosen = unique(tellsOf(query))] = [behind, byName, located].filter(
    ({ length }) => length > 0,
  );
  const [country] = chosen;
  const compared = chosen.length === 1 ? comparedIn(query, cities) : [];
  if (compared.length > 1) return { kind: "places", names: compared };
  if (country === undefined) return { kind: "none", place: findUnknownPlace(query) };
  if (chosen.length > 1) return { kind: "several", countries: chosen };
  const city = cities.find((place) => place.country === country);
  const elsewhere = behind.includes(country) ? cities[0] : undefined;
  const place =
    city ??
    elsewhere ??
    regions.find((region) => region.country === country) ??
    unknownIn(query, country);
  if (place === undefined) return { kind: "one", country };
  const { name, names, isRegion } = place;
  return { kind: "one", country, place: { name, names, ...(isRegion === true && { isRegion }) } };
}

/** Whether a city is followed by a country or a region of it: `Birmingham, Alabama`, `Cambridge, MA`. */
function isBehind(query: string, { index, names }: FoundPlace, country: RAGCountry): boolean {
  const rest = query.slice(index + (names[0] ?? "").length);
  const [, word = ""] = /^\s?,\s?(?:in )?(.{1,40})/s.exec(rest) ?? [];
  const { names: regionNames, codes } = behindForms[country];
  return regionNames.test(word) || codes.test(word);
}

/** What may stand behind a city: names of its country or a region in any letter case, codes in capitals. */
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
function comparedIn(query: string, cities: readonly FoundPlace[]): readonly string[] {
  const sides = cities.flatMap((city, at) => {
    const next = cities[at + 1];
    if (next === undefined || next.name === city.name) return [];
    const between = query.slice(city.index + (city.names[0] ?? "").length, next.index);
    const isBeside = /^,?\s*(?:and|or|versus|vs\.?|with|against|&)\s+(?:in\s+)?$/i.test(between);
    return isBeside ? [city.name, next.name] : [];
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
function tellsOf(query: string): readonly RAGCountry[] {
  const currencies = new Set(readAmounts(query).map(({ currency }) => currency));
  const byMoney = servedCountries.filter((country) => currencies.has(countries[country].currency));
  const lower = query.toLowerCase();
  const byWords = servedCountries.filter(
    (country) =>
      hasWord(lower, countries[country].tells) ||
      (country === "IN" && /\d ?(?:bhk|lakh|crore)/.test(lower)),
  );
  return byMoney.length > 0 ? byMoney : byWords;
}

/** "London, Canada" is abroad; "a flat in Vizag for someone in Dubai" is not. */
function isBesides(index: number, cities: readonly FoundPlace[], query: string): boolean {
  return cities.some(({ index: at, names }) => {
    const between = query.slice(at + (names[0] ?? "").length, index);
    return !/^,?\s*$/.test(between) || at > index;
  });
}

function unknownIn(query: string, country: RAGCountry): AskedPlace | undefined {
  const place = findUnknownPlace(query);
  const isCountry =
    place !== undefined &&
    [...countries[country].spellings, ...countries[country].codes].some(
      (name) => name.toLowerCase() === place.name.toLowerCase().replace(/^the /, ""),
    );
  return isCountry ? undefined : place;
}

function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word) && wholeWords([word], "u").test(text));
}

function unique(found: readonly RAGCountry[]): readonly RAGCountry[] {
  return [...new Set(found)];
}
