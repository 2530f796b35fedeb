import { trimTrailing } from "@constellation/core/authoring";
import type { Analyzer } from "@constellation/retrieval";

const longest = 80;

/** What a query is about, for a message: its words that say something, as it writes them. */
export function topicOf(query: string, analyzer: Analyzer): string {
  const words = query.slice(0, 2_000).match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*/gu) ?? [];
  const telling = words
    .map((word) => trimTrailing(word, /[.-]/))
    .filter((word) => word.length <= 40 && analyzer.terms(word).length > 0);
  let topic = "";
  for (const word of telling) {
    if (topic.length + word.length + 1 > longest) break;
    topic = topic === "" ? word : `${topic} ${word}`;
  }
  return topic === "" ? "that" : topic;
}
