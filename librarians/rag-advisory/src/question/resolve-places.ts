import type { RAGCountry } from "../contract/rag-response.js";
import { countries, servedCountries, wholeWords } from "../country/countries.js";
import {
  type Area,
  type KnownNames,
  listedNames,
  nameKey,
  type Place,
  placesMeant,
  regionOfCode,
} from "../country/gazetteer.js";
import { readAmounts } from "../country/money.js";
import { findMentions, findUnknownWord, type Mention } from "./find-mentions.js";
import type { QueryPlace } from "./question.js";

/** A place of a question, and the country that it is in. */
export interface PlaceOfCountry {
  readonly country: RAGCountry;
  readonly place: QueryPlace;
}

/**
 * Where a question is about: one country that is served, several, places set side by side, a name that
 * several places have, another country, or none named.
 */
export type ResolvedPlaces =
  | { readonly kind: "one"; readonly country: RAGCountry; readonly place?: QueryPlace | undefined }
  | { readonly kind: "several"; readonly countries: readonly RAGCountry[] }
  | { readonly kind: "places"; readonly places: readonly PlaceOfCountry[] }
  | { readonly kind: "ambiguous"; readonly name: string; readonly meant: readonly string[] }
  | { readonly kind: "other"; readonly name: string }
  | { readonly kind: "none"; readonly place?: QueryPlace | undefined };

/** A name with the wider ones behind it: `Civil Lines, Nagpur`, `Springfield, IL`. */
interface Chain extends Mention {
  /** Countries and regions that stand behind it. */
  readonly within: readonly Area[];
  /** Name of a part of the place that stands before it. */
  readonly part?: string | undefined;
}

/**
 * Reads where a question is about. A country or a state behind a city counts most, then one that is named anywhere, then the
 * city, then the currency and words that only one country uses.
 *
 * @param given - The country of questions that name none, where it is known: of places of one name it
 *   decides last.
 */
export function resolvePlaces(
  query: string,
  given?: RAGCountry,
  names: KnownNames = listedNames,
): ResolvedPlaces {
  const mentions = findMentions(query, names);
  const all = chainMentions(query, mentions);
  const isKnown = ({ places, within }: Chain) => places.length > 0 || within.length > 0;
  const known = all.filter(isKnown);
  const areas = all.flatMap(({ area, places }) =>
    area === undefined || places.length > 0 ? [] : [area],
  );
  const [abroad] = [
    ...known.filter(({ places }) => places[0]?.isStored !== true).flatMap(({ within }) => within),
    ...(known.length === 0 ? areas : []),
  ].flatMap((area) => area.abroad ?? []);
  const behind = countriesOf(known.flatMap(({ within }) => within));
  const byName = countriesOf(areas);
  if (abroad !== undefined && behind.length + byName.length === 0)
    return { kind: "other", name: abroad };
  const hints: Hints = {
    regions: [...areas, ...known.flatMap(({ within }) => within)].flatMap(
      ({ region }) => region ?? [],
    ),
    countries: [behind, byName],
    last: [hintedBy(query, names.countries), given === undefined ? [] : [given]],
    query,
  };
  const counts = new Map<Place, number>();
  for (const place of known.flatMap(({ places }) => places))
    counts.set(place, (counts.get(place) ?? 0) + 1);
  const chains = all.map((chain) => ({ ...chain, places: narrow(chain, counts, hints) }));
  const cities = chains.filter(({ places }) => places.length > 0);
  const open = cities.find(({ places }) => places.length > 1);
  if (open !== undefined)
    return { kind: "ambiguous", name: open.written, meant: open.places.map(describePlace) };
  const located = distinct(cities.flatMap(({ places }) => places.map(({ country }) => country)));
  // A flat in London that someone from India asks about is in London.
  const isInOther =
    located.length === 1 && byName.length > 0 && !byName.includes(located[0] ?? "IN");
  // Rows that are of the region that is named are of its country, whatever a list says.
  const isOfRegion =
    cities.length > 0 &&
    cities.every(
      ({ places: [place] }) => place?.isStored && hints.regions.includes(place.region ?? ""),
    );
  const [chosen = []] = [
    isOfRegion ? located : [],
    behind,
    isInOther ? located : byName,
    located,
    hints.last[0] ?? [],
  ].filter(({ length }) => length > 0);
  const [country] = chosen;
  const sides = sideBySide(query, chains);
  if (sides.length > 1)
    return {
      kind: "places",
      places: sides.map(
        (side) =>
          toPlace(side, hints.regions) ?? {
            country: country ?? given ?? "IN",
            place: unknownPlace(side.written),
          },
      ),
    };
  const unlisted = () => {
    const name = chains.find(
      ({ isPlaced, places, index }) => isPlaced === true && places.length === 0 && index > 0,
    );
    const found = name?.written ?? findUnknownWord(query);
    return found === undefined ? undefined : unknownPlace(found);
  };
  if (country === undefined) return { kind: "none", place: unlisted() };
  if (chosen.length > 1) return { kind: "several", countries: chosen };
  const region = areas.find(
    (area) => area.region !== undefined && area.country === country,
  )?.region;
  // A city that the gazetteer has elsewhere only: `Birmingham, Kerala`.
  const elsewhere = chains.find(({ within }) => countriesOf(within).includes(country));
  const place =
    cities.map((city) => toPlace(city, hints.regions)).find((each) => each?.country === country)
      ?.place ??
    (elsewhere && unknownPlace(elsewhere.written)) ??
    unlisted() ??
    (region === undefined
      ? undefined
      : { name: region, names: [region], isKnown: true, isRegion: true });
  return place === undefined ? { kind: "one", country } : { kind: "one", country, place };
}

/** What may stand between a name and the wider one, and between two names that are set side by side. */
const joint = /^\s?,?\s?(?:in\s|of\s)?$/;
const conjunction =
  "\\s{0,3},?\\s{0,3}(?:and|or|versus|vs\\.?|against|&|than|(?:as )?compared (?:to|with)|with)\\s{1,3}(?:(?:those )?(?:in|at|near|around|of|for)\\s{1,3})?";
const beside = new RegExp(
  `^(?:${conjunction}|\\s?,\\s?)$|\\s(?:and|or|versus|vs\\.?)(?: \\p{Ll}{1,12}){0,2} (?:in|at|near) $`,
  "iu",
);
/** A list of names up to its conjunction. */
const listedBehind = new RegExp(`^(?:, ?\\p{Lu}[^\\s,]{0,40}){0,5}${conjunction}`, "u");
const comparing = /\b(?:compare|between|versus)\b/i;

/** Joins each name with the wider ones behind it; one name of a list and the next stay apart. */
function chainMentions(query: string, mentions: readonly Mention[]): readonly Chain[] {
  const chains: Chain[] = [];
  const isCompared = comparing.test(query);
  for (const mention of mentions) {
    const before = chains.at(-1);
    const between = before === undefined ? "" : query.slice(before.end, mention.index);
    const isBehind = before !== undefined && joint.test(between);
    const { area, places, end } = mention;
    const rest = query.slice(end, end + 200);
    const canBePart = between.includes(",") && !listedBehind.test(rest) && !isCompared;
    const extended = !isBehind
      ? undefined
      : (withArea(before, area) ?? withCity(before, mention, canBePart));
    if (extended === undefined) chains.push(withCode({ ...mention, places, within: [] }, query));
    else chains[chains.length - 1] = withCode({ ...extended, end }, query);
  }
  return chains;
}

/** A place that stands before its country or region; that is elsewhere, where it has none there. */
function withArea(chain: Chain, area: Area | undefined): Chain | undefined {
  const isName =
    chain.places.length > 0 || chain.area === undefined || chain.area.abroad !== undefined;
  if (area === undefined || !isName) return undefined;
  const { area: _, isPlaced: __, ...rest } = chain;
  return { ...rest, within: [...chain.within, area] };
}

/** A locality before its city or behind it, and a city with the name of a part of it before it: "Sadar, Nagpur". */
function withCity(chain: Chain, mention: Mention, canBePart: boolean): Chain | undefined {
  const { places } = mention;
  const parts = (some: readonly Place[], wholes: readonly Place[]) =>
    some.filter(
      ({ locality, name, country }) =>
        locality !== undefined &&
        wholes.some((whole) => !whole.locality && whole.name === name && whole.country === country),
    );
  const [before, behind] = [parts(chain.places, places), parts(places, chain.places)];
  if (before.length > 0) return { ...chain, places: before };
  if (behind.length > 0) return { ...mention, index: chain.index, places: behind, within: [] };
  const isPart =
    places.length > 0 &&
    (chain.isPlaced === true ||
      (canBePart && chain.places.some(({ country }) => country === places[0]?.country)));
  if (!isPart) return undefined;
  return { ...mention, index: chain.index, within: [], part: chain.written };
}

/** A city with the two capitals of its state behind it. */
function withCode(chain: Chain, query: string): Chain {
  const [code = "", letters = ""] =
    /^\s?,?\s?([A-Z]{2})(?![\p{L}\d])/u.exec(query.slice(chain.end)) ?? [];
  const region =
    chain.places.length === 0 && chain.area?.abroad === undefined
      ? undefined
      : regionOfCode(letters);
  if (region === undefined) return chain;
  return {
    ...chain,
    end: chain.end + code.length,
    within: [...chain.within, { country: "US", region }],
  };
}

/** What else of a question says which of several places is meant. */
interface Hints {
  readonly regions: readonly string[];
  /** Countries that are named, those behind a city first. */
  readonly countries: readonly (readonly RAGCountry[])[];
  /** What decides where rows say nothing of it. */
  readonly last: readonly (readonly RAGCountry[])[];
  readonly query: string;
}

/** The places that a name can mean beside the rest of the question; none where its own country has no such place. */
function narrow(
  chain: Chain,
  counts: ReadonlyMap<Place, number>,
  { regions, countries, last, query }: Hints,
): readonly Place[] {
  const own = countriesOf(chain.within);
  const inOwn =
    own.length === 0 ? chain.places : chain.places.filter(({ country }) => own.includes(country));
  const others = [...counts].flatMap(([place, count]) =>
    count > (chain.places.includes(place) ? 1 : 0) ? [place] : [],
  );
  const ownRegions = chain.within.flatMap(({ region }) => region ?? []);
  const filters: readonly ((place: Place) => boolean)[] = [
    ({ region = "" }) => ownRegions.includes(region),
    ({ region, isStored }) =>
      region !== undefined &&
      (regions.includes(region) ||
        (isStored === true && ` ${nameKey(query)} `.includes(` ${nameKey(region)} `))),
    ({ locality, isOpen, name, country }) =>
      (locality !== undefined || isOpen === true) &&
      others.some(
        (other) =>
          other.name === name &&
          other.country === country &&
          (other.locality === undefined || other.locality === locality),
      ),
    ...countries.map(
      (some) =>
        ({ country }: Place) =>
          some.includes(country),
    ),
  ];
  const meant = placesMeant(filters.reduce(keepUnlessEmpty, inOwn));
  // Of several that no row is of, beside one that rows are of, the sources have none.
  const isBesideStored = others.some(({ isStored }) => isStored === true);
  if (meant.length > 1 && isBesideStored && !meant.some(({ isStored }) => isStored === true))
    return [];
  // Rows of several say that either may be meant.
  if (meant.length < 2 || meant.every(({ isStored }) => isStored === true)) return meant;
  return last
    .map(
      (some) =>
        ({ country }: Place) =>
          some.includes(country),
    )
    .reduce(keepUnlessEmpty, meant);
}

/** Those that a hint keeps; all where it keeps none. */
function keepUnlessEmpty(
  places: readonly Place[],
  keeps: (place: Place) => boolean,
): readonly Place[] {
  const kept = places.filter(keeps);
  return kept.length === 0 ? places : kept;
}

/**
 * The places that a query sets side by side, with those that no list has: "Vizag or Pune"; not those of "a flat in Vizag
 * for someone from Pune".
 */
function sideBySide(query: string, chains: readonly Chain[]): readonly Chain[] {
  const sides = new Set<Chain>();
  const labels = new Map(chains.map((chain) => [chain, toLabel(chain)]));
  const isCompared = comparing.test(query);
  let hasConjunction = isCompared;
  for (const [at, chain] of chains.entries()) {
    const next = chains[at + 1];
    const between = query.slice(chain.end, next?.index);
    if (next === undefined || labels.get(next) === labels.get(chain) || !beside.test(between))
      continue;
    const isConjunction = !/^\s*,\s*$/.test(between);
    const unknown = [chain, next].filter(({ places }) => places.length === 0);
    const isSide =
      unknown.length === 0 ||
      (unknown.length === 1 &&
        isConjunction &&
        unknown[0]?.area === undefined &&
        (unknown[0] === next ? isCompared || !/\bwith\b/.test(between) : chain.isPlaced === true));
    if (!isSide) continue;
    hasConjunction ||= isConjunction;
    sides.add(chain).add(next);
  }
  return hasConjunction ? [...sides] : [];
}

function toLabel({ places: [place], part, written }: Chain): string {
  if (place === undefined) return written;
  return [place.locality ?? part, place.name, place.region, place.country].join();
}

function toPlace(
  { places: [place], written, part, isProperty }: Chain,
  regions: readonly string[],
): PlaceOfCountry | undefined {
  if (place === undefined) return undefined;
  const { name, aliases, region, country, isOpen, isStored, locality = part } = place;
  return {
    country,
    place: {
      name,
      names: distinct(
        place.locality === undefined && isProperty !== true
          ? [written, name, ...aliases]
          : [name, ...aliases],
      ),
      isKnown: isOpen !== true,
      ...(isStored === true && { isStored }),
      ...(locality !== undefined && { locality }),
      ...(region !== undefined && { region, isRegionNamed: regions.includes(region) }),
    },
  };
}

function unknownPlace(name: string): QueryPlace {
  return { name, names: [name], isKnown: false };
}

/** A place for people: `Salem, Oregon (US)`. */
function describePlace({ name, locality, region, country }: Place): string {
  const place = locality === undefined ? name : `${locality}, ${name}`;
  return region === undefined || locality !== undefined
    ? `${place} (${country})`
    : `${place}, ${region} (${country})`;
}

function countriesOf(areas: readonly Area[]): readonly RAGCountry[] {
  return distinct(areas.flatMap(({ country }) => country ?? []));
}

/** Countries that only the currency or the words of a question tell, of those that rows are of where there are any. */
function hintedBy(query: string, stored: readonly RAGCountry[]): readonly RAGCountry[] {
  const currencies = new Set(readAmounts(query).map(({ currency }) => currency));
  const byMoney = servedCountries.filter((country) => currencies.has(countries[country].currency));
  const lower = query.toLowerCase();
  const byWords = servedCountries.filter(
    (country) =>
      countries[country].onlyHere.some(
        (word) => lower.includes(word) && wholeWords([word], "u").test(lower),
      ) ||
      (country === "IN" && /\d ?(?:bhk|lakh|crore)/.test(lower)),
  );
  const hinted = byMoney.length > 0 ? byMoney : byWords;
  const [only, ...others] = stored;
  const isElsewhere = only !== undefined && others.length === 0 && hinted.length > 0;
  return isElsewhere ? [only] : hinted;
}

function distinct<T>(found: readonly T[]): readonly T[] {
  return [...new Set(found)];
}
