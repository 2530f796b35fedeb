import type { RAGCountry } from "../contract/rag-response.js";
import { readAreas, readAskedUnit } from "../country/area.js";
import { countries } from "../country/countries.js";
import { type Amount, readAmounts } from "../country/money.js";
import type { QueryPlace, Question } from "./question.js";
import { readBedrooms, readIntent, readPropertyType } from "./subject-words.js";

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
    intent: isRent(budget) ? "rental" : readIntent(query, budget !== undefined),
  };
}

const sizeForm =
  /\b(?:how (?:large|big)|(?:plot|land|floor|carpet|built-up|living) (?:areas?|sizes?))\b/i;

/** The first amount that is in a currency, or names none. */
export function pickBudget(amounts: readonly Amount[], currency: string): Amount | undefined {
  return amounts.find((amount) => amount.currency === undefined || amount.currency === currency);
}

function isRent(budget: Amount | undefined): boolean {
  return budget?.per === "month" || budget?.per === "year";
}
