import { trimTrailing } from "@constellation/authoring";
import type { Analyzer } from "@constellation/retrieval";

const maxLength = 80;

/** Extracts the subject of a query for a message: its content words, as written. */
export function extractTopic(query: string, analyzer: Analyzer): string {
  const words = query.slice(0, 2_000).match(/[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*/gu) ?? [];
  const telling = words
    .map((word) => trimTrailing(word, /[.-]/))
    .filter((word) => word.length <= 40 && analyzer.terms(word).length > 0);
  let topic = "";
  for (const word of telling) {
    if (topic.length + word.length + 1 > maxLength) break;
    topic = topic === "" ? word : `${topic} ${word}`;
  }
  return topic === "" ? "that" : topic;
}
