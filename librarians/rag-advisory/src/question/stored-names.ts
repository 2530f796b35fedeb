import { hasName, ownNames } from "../advisory/comparables.js";
import { type DataRow, readDataRow } from "../advisory/data-row.js";
import type { RAGCountry } from "../contract/rag-response.js";
import {
  type KnownNames,
  nameKey,
  type Place,
  placesMeant,
  placesNamed,
} from "../country/gazetteer.js";
import type { VectorStore } from "../store/vector-store.js";
import { consonantKey, isDevanagari, romanize } from "./romanize.js";

/** Data rows in which names are looked for, for each country. */
const maxRows = 100;

/**
 * Reads the names in the data rows of a store that have words of a question; Devanagari and Latin letters by their sound. A
 * name that no row has is looked up in the lists.
 */
export async function readStoredNames(
  query: string,
  store: VectorStore,
  { served, signal }: { readonly served: readonly RAGCountry[]; readonly signal: AbortSignal },
): Promise<KnownNames> {
  const latin = romanize(query);
  const text = latin === query ? query : `${query} ${latin}`;
  const found = await Promise.all(
    served.map((country) => store.search({ text, country, limit: maxRows, signal })),
  );
  // The words of a search are letters, not sounds.
  const latest = isDevanagari(query)
    ? await Promise.all(served.map((country) => store.rows({ country, limit: maxRows, signal })))
    : [];
  const rows = [...found.flat().map(({ chunk }) => chunk), ...latest.flat()]
    .filter(({ metadata }) => metadata.row !== undefined)
    .map(readDataRow);
  const named = new Map<string, Map<string, Place>>();
  const properties = new Map<string, Map<string, Place>>();
  const add = (known: Map<string, Map<string, Place>>, key: string, place: Place) => {
    const label = JSON.stringify([place.country, place.name, place.region, place.locality]);
    known.set(key, (known.get(key) ?? new Map<string, Place>()).set(label, place));
  };
  for (const row of rows) {
    const own = placesOf(row);
    for (const [name, place] of own)
      for (const key of [nameKey(name), soundOf(name, isDevanagari(name))]) add(named, key, place);
    // The part of the city that the row is of, else the city.
    const [, home] = own[row.chunk.metadata.city === undefined ? 0 : 1] ?? own[0] ?? [];
    if (home === undefined) continue;
    for (const name of ownNames(row))
      if (hasName(text.toLowerCase(), name)) add(properties, name, home);
  }
  const placesOfKey = (key: string) => {
    const known = named.get(key);
    return known === undefined ? undefined : [...known.values()];
  };
  return {
    places: (name) =>
      placesOfKey(nameKey(name)) ??
      placesOfKey(soundOf(name, true)) ??
      (isDevanagari(name) ? placesOfKey(soundOf(name, false)) : undefined) ??
      placesNamed(name),
    countries: [...new Set(rows.map(({ chunk }) => chunk.metadata.country))],
    properties: new Map([...properties].map(([name, known]) => [name, [...known.values()]])),
  };
}

/** The key of a name by its sound, apart for rows in Devanagari: only there is one of two spellings a reading. */
function soundOf(name: string, isRead: boolean): string {
  return `${isRead ? "^" : "~"}${consonantKey(nameKey(name))}`;
}

/** The names of a row: its city, and what is in it. */
function placesOf({ chunk, ...row }: DataRow): readonly (readonly [name: string, place: Place])[] {
  const { country, city } = chunk.metadata;
  const { locality, district, street, names = [], region: written } = row;
  const whole = city ?? (district === locality ? undefined : district);
  const listed = placesMeant(
    placesNamed(whole ?? "").filter((place) => place.country === country && !place.locality),
  );
  const [only] = listed.length === 1 ? listed : [];
  const region = chunk.metadata.region ?? written ?? only?.region;
  const aliases = only === undefined ? [] : [only.name, ...only.aliases];
  const base = { aliases, country, region, inhabitants: 0, isStored: true };
  const parts = [...new Set([locality, district, street, ...names])].filter(
    (part): part is string => part !== undefined && part !== city,
  );
  return [
    ...(city === undefined ? [] : [[city, { ...base, name: city }] as const]),
    ...parts.map((part): readonly [string, Place] => {
      const place =
        city === undefined
          ? {
              ...base,
              name: part,
              region: whole === part ? region : (whole ?? region),
              isOpen: true,
            }
          : { ...base, name: city, locality: part };
      return [part, place];
    }),
  ];
}
