import type { Source } from "./response.js";

/**
 * Orders sources by relevance, highest first, and leaves out those with a name and url seen before.
 * Sources without a relevance come last; equals keep their order.
 */
export function rankSources(sources: readonly Source[]): readonly Source[] {
  if (sources.length < 2) return sources;
  const seen = new Set<string>();
  const distinct = sources.filter(({ name, url }) => {
    const key = JSON.stringify([name, url]);
    return !seen.has(key) && seen.add(key);
  });
  return distinct.sort((a, b) => (b.relevance ?? -1) - (a.relevance ?? -1));
}
