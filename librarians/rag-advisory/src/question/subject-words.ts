import { readFileSync } from "node:fs";
import { numberWords } from "@constellation/nlu";
import type { Intent, PropertyType, Question } from "./question.js";

const table = JSON.parse(
  readFileSync(new URL("../../data/subjects.json", import.meta.url), "utf8"),
) as Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The expressions of one of the tables of words, by what they tell: of several that match, the first counts. */
export function readForms<Name extends string>(
  name: "types" | "intents" | "topics" | "risks" | "severity",
): readonly (readonly [Name, RegExp])[] {
  return Object.entries(table[name] ?? {}).map(
    // The table has the names that its reader knows.
    ([told, words]) => [told as Name, new RegExp(`\\b(?:${words})\\b`, "i")] as const,
  );
}

const propertyTypes = readForms<PropertyType>("types");

/** The kind of property a text names; the first of the more special ones where it names several. */
export function readPropertyType(text: string): PropertyType | undefined {
  return propertyTypes.find(([, form]) => form.test(text))?.[0];
}

const bedrooms =
  /\b(\d{1,2}|one|two|three|four|five|six)[\s-]?(?:bhk|rk|bed(?:room)?s?(?:ed)?|br|bd)\b/i;

/** How many bedrooms a text names: `2BHK`, `three-bed`, `4 bedrooms`. */
export function readBedrooms(text: string): number | undefined {
  const [, count = ""] = bedrooms.exec(text) ?? [];
  if (count === "") return undefined;
  return /\d/.test(count) ? Number(count) : numberWords[count.toLowerCase()];
}

const intents = readForms<Intent>("intents");
const modal =
  /\b(?:may|must|shall|needs?|ha(?:s|ve) to|can (?!you|(?:i|we) (?:buy|get|find|afford|see|expect|have|compare)))\b/i;

/** What a question is after. One that names a price and no rent is after its fairness. */
export function readIntent(text: string, hasBudget: boolean): Intent {
  const found = intents.find(([, form]) => form.test(text))?.[0];
  if (hasBudget && (found === undefined || found === "trend")) return "valuation";
  // "May I ...?" and "Who has to ...?" ask for a rule.
  return found ?? (modal.test(text) ? "regulation" : "market");
}

/** Whether a text has to do with what a question is after. Of the market everything has. */
export function hasIntent(text: string, intent: Intent): boolean {
  return intents.find(([name]) => name === intent)?.[1].test(text) ?? true;
}

const yieldForm = new RegExp(`\\b(?:${table.property?.yield})\\b`, "i");

/** Whether a question asks what share of a price a rent is. */
export function asksYield(query: string): boolean {
  return yieldForm.test(query);
}

const feeForm = new RegExp(`\\b(?:${table.property?.fee})\\b`, "i");

/** Whether a question asks for a fee, and not for what a property costs. */
export function asksFee(query: string): boolean {
  return feeForm.test(query);
}

/** What a question is after, in its own word: `"permits"`; "this" where no word says it. */
export function subjectOf({ query, intent }: Question): string {
  const [yields] = yieldForm.exec(query) ?? [];
  const [word] =
    yields === undefined
      ? (intents.find(([name]) => name === intent)?.[1].exec(query) ?? [])
      : [yields];
  return word === undefined ? "this" : `"${word}"`;
}

/** Words that only questions about property have, and words that others have too. */
const [sure, unsure] = ["sure", "unsure"].map(
  (name) => new RegExp(`\\b(?:${table.property?.[name]})\\b`, "gi"),
);

/** How much the words of a question are about property: 2 or more says that it is. */
export function propertyWeight(text: string): number {
  const count = (form = /$^/) => new Set(text.toLowerCase().match(form) ?? []).size;
  return 2 * count(sure) + count(unsure);
}
