import type { Delegate, DelegateRequest } from "@constellation/core";
import { type Analyzer, createAnalyzer } from "@constellation/retrieval";

/** Share of the query's words that a delegate must say of itself. */
const minShare = 0.3;

/** Finds who says most of a query's words of itself: three tenths at least; equal ones by id. */
export function findDelegate(
  query: string,
  delegates: readonly Delegate[],
  own: string,
  analyzer: Analyzer = createAnalyzer(),
): DelegateRequest | undefined {
  const asked = termsOf(query.slice(0, 2_000), analyzer);
  if (asked.size === 0) return undefined;
  let best = { share: 0, to: "" };
  for (const { id, name = "", description = "", capabilities = [], examples = [] } of delegates) {
    if (id === own) continue;
    const said = termsOf([id, name, description, ...capabilities, ...examples].join(" "), analyzer);
    const share = [...asked].filter((term) => said.has(term)).length / asked.size;
    const isBetter = share > best.share || (share === best.share && id < best.to);
    if (share >= minShare && isBetter) best = { share, to: id };
  }
  if (best.to === "") return undefined;
  const percent = Math.round(best.share * 100);
  const reason = `it is not about remediation, and ${best.to} says ${percent} % of its words of itself`;
  return { to: best.to, context: { reason } };
}

function termsOf(text: string, analyzer: Analyzer): ReadonlySet<string> {
  return new Set(analyzer.terms(text).map((term) => term.text));
}
