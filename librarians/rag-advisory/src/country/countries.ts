import type { RAGCountry } from "../contract/rag-response.js";
import type { CountryConventions } from "./conventions.js";
import { india } from "./india.js";
import { unitedKingdom } from "./united-kingdom.js";
import { unitedStates } from "./united-states.js";

/** What is known of each country that is served. */
export const countries: Readonly<Record<RAGCountry, CountryConventions>> = {
  IN: india,
  US: unitedStates,
  UK: unitedKingdom,
};

/** Every country that is served. */
export const servedCountries: readonly RAGCountry[] = ["IN", "US", "UK"];

/**
 * Reads a country as people and programs write it: `IN`, `gb`, `Great Britain`, `usa`.
 *
 * @returns `undefined` for any other country.
 */
export function readCountry(written: string): RAGCountry | undefined {
  const lower = written.trim().toLowerCase().replace(/^the /, "");
  return servedCountries.find((country) => {
    const { spellings, codes } = countries[country];
    return spellings.includes(lower) || codes.includes(lower.toUpperCase());
  });
}

/** The names of countries, for people: `IN (India), US (the United States) and UK (the United Kingdom)`. */
export function nameCountries(served: readonly RAGCountry[]): string {
  const names = served.map((country) => `${country} (${countries[country].name})`);
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);
}
