import { alignSentence, readPassages } from "@constellation/nlu";
import type { DelegationDecision, DelegationStrategy } from "./delegation-decision.js";

/** Maximum number of characters of a refined query. */
const maxRefinedLength = 2_000;

/** A valid decision: every target is on the shortlist. */
export interface CheckedDecision {
  readonly strategy: DelegationStrategy;
  readonly targets: readonly { readonly to: string; readonly query: string }[];
  /** Parts of the reply that were ignored. */
  readonly ignored: readonly string[];
}

/** Validates a decision: targets on the shortlist, each once, at most the maximum number, with queries that ask what the query asks.
 *
 * @returns `undefined` when a decision to delegate has no valid target, and for `none` with
 *   targets.
 */
export function checkDecision(
  decision: DelegationDecision,
  query: string,
  shortlist: ReadonlySet<string>,
  maxDelegates: number,
): CheckedDecision | undefined {
  const { strategy } = decision;
  // `none` with targets contradicts itself, as small models do: neither part can be used.
  if (strategy === "none" && decision.targets.length > 0) return undefined;
  if (strategy === "none") return { strategy, targets: [], ignored: [] };
  const ignored: string[] = [];
  const known = [...new Set(decision.targets)].filter((to) => shortlist.has(to));
  if (known.length < new Set(decision.targets).size)
    ignored.push("targets that are not on the shortlist");
  const maxTargets = strategy === "single" ? 1 : maxDelegates;
  if (known.length > maxTargets) ignored.push(`targets beyond ${maxTargets}`);
  const refined = new Map(decision.refinedQueries.map((each) => [each.to, each.query.trim()]));
  const targets = known.slice(0, maxTargets).map((to) => {
    const own = strategy === "broadcast" ? undefined : refined.get(to);
    if (own === undefined) return { to, query };
    const wrong = findWrong(own, query);
    if (wrong === undefined) return { to, query: own };
    ignored.push(`a refined query that ${wrong}`);
    return { to, query };
  });
  if (targets.length === 0) return undefined;
  return { strategy: targets.length === 1 ? "single" : strategy, targets, ignored };
}

/** What is wrong with a refined query: it asks no more and nothing else than the query does. */
function findWrong(refined: string, query: string): string | undefined {
  if (refined === "") return "is blank";
  if (refined.length > maxRefinedLength) return "is too long";
  const why = alignSentence(refined, readPassages([{ id: "query", text: query }]));
  return why.length === 0 ? undefined : `asks something else (${why.join(", ")})`;
}
