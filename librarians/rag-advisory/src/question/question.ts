import type { RAGCountry } from "../contract/rag-response.js";
import type { Amount } from "../country/money.js";

/** What a question is after. */
export type Intent = "valuation" | "rental" | "trend" | "risk" | "regulation" | "market";

/** A kind of property, as data rows are compared. */
export type PropertyType = "apartment" | "house" | "villa" | "plot" | "commercial" | "other";

/** Where a question is about. */
export interface QueryPlace {
  /** As printed: the usual name of a known place, or as the question has it. */
  readonly name: string;
  /** Every name in use, that of the question first. */
  readonly names: readonly string[];
  /** The locality that the question names, where `name` is the city that it is in. */
  readonly locality?: string | undefined;
  /** Whether the question names `region`. */
  readonly isRegionNamed?: boolean | undefined;
  /** State or region of the city, where one is on record. */
  readonly region?: string | undefined;
  /** Whether the gazetteer has it. Of a place that it does not have, only sources that name it are used. */
  readonly isKnown?: boolean | undefined;
  /** Whether data rows name it. */
  readonly isStored?: boolean | undefined;
  /** A state or region, in which several cities lie. */
  readonly isRegion?: boolean | undefined;
}

/** A name that is taken for a misspelt one. */
export interface Correction {
  /** As the question has it. */
  readonly written: string;
  /** The known name that it is read as. */
  readonly read: string;
}

/** What was read of a question. */
export interface Question {
  readonly query: string;
  /** How a misspelt place was read. */
  readonly correction?: Correction | undefined;
  readonly country: RAGCountry;
  readonly place?: QueryPlace | undefined;
  readonly propertyType?: PropertyType | undefined;
  readonly bedrooms?: number | undefined;
  /** Every amount that the question names. */
  readonly amounts: readonly Amount[];
  /** The price or rent of these that is compared. */
  readonly budget?: Amount | undefined;
  /** Square feet. */
  readonly area?: number | undefined;
  /** What figures are asked for in: "in acres", "per gunta". Without square feet where it differs by state. */
  readonly areaUnit?:
    | { readonly name: string; readonly sqft: number | undefined; readonly isRate: boolean }
    | undefined;
  /** Whether it asks how large properties are. */
  readonly isAboutSize?: boolean | undefined;
  readonly intent: Intent;
}
