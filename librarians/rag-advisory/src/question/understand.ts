import { type Context, MeshError } from "@constellation/core";
import { isFunctionWord } from "@constellation/nlu";
import type { RAGCountry } from "../contract/rag-response.js";
import { readAreas, readAskedUnit } from "../country/area.js";
import { countries, nameCountries, readCountry } from "../country/countries.js";
import { type KnownNames, listedNames } from "../country/gazetteer.js";
import { type Amount, readAmounts } from "../country/money.js";
import { compilePatterns, hasPattern, patternTable } from "../rules/pattern.js";
import { correctPlaces } from "./correct-places.js";
import { findMentions } from "./find-mentions.js";
import type { QueryPlace, Question } from "./question.js";
import { resolvePlaces } from "./resolve-places.js";
import { propertyWeight, readBedrooms, readIntent, readPropertyType } from "./subject-words.js";

/** Maximum characters of a query that are read. */
export const maxQueryLength = 8_000;

/** Reads what a question about one country asks for. */
export function readQuestion(
  query: string,
  country: RAGCountry,
  place: QueryPlace | undefined,
): Question {
  const amounts = readAmounts(query);
  const budget = pickBudget(amounts, countries[country].currency);
  const propertyType = readPropertyType(query);
  const bedrooms = readBedrooms(query);
  const [area] = readAreas(query);
  const unit = readAskedUnit(query) ?? (area && { ...area.unit, isRate: false });
  const isAboutSize = unit !== undefined && area === undefined && !unit.isRate;
  return {
    query,
    country,
    amounts,
    ...(place !== undefined && { place }),
    ...(propertyType !== undefined && { propertyType }),
    ...(bedrooms !== undefined && { bedrooms }),
    ...(budget !== undefined && { budget }),
    ...(area !== undefined && { area: area.sqft }),
    ...(unit !== undefined && { areaUnit: unit }),
    ...((isAboutSize || sizeForm.test(query)) && { isAboutSize: true }),
    intent: amounts.some(isRent) ? "rental" : readIntent(query, budget !== undefined),
  };
}

const sizeForm =
  /\b(?:how (?:large|big)|(?:what|which) (?:areas?|sizes?)|(?:area|size) (?:is )?how much|(?:plot|land|floor|carpet|built-up|living) (?:areas?|sizes?)|(?:area|size|extent) of)\b/i;

/** The first amount that is in a currency, or names none. */
export function pickBudget(amounts: readonly Amount[], currency: string): Amount | undefined {
  return amounts.find((amount) => amount.currency === undefined || amount.currency === currency);
}

function isRent({ per = "" }: Amount): boolean {
  return ["week", "month", "year"].includes(per);
}

/** How much of a query must be about property. */
const minWeight = 2;

let offTopic: RegExp | undefined;

/**
 * Whether a query is about property: by its words, of which a place, an amount of money and a unit of area make each surer, by
 * an amount and the part of a city, or by the name of a property of the sources.
 */
export function isAboutProperty(query: string, names: KnownNames = listedNames): boolean {
  const weight = propertyWeight(query);
  offTopic ??= compilePatterns(patternTable.offTopic);
  if (hasPattern(query, offTopic)) return false;
  if (names.properties.size > 0) return true;
  const measured = readAmounts(query).length > 0 || readAskedUnit(query) !== undefined ? 1 : 0;
  if (weight === 0 && isOnlyPlace(query, names)) return true;
  if (weight > 0) return weight + measured + (namesPlace(query, names) ? 1 : 0) >= minWeight;
  return (
    (measured > 0 || asksAmount.test(query)) &&
    findMentions(query, names).some(({ places }) =>
      places.some(({ locality, isStored, isOpen }) =>
        locality === undefined && isOpen !== true
          ? isStored === true && measured === 0
          : measured > 0 || isStored === true,
      ),
    )
  );
}

/** Whether a query is nothing but a part of a city of the rows and words of grammar: "What about the Sunset?". */
function isOnlyPlace(query: string, names: KnownNames): boolean {
  let rest = query;
  for (const { places, written } of findMentions(query, names))
    if (places.some(({ isStored, locality, isOpen }) => isStored && (locality || isOpen)))
      rest = rest.replace(written, " ");
  const words = rest.toLowerCase().match(/\p{L}+/gu) ?? [];
  return rest !== query && words.every((word) => isFunctionWord(word));
}

const asksAmount = /\bhow (?:many|much)\b|\b(?:is|are|was|were) (?:asked|quoted|recorded)\b/i;

/** Whether a query names a country or a place, known or not. */
function namesPlace(query: string, names: KnownNames): boolean {
  const found = resolvePlaces(correctPlaces(query, names).query, undefined, names);
  return found.kind !== "none" || found.place !== undefined;
}

/** Maximum number of places of one name that are listed. */
const maxMeant = 8;

/** Which countries are served, and which one is meant where none is named. */
export interface Served {
  readonly served: readonly RAGCountry[];
  readonly country: RAGCountry | undefined;
  /** What is known by name. @default the lists */
  readonly names?: KnownNames | undefined;
}

/**
 * Reads a question, as one for each of the places that it sets side by side: about a country that is served, as it says, or as `metadata.country` or the
 * default do where it says nothing.
 *
 * @throws MeshError `INVALID_QUERY`, naming the countries served, for any other.
 */
export function understand(
  asked: string,
  { metadata }: Partial<Pick<Context, "metadata">>,
  options: Served,
): readonly Question[] {
  const { served, country: defaultCountry, names } = options;
  const { query, correction } = correctPlaces(asked, names);
  const named = metadata?.country;
  const given = typeof named === "string" ? readCountry(named) : undefined;
  const found = resolvePlaces(query, given ?? defaultCountry, names);
  if (found.kind === "none" && named !== undefined && given === undefined) {
    throw notServed("The country in the context's metadata is not served.", served);
  }
  if (found.kind === "other") throw notServed(`The question is about ${found.name}.`, served);
  if (found.kind === "several") {
    const names = found.countries.join(", ");
    throw notServed(
      `The question names several countries: ${names}. Ask about one at a time.`,
      served,
    );
  }
  if (found.kind === "ambiguous") {
    const meant = found.meant.slice(0, maxMeant);
    throw new MeshError(
      "INVALID_QUERY",
      `"${found.name}" is the name of several places: ${meant.join("; ")}. Name the state or the city as well.`,
      { suggestion: `Ask again with one of them: ${meant[0]}.`, details: { meant: [...meant] } },
    );
  }
  const withHow = (question: Question) =>
    correction === undefined ? question : { ...question, correction };
  if (found.kind === "places") {
    const places = found.places.slice(0, maxMeant);
    const unserved = places.find((each) => !served.includes(each.country));
    if (unserved !== undefined) {
      throw notServed(`The question is about ${unserved.country}.`, served);
    }
    return places.map(({ country, place }) => withHow(readQuestion(query, country, place)));
  }
  const country = found.kind === "one" ? found.country : (given ?? defaultCountry);
  if (country === undefined) {
    throw notServed("The question names no country, and no place that is known.", served);
  }
  if (!served.includes(country)) throw notServed(`The question is about ${country}.`, served);
  return [withHow(readQuestion(query, country, found.place))];
}

function notServed(why: string, served: readonly RAGCountry[]): MeshError {
  return new MeshError("INVALID_QUERY", `${why} Served: ${nameCountries(served)}.`, {
    suggestion: `Name a city or a country that is served: ${served.join(", ")}.`,
    details: { served: [...served] },
  });
}
