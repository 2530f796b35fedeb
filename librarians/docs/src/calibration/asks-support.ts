import type { Analyzer, SectionResult } from "@constellation/retrieval";

const beginning = /^\s*(?:does|do|is|are|can|could|will|has|have)\b/i;
const asking =
  "support supports supported supporting compatible integrate integrates integrated integration";
const form = /\b(?:support(?:s|ed|ing)?|compatible|integrat(?:es?|ed|ion))\b/i;
/** Maximum number of characters of a question that are read. */
const maxLength = 500;

/**
 * Whether a question asks if something is supported, and the best section lacks what that is: a page about
 * the question's other words does not say so.
 */
export function lacksAskedSupport(
  query: string,
  { hits, facts }: SectionResult,
  analyzer: Analyzer,
): boolean {
  const question = query.slice(0, maxLength);
  if (!beginning.test(question) || !form.test(question)) return false;
  const verbs = new Set(analyzer.terms(asking).map(({ text }) => text));
  const words = facts.terms.filter(({ text }) => !verbs.has(text));
  const rarest = Math.max(0, ...words.map(({ idf }) => idf));
  const has = new Set(hits[0]?.terms);
  return words.some(({ text, idf }) => idf === rarest && !has.has(text));
}
