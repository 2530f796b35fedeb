import type { Delegate, DelegateRequest } from "@constellation/core";
import type { Analyzer, QueryFacts } from "@constellation/retrieval";
import { createDomain } from "./judgement/domain.js";

/** Share of a query that a delegate's own words must have, by rarity. */
const leastShare = 0.3;

/**
 * Finds who fits a query best: whose name, description, capabilities and examples have most of its
 * words, three tenths at least and more than `ownFit`.
 */
export function findDelegate(
  facts: QueryFacts,
  delegates: readonly Delegate[],
  own: { readonly id: string; readonly fit: number },
  analyzer: Analyzer,
): DelegateRequest | undefined {
  let best = { share: own.fit, to: "" };
  for (const { id, name = "", description = "", capabilities = [], examples = [] } of delegates) {
    const texts = [id, name, description, ...capabilities, ...examples];
    const share = createDomain(texts, analyzer).fit(facts);
    if (share >= leastShare && share > best.share) best = { share, to: id };
  }
  if (best.to === "") return undefined;
  const percent = Math.round(best.share * 100);
  const reason = `it is outside the domain of ${own.id}, and ${best.to} says it answers about ${percent} % of it`;
  return { to: best.to, context: { reason } };
}
