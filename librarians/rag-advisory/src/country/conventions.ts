import type { RAGCountry } from "../contract/rag-response.js";

/** A word that multiplies a number: `lakh`, `k`. */
export interface NumberWord {
  /** As printed after one, and after any other number: `lakh`, `lakhs`. Glued to the number where it has one letter. */
  readonly one: string;
  readonly many: string;
  readonly factor: number;
}

/** A unit of area. */
export interface AreaUnit {
  readonly name: string;
  readonly sqft: number;
}

/** A place that is known by name. */
export interface KnownPlace {
  /** As printed. */
  readonly name: string;
  /** Other names in use: `Vizag` for Visakhapatnam. */
  readonly aliases?: readonly string[];
}

/** How a country writes money, areas and places. One object per country; nothing else differs. */
export interface CountryConventions {
  readonly country: RAGCountry;
  readonly name: string;
  /** Ways to name the country, lower case, whole words. */
  readonly spellings: readonly string[];
  /** Ways to name it that count only in capitals: `US` is not `us`. */
  readonly codes: readonly string[];
  /** ISO 4217. */
  readonly currency: string;
  readonly symbol: string;
  /** Other ways to write the currency, lower case. */
  readonly currencyWords: readonly string[];
  /** BCP 47, for the grouping of digits. */
  readonly locale: string;
  /** Largest first. */
  readonly numberWords: readonly NumberWord[];
  readonly areaUnit: AreaUnit;
  /** Words that are used in this country only, lower case: `bhk`, `rera`. */
  readonly onlyHere: readonly string[];
  /** States and regions. */
  readonly regions: readonly string[];
  /** Short names of regions, in capitals: they count behind a city only, as in `Cambridge, MA`. */
  readonly regionCodes: readonly string[];
  readonly places: readonly KnownPlace[];
}
