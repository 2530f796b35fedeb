/** Questions that have words of property and are about something else, by class. */
const classes: readonly RegExp[] = [
  // Who somebody is, and how to reach them.
  /\b(?:phone|mobile|telephone|contact|whatsapp) (?:number|no\b|details)|\be-?mail (?:address|of|for)\b|\bwho (?:lives|stays|resides|owns|is the owner|bought|is renting)\b|\b(?:neighbou?r|landlord|tenant|owner|agent|seller|buyer)(?:'s|s'|’s)? (?:name|number|phone|e-?mail|address|salary|income|religion|caste|age|identity)\b/i,
  // Products of banks and insurers.
  /\b(?:best|cheapest|which|what|good|better|top|recommend\w*) (?:\w+ ){0,2}(?:banks?|lenders?|insurers?|insurance (?:compan(?:y|ies)|polic(?:y|ies)|plans?)|credit (?:cards?|unions?)|mutual funds?|loan (?:app|provider)s?|brokers?|agents?|lawyers?|solicitors?|architects?|plumbers?|painters?|interior designers?|contractors?|movers)\b|\b(?:bank|savings|current) accounts?\b|\bcredit (?:score|card)s?\b|\b(?:loan|mortgage) eligib\w+|\bemi calculat\w+|\b(?:stocks?|shares|mutual funds?|crypto\w*|bitcoin|gold) (?:price|prices|market|invest\w*)\b/i,
  // What to do at law.
  /\b(?:evict\w*|eviction|sue|suing|lawsuit|small claims|divorce|inherit\w*|probate|alimony|custody|adverse possession|squatters?|trespass\w*|power of attorney|break(?:ing)? (?:the|my|a) lease|legal (?:notice|advice|action|rights?))\b|\b(?:tenants?|landlords?|my|his|her)(?:'s|’s)? (?:legal )?rights\b|\bhow (?:do|can|to) (?:i |you |we )?(?:draft|write) (?:a |an )?(?:will|lease|rental agreement|sale deed|contract|notice)\b/i,
  // The house as a thing to keep, to stay in for a night, to work in.
  /\b(?:paint|repair|fix|clean|decorat|furnish|plumb|insulat|renovat|remodel|waterproof)\w* (?:my|a|the|our|your)\b|\b(?:recipes?|curtains?|wallpaper|sofa|termites?|cockroach\w*|mold|leaky?|wi-?fi|internet plans?|electricity bill|gas connection)\b|\b(?:hotels?|airbnb|holiday homes?|vacation rentals?|hostels?|things to do|restaurants?|weather|flights?|visa)\b|\b(?:jobs?|salary|salaries|vacancies for)\b|\b(?:schools?|hospitals?|gyms?) (?:near|in|for)\b/i,
];

/** Whether a question that uses words of property asks for something else: a person, a bank, a court, a repair. */
export function isOffTopic(query: string): boolean {
  const text = query.slice(0, 2_000);
  return classes.some((form) => form.test(text));
}
