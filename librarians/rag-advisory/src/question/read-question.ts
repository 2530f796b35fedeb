import type { RAGCountry } from "../contract/rag-response.js";
import { readAreas } from "../country/area.js";
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
  const budget = readBudget(query, countries[country].currency);
  const propertyType = readPropertyType(query);
  const bedrooms = readBedrooms(query);
  const [area] = readAreas(query);
  return {
    query,
    country,
    ...(place !== undefined && { place }),
    ...(propertyType !== undefined && { propertyType }),
    ...(bedrooms !== undefined && { bedrooms }),
    ...(budget !== undefined && { budget }),
    ...(area !== undefined && { area }),
    intent: isRent(budget) ? "rental" : readIntent(query, budget !== undefined),
  };
}

/** The first amount that is in the country's own currency, or names none. */
function readBudget(query: string, currency: string): Amount | undefined {
  return readAmounts(query).find(
    (amount) => amount.currency === undefined || amount.currency === currency,
  );
}

function isRent(budget: Amount | undefined): boolean {
  return budget?.per === "month" || budget?.per === "year";
}
