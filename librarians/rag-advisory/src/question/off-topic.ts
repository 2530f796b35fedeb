import { findPattern, indexPatterns, type PatternIndex } from "../rules/pattern-index.js";
import { tokenSentences } from "../rules/tokens.js";

/** Words of questions that are about something else, by class. */
const lexicon = {
  person:
    "neighbour neighbours neighbour's neighbor neighbors neighbor's landlord landlord's landlords tenant tenant's owner owner's agent agent's seller seller's buyer buyer's",
  personal:
    "name number phone email e-mail address salary income religion caste age identity mobile",
  best: "best cheapest which what good better top recommend recommended trusted",
  service:
    "bank banks lender lenders insurer insurers broker brokers agent agents lawyer lawyers solicitor solicitors architect architects plumber plumbers painter painters contractor contractors movers advocate advocates conveyancer surveyor",
  repair:
    "paint painting repair repairing fix fixing clean cleaning decorate decorating furnish furnishing plumb insulate insulating renovate renovating remodel remodelling waterproof waterproofing",
  whose: "my a the our your",
} as const;

/** Patterns of such questions, as the content rules write them. */
const classes: readonly string[] = [
  // Who somebody is, and how to reach them.
  "phone|mobile|telephone|contact|whatsapp number|no|details",
  "email|e-mail address|of|for",
  "who lives|stays|resides|owns|bought|rents",
  "who is the owner",
  "who is renting",
  "@person @personal",
  "@person phone|mobile|telephone number",
  // Products of banks and insurers.
  "@best ..3 @service",
  "@best ..2 insurance|mutual|loan|credit company|companies|policy|policies|plan|plans|fund|funds|app|apps|provider|providers|card|cards|union|unions",
  "@best ..2 interior designer|designers",
  "bank|savings|current account|accounts",
  "credit score|scores|card|cards",
  "loan|mortgage eligible|eligibility",
  "emi calculator|calculation",
  "stocks|stock|shares|fund|funds|crypto|cryptocurrency|bitcoin|gold price|prices|market|investment|investing",
  // What to do at law.
  "evict|evicts|evicted|evicting|eviction|evictions|sue|suing|lawsuit|lawsuits|divorce|inherit|inherited|inheritance|probate|alimony|custody|squatter|squatters|trespass|trespassing",
  "small claims",
  "adverse possession",
  "power of attorney",
  "break|breaking the|my|a lease",
  "legal notice|advice|action|right|rights",
  "tenant|tenants|tenant's|landlord|landlords|landlord's|my|his|her rights",
  "how do|can|to i|you|we? draft|write a|an? will|lease|rental|sale|contract|notice|agreement",
  // The house as a thing to keep, to stay in for a night, to work in.
  "@repair @whose",
  "recipe|recipes|curtains|wallpaper|sofa|termite|termites|cockroach|cockroaches|mold|mould|leak|leaky|wifi|wi-fi",
  "internet plan|plans",
  "electricity|gas bill|bills|connection",
  "hotel|hotels|airbnb|hostel|hostels|restaurant|restaurants|weather|flight|flights|visa",
  "holiday|vacation home|homes|rental|rentals",
  "things to do",
  "job|jobs|salary|salaries",
  "school|schools|hospital|hospitals|gym|gyms near|in|for",
];

let compiled: PatternIndex | undefined;

/** Whether a question that uses words of property asks for something else: a person, a bank, a court, a repair. */
export function isOffTopic(query: string): boolean {
  compiled ??= indexPatterns(classes, lexicon);
  const known = compiled;
  return tokenSentences(query.slice(0, maxRead)).some(
    (sentence) => findPattern(sentence, known) !== undefined,
  );
}

/** Maximum characters of a question that are read. */
const maxRead = 2_000;
