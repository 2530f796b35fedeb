/** What the gates look at. Nothing that a model says of itself but its confidence. */
export interface ApprovalFacts {
  readonly environment?: string | undefined;
  /** Of the selected workflow, 0 to 1. */
  readonly confidence: number;
  /** What the workflow would change. */
  readonly target?:
    | { readonly kind?: string | undefined; readonly name?: string | undefined }
    | null
    | undefined;
  readonly actionType?: string | undefined;
  /** Why a person must look, whatever the confidence. */
  readonly doubts?: readonly string[] | undefined;
}

/** Limits of the gates, 0 to 1. */
export interface ApprovalLimits {
  /**
   * Below it a person must look first.
   *
   * @default 0.7
   */
  readonly humanReviewBelow?: number | undefined;
  /**
   * Below it a workflow for production needs approval.
   *
   * @default 0.8
   */
  readonly approvalBelow?: number | undefined;
}

/** The defaults named in {@link ApprovalLimits}. */
export const approvalDefaults = { humanReviewBelow: 0.7, approvalBelow: 0.8 } as const;

/** Whether a person must be asked, and why. */
export interface Approval {
  readonly humanReview: boolean;
  readonly approvalRequired: boolean;
  readonly reasons: readonly string[];
}

const sensitiveKinds = new Set(["node", "statefulset"]);

/** Decides by code whether a person must look first, and whether the workflow needs approval. */
export function approvalOf(facts: ApprovalFacts, limits: ApprovalLimits = {}): Approval {
  const { confidence, target, actionType, doubts = [] } = facts;
  const review = limits.humanReviewBelow ?? approvalDefaults.humanReviewBelow;
  const least = limits.approvalBelow ?? approvalDefaults.approvalBelow;
  const isProduction = facts.environment?.trim().toLowerCase() === "production";
  const kind = target?.kind?.split("/").at(-1) ?? "";
  const isUnsure = !(confidence >= review);
  const humanReview = isUnsure || doubts.length > 0;
  const causes: readonly (readonly [isSo: boolean, reason: string])[] = [
    [!kind || !target?.name, "the target is not known"],
    [actionType?.toLowerCase() === "provisionnode", "it provisions a node"],
    [isProduction && sensitiveKinds.has(kind.toLowerCase()), `it changes a ${kind} in production`],
    [isProduction && !(confidence >= least), `its confidence for production is below ${least}`],
  ];
  const approval = causes.flatMap(([isSo, reason]) => (isSo ? [reason] : []));
  return {
    humanReview,
    approvalRequired: approval.length > 0,
    reasons: [...(isUnsure ? [`its confidence is below ${review}`] : []), ...doubts, ...approval],
  };
}
