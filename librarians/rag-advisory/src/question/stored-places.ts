import { readDataRow } from "../advisory/data-row.js";
import type { RAGCountry } from "../contract/rag-response.js";
import {
  type GazetteerPlace,
  nameKey,
  type PlaceNames,
  placesMeant,
  placesNamed,
} from "../country/known-places.js";
import type { Chunk, VectorStore } from "../store/vector-store.js";
import { romanize } from "./romanize.js";

/** Data rows in which names are looked for, for each country. */
const maxRows = 100;

/**
 * The places that the data rows of a store name with words of a question: what rows are of is known better than any
 * list of places tells. A name that no row has is looked up in the gazetteer.
 */
export async function readStoredPlaces(
  query: string,
  store: VectorStore,
  { served, signal }: { readonly served: readonly RAGCountry[]; readonly signal: AbortSignal },
): Promise<PlaceNames> {
  const found = await Promise.all(
    served.map((country) => store.search({ text: query, country, limit: maxRows, signal })),
  );
  const known = new Map<string, GazetteerPlace[]>();
  for (const { chunk } of found.flat()) {
    if (chunk.metadata.row === undefined) continue;
    for (const [name, place] of placesOf(chunk)) {
      const key = nameKey(name);
      const same = known.get(key) ?? [];
      if (!same.some((each) => isSame(each, place))) known.set(key, [...same, place]);
    }
  }
  return (name) => known.get(nameKey(name)) ?? placesNamed(name);
}

function isSame(one: GazetteerPlace, other: GazetteerPlace): boolean {
  return (
    one.country === other.country &&
    one.name === other.name &&
    one.region === other.region &&
    one.locality === other.locality
  );
}

/** The names of a row: its city, and what is in it. */
function placesOf(chunk: Chunk): readonly (readonly [name: string, place: GazetteerPlace])[] {
  const { country, city } = chunk.metadata;
  const { locality, district, street, names = [], region: written } = readDataRow(chunk);
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
    ...parts.map((part): readonly [string, GazetteerPlace] => {
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
  ].flatMap(([name, place]) => [
    [name, place] as const,
    ...(romanize(name) === name ? [] : [[romanize(name), place] as const]),
  ]);
}
