import { z } from "zod";

/** How a query is forwarded: not at all, to one, to several with a part each, or whole to several. */
export type DelegationStrategy = "none" | "single" | "multiple" | "broadcast";

/** The delegates that a model chooses. */
export interface DelegationDecision {
  readonly strategy: DelegationStrategy;
  /** Ids, best first. Empty for `none`. */
  readonly targets: readonly string[];
  /** Query of each target. A target without an entry gets the original query. */
  readonly refinedQueries: readonly RefinedQuery[];
  /** Why, in a sentence or two. */
  readonly reasoning: string;
  /** Expected improvement of the answer, 0 to 1. */
  readonly expectedImprovement: number;
}

/** The query of one target. */
export interface RefinedQuery {
  readonly to: string;
  readonly query: string;
}

const id = z.string().max(200);

/** Checks a {@link DelegationDecision}. */
export const delegationDecisionSchema: z.ZodType<DelegationDecision> = z.object({
  strategy: z.enum(["none", "single", "multiple", "broadcast"]),
  targets: z.array(id).max(32),
  refinedQueries: z.array(z.object({ to: id, query: z.string().max(4_000) })).max(32),
  reasoning: z.string().max(2_000),
  expectedImprovement: z.number().min(0).max(1),
});
