import type { Delegate, DelegateRequest, LibrarianInfo } from "@constellation/core";
import { wordsOf } from "./words.js";

/** Share of a query's words that a delegate's own words must have. */
const leastShare = 0.4;

/**
 * Finds who may know about a query that the pages say nothing about: whose description,
 * capabilities and examples share most words with it, at least two fifths of them and more than
 * this librarian's own do.
 */
export function findDelegate(
  query: string,
  delegates: readonly Delegate[],
  own: LibrarianInfo,
): DelegateRequest | undefined {
  const words = new Set(wordsOf(query));
  let best = { share: shareOf(words, own), to: "" };
  for (const delegate of delegates) {
    const share = shareOf(words, delegate);
    if (share >= leastShare && share > best.share) best = { share, to: delegate.id };
  }
  if (best.to === "") return undefined;
  const percent = Math.round(best.share * 100);
  const reason = `the pages of ${own.id} say nothing about it; ${percent} % of its words are in what ${best.to} says it answers`;
  return { to: best.to, context: { reason } };
}

function shareOf(words: ReadonlySet<string>, info: LibrarianInfo): number {
  const { name = "", description = "", capabilities = [], examples = [] } = info;
  const known = new Set(wordsOf([name, description, ...capabilities, ...examples].join("\n")));
  const shared = [...words].filter((word) => known.has(word));
  return words.size === 0 ? 0 : shared.length / words.size;
}
