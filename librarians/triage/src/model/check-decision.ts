import type { DelegationDecision, DelegationStrategy } from "./delegation-decision.js";

/** Maximum number of characters of a refined query. */
const maxRefinedLength = 2_000;

/** A decision that holds: every target is on the shortlist. */
export interface CheckedDecision {
  readonly strategy: DelegationStrategy;
  readonly targets: readonly { readonly to: string; readonly query: string }[];
  /** What the model said and was not followed. */
  readonly ignored: readonly string[];
}

/**
 * Holds a decision to what is allowed: targets on the shortlist, each once, as many as allowed, with
 * queries that are neither blank nor too long.
 *
 * @returns `undefined` when nothing is left of it though it was to pass the query on, and for `none` with
 *   targets.
 */
export function checkDecision(
  decision: DelegationDecision,
  query: string,
  shortlist: ReadonlySet<string>,
  maxDelegates: number,
): CheckedDecision | undefined {
  const { strategy } = decision;
  // With targets it contradicts itself, as small models do: neither of the two can be followed.
  if (strategy === "none" && decision.targets.length > 0) return undefined;
  if (strategy === "none") return { strategy, targets: [], ignored: [] };
  const ignored: string[] = [];
  const known = [...new Set(decision.targets)].filter((to) => shortlist.has(to));
  if (known.length < new Set(decision.targets).size) ignored.push("targets that were not offered");
  const most = strategy === "single" ? 1 : maxDelegates;
  if (known.length > most) ignored.push(`targets beyond ${most}`);
  const refined = new Map(decision.refinedQueries.map((each) => [each.to, each.query.trim()]));
  const targets = known.slice(0, most).map((to) => {
    const own = strategy === "broadcast" ? undefined : refined.get(to);
    if (own === undefined) return { to, query };
    if (own !== "" && own.length <= maxRefinedLength) return { to, query: own };
    ignored.push(`a refined query that is ${own === "" ? "blank" : "too long"}`);
    return { to, query };
  });
  if (targets.length === 0) return undefined;
  return { strategy: targets.length === 1 ? "single" : strategy, targets, ignored };
}
