import type { Intent, PropertyType, Question } from "./question.js";

const propertyTypes: readonly (readonly [type: PropertyType, form: RegExp])[] = [
  [
    "other",
    /\b(?:house ?boats?|garages?|parking (?:spaces?|spots?|lots?)|castles?|islands?|caravans?|mobile homes?|hotels?|farmhouses?|barns?|lighthouses?)\b/i,
  ],
  [
    "commercial",
    /\b(?:commercial|office(?: space)?s?|shops?|retail (?:unit|space)s?|warehouses?|industrial)\b/i,
  ],
  ["plot", /\b(?:plots?|land|acres?|farmland|site)\b/i],
  ["villa", /\b(?:villas?|row[- ]houses?)\b/i],
  [
    "apartment",
    /\b(?:apartments?|flats?|condos?|condominiums?|studios?|maisonettes?|\d ?bhk|penthouses?)\b/i,
  ],
  [
    "house",
    /\b(?:houses?|homes?|bungalows?|town ?houses?|terraced?|semis?(?:[- ]?detached)?|detached|single[- ]family|cottages?)\b/i,
  ],
];

/** The kind of property a text names; the first of the more special ones where it names several. */
export function readPropertyType(text: string): PropertyType | undefined {
  return propertyTypes.find(([, form]) => form.test(text))?.[0];
}

const bedrooms =
  /\b(\d{1,2}|one|two|three|four|five|six)[\s-]?(?:bhk|rk|bed(?:room)?s?(?:ed)?|br|bd)\b/i;
const spelled = ["zero", "one", "two", "three", "four", "five", "six"];

/** How many bedrooms a text names: `2BHK`, `three-bed`, `4 bedrooms`. */
export function readBedrooms(text: string): number | undefined {
  const [, count = ""] = bedrooms.exec(text) ?? [];
  if (count === "") return undefined;
  return /\d/.test(count) ? Number(count) : spelled.indexOf(count.toLowerCase());
}

const intents: readonly (readonly [intent: Intent, form: RegExp])[] = [
  [
    "regulation",
    /\b(?:rera|regulations?|rules?|laws?|legal(?:ly)?|registration|stamp duty|zoning|permits?|permissions?|consents?|approvals?|licen[cs]\w+|permitted|allowed|entitled|eligib\w+|deposits?|notice|evict\w*|tenancy|planning|tax(?:es)?|epc|compliance|regulat\w+|hoa rules)\b/i,
  ],
  [
    "risk",
    /\b(?:risks?|risky|safe|flood\w*|disputes?|litigation|fraud|problems?|hazards?|cyclones?|wildfires?|subsidence|cladding|pitfalls?|concerns?)\b/i,
  ],
  [
    "rental",
    /\b(?:rent(?:s|al|als|ing|ed)?|yields?|lett?ing|buy-to-let|tenants?|landlords?|leas(?:e|es|ing))\b/i,
  ],
  [
    "trend",
    /\b(?:trends?|growth|grow(?:ing|n)?|appreciat\w+|ris(?:e|en|ing)|rose|fall(?:ing|en)?|fell|declin\w+|forecasts?|histor\w+|chang(?:e|ed|ing)|increas\w+|decreas\w+|year[- ]on[- ]year|yoy)\b/i,
  ],
  [
    "valuation",
    /\b(?:fair|worth|valu\w+|pric\w+|cost\w*|over-?priced|under-?priced|cheap|expensive|afford\w*|budget|quote[ds]?|asking|pay|going rate|comparables?)\b/i,
  ],
];

/** What a question is after. One that names a price and no rent is after its fairness. */
export function readIntent(text: string, hasBudget: boolean): Intent {
  const found = intents.find(([, form]) => form.test(text))?.[0];
  if (hasBudget && (found === undefined || found === "trend")) return "valuation";
  return found ?? "market";
}

/** Whether a text has to do with what a question is after. Of the market everything has. */
export function hasIntent(text: string, intent: Intent): boolean {
  return intents.find(([name]) => name === intent)?.[1].test(text) ?? true;
}

/** What a question is after, in its own word: `"permits"`; "this" where no word says it. */
export function subjectOf({ query, intent }: Question): string {
  const [yields] = /\byields?\b/i.exec(query) ?? [];
  const [word] =
    yields === undefined
      ? (intents.find(([name]) => name === intent)?.[1].exec(query) ?? [])
      : [yields];
  return word === undefined ? "this" : `"${word}"`;
}

/** Words that only questions about property have, and words that others have too. */
const sure =
  /\b(?:\d ?bhk|apartments?|real[- ]estate|realty|mortgages?|stamp duty|rera|bed ?rooms?|bedroomed|(?:\d+|one|two|three|four|five|six)[- ]bed(?:s|ded)?|sq\.? ?ft|sqft|sqm|square (?:feet|foot|met\w+)|villas?|condos?|condominiums?|town ?houses?|freehold|leasehold|landlords?|housing|bungalows?|rentals?|rental yields?|buy-to-let|home loans?|propert(?:y|ies) (?:market|prices?|values?|tax|registration)|house prices?|home prices?|land prices?|penthouses?|homebuyers?|house ?hunting|sale deed|encumbrance certificate|council tax|conveyanc\w+|unsold (?:inventory|stock|homes)|days on (?:the )?market|p\.?c\.?m)\b/gi;
const unsure =
  /\b(?:homes?|houses?|land|plots?|flats?|rent(?:s|ed|ing)?|leas(?:e|es|ing)|yields?|tenants?|propert(?:y|ies)|market|pric(?:e|es|ing|ey)|registration|zoning|tax(?:es)?|neighbou?rhoods?|localit(?:y|ies)|residential|commercial|studios?|offices?|square|floods?|builders?|developers?|valuations?|invest\w*|buy(?:ing|ers?)?|sell(?:ing|ers?)?|afford\w*|expensive|cheap|worth|rates?|costs?|records?|recorded|data|rows?|medians?|averages?|compare|figures?|quoted?|areas?|sizes?|acres?|hectares?|permits?|permit|survey|large|big)\b/gi;

/** How much the words of a question are about property: 2 or more says that it is. */
export function propertyWeight(text: string): number {
  const count = (form: RegExp) => new Set(text.toLowerCase().match(form) ?? []).size;
  return 2 * count(sure) + count(unsure);
}
