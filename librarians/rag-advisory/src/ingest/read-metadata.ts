import { readFileSync } from "node:fs";
import { readCountry } from "../country/countries.js";
import { countryOfRegion, regionNamed } from "../country/gazetteer.js";
import { storeCountries, storeSourceTypes } from "../store/check-calls.js";
import type { ChunkMetadata, StoreCountry, StoreSourceType } from "../store/vector-store.js";
import { type IngestSettings, readDate, readUrl } from "./options.js";

/** What a chunk's metadata says beside its document. */
export type ReadMetadata = Omit<ChunkMetadata, "document" | "row" | "source"> & {
  readonly source?: string | undefined;
};

/** A value that was not what was expected. */
export interface WrongValue {
  readonly key: string;
  readonly message: string;
}

/** What one source of metadata says: a front matter, or a row by column. */
export interface MetadataReading {
  readonly metadata?: ReadMetadata;
  /** Why there is no metadata: no country, or a value that is not a country. */
  readonly wrong?: WrongValue;
  /** Values that are left out because they are not what was expected. */
  readonly leftOut: readonly WrongValue[];
  /** Keys that were metadata. */
  readonly keys: ReadonlySet<string>;
}

type Field = "country" | "city" | "region" | "date" | "source" | "sourceType" | "url" | "title";

/** Fields by their keys, lower case without marks: `source_type`, `sourceType` and "Source type" are one. */
const fieldOf: ReadonlyMap<string, Field> = new Map(
  Object.entries(
    (
      JSON.parse(readFileSync(new URL("../../data/columns.json", import.meta.url), "utf8")) as {
        readonly fields: Readonly<Record<Field, string>>;
      }
    ).fields,
  ).flatMap(([field, keys]) => keys.split(" ").map((key) => [key, field as Field] as const)), // the same keys
);

/** The field a key represents, and `text`. */
export function fieldOfKey(key: string): Field | "text" | undefined {
  let field = fieldsRead.get(key);
  if (field === undefined) {
    const bare = key.toLowerCase().replace(/[^\p{L}\p{M}]/gu, "");
    field = bare === "text" ? "text" : (fieldOf.get(bare) ?? "none");
    if (fieldsRead.size >= maxFieldsRead) fieldsRead.clear();
    fieldsRead.set(key, field);
  }
  return field === "none" ? undefined : field;
}

/** Fields of keys that were met: the columns of a table are the same for every row. */
const fieldsRead = new Map<string, Field | "text" | "none">();
const maxFieldsRead = 1_000;

/**
 * Reads metadata from keys and values, what is missing from the options.
 *
 * @returns The metadata, without the values that are wrong; none where the country is wrong or missing.
 */
export function readMetadata(
  values: Readonly<Record<string, unknown>>,
  defaults: IngestSettings,
): MetadataReading {
  const keys = new Set<string>();
  const leftOut: WrongValue[] = [];
  const found: Partial<Record<Field, string>> = {};
  for (const [key, value] of Object.entries(values)) {
    const field = fieldOfKey(key);
    if (field === undefined || field === "text") continue;
    keys.add(key);
    if (value === null || value === undefined || value === "") continue;
    const text = cleanText(value instanceof Date ? value.toISOString() : String(value)).trim();
    const isOnlyRegion = field === "region" && !/^state$/i.test(key);
    const read = isOnlyRegion ? (regionNamed(text) ?? readName(text)) : readers[field](text);
    if (read === undefined) {
      const shown = JSON.stringify(text.slice(0, 80));
      const wrong = { key, message: `expected ${expected[field]}, got ${shown}` };
      // Without its country a document would be taken for another's.
      if (field === "country") return { keys, wrong, leftOut };
      leftOut.push({ key, message: `${wrong.message}; the field is left out` });
      continue;
    }
    if (text !== "") found[field] = read;
  }
  const ofRegion = found.region === undefined ? undefined : countryOfRegion(found.region);
  const country = (found.country ?? ofRegion ?? defaults.country) as StoreCountry | undefined;
  if (country === undefined) {
    const message = `expected ${expected.country}; name it in the document or as an option`;
    return { keys, wrong: { key: "country", message }, leftOut };
  }
  const sourceType = (found.sourceType ?? defaults.sourceType) as StoreSourceType | undefined;
  const rest = {
    source: found.source ?? defaults.source,
    sourceType,
    city: found.city ?? defaults.city,
    region: found.region === "" ? undefined : found.region,
    date: found.date ?? (defaults.date === undefined ? undefined : readDate(defaults.date)),
    url: found.url ?? defaults.url,
    title: found.title,
  };
  const said = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { keys, leftOut, metadata: { country, ...Object.fromEntries(said) } };
}

const readers: Readonly<Record<Field, (text: string) => string | undefined>> = {
  country: readCountry,
  city: readName,
  // Of a house the state may be "good" as well: what is not a region is not metadata.
  region: (text) => regionNamed(text) ?? "",
  date: readDate,
  source: readName,
  sourceType(text) {
    const bare = text.toUpperCase().replace(/[^A-Z]+/g, "_");
    return storeSourceTypes.find((known) => known === bare);
  },
  url: readUrl,
  title: readName,
};

const expected: Readonly<Record<Field, string>> = {
  country: `a country (${storeCountries.join(", ")})`,
  city: "at most 200 characters",
  region: "a state or region",
  date: "an ISO 8601 date such as 2026-10-01",
  source: "at most 200 characters",
  sourceType: `a kind of source (${storeSourceTypes.join(", ")})`,
  url: "an http or https address",
  title: "at most 200 characters",
};

function readName(text: string): string | undefined {
  return text.length <= 200 ? text : undefined;
}

/** A text without characters that no reader sees and some stores refuse. */
export function cleanText(text: string): string {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text;
  return (
    text
      .replace(/\r\n?/g, "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out.
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ")
      // Half a character.
      .replace(/\p{Surrogate}/gu, "\ufffd")
  );
}
