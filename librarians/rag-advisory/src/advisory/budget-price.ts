import { unitNamed } from "../country/area.js";
import type { Question } from "../question/question.js";
import type { Measure } from "./comparables.js";

/**
 * The price or rent a question names, as it compares with a measure: of a range the middle, a price
 * over the area where prices for an area are compared, a year's rent as a month's.
 *
 * @returns `undefined` where the question names none, or one that does not compare.
 */
export function budgetPrice({ budget, area }: Question, measure: Measure): number | undefined {
  if (budget === undefined) return undefined;
  const { low, high, per } = budget;
  const middle = (low + high) / 2;
  if (measure === "price") return per === undefined ? middle : undefined;
  if (measure === "rent") {
    if (per === "year") return middle / 12;
    return per === undefined || per === "month" ? middle : undefined;
  }
  if (measure !== "rate") return undefined;
  const { sqft } = unitNamed(per ?? "") ?? {};
  if (sqft !== undefined) return middle / sqft;
  return per === undefined && area !== undefined ? middle / area : undefined;
}
