/** Words before a question that do not belong to it. */
const lead =
  /^(?:(?:and|so|but|or|then|also|hey|hi|hello|ok|okay|please|pls|plz|quick question|question|one more|btw|actually|anyway)\b[,:]? ?){1,4}/i;
/** How a question or a request to look something up begins. */
const beginning =
  /^(?:who|what|whats|what's|which|when|where|wheres|where's|why|how|hows|is|are|was|were|isn't|aren't|did|didn't|does|doesn't|do|has|have|hasn't|had|can|could|any\w*|show|list|get|count|tell|give|name|print)\b/i;
/** Where a sentence ends, and where another question begins in one: `is it ok and which image does it run`. */
const ends =
  /(?<=[.!?;:])\s|\s[-–—]\s|,?\s(?:and|or|but)\s(?=(?:(?:then|also)\s)?(?:who|whats?|which|when|where|why|how|is|are|does|did|has|can)\s)|,\s(?=(?:so\s)?(?:who|whats?|when|where|why|how|is|are|does|did|has|which (?!is|are|was|were|has|have|had|do|does|runs?|needs?|uses?))\s?)/i;
/** Maximum number of clauses that are looked at. */
const maxClauses = 6;

/** One clause of a query. */
export interface Clause {
  readonly text: string;
  /** True for one that asks, and false for one that says something. */
  readonly isQuestion: boolean;
}

/**
 * The clauses of a query, in order: sentences, and the questions that a sentence joins. Only white space and the
 * words that join them are left out.
 */
export function splitClauses(query: string): readonly Clause[] {
  const texts = query
    .split(ends)
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const joined = texts.slice(0, maxClauses).map((text) => text.replace(lead, ""));
  return joined.map((text) => ({ text, isQuestion: beginning.test(text) }));
}
