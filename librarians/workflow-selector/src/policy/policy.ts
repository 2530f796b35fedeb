import type { Labels } from "../catalog/workflow.js";
import { type Ask, askFor, type Evidence, type WorkflowRisk } from "./evidence.js";
import { type OperatingConditions, resolveConditions } from "./operating-conditions.js";

/** What the gates look at. Nothing that a model says of itself but its confidence. */
export interface ApprovalFacts {
  /** `production`, `prod-eu`, `staging`, ... Not given or not known: it counts as production. */
  readonly environment?: string | undefined;
  /** Of the selected workflow, 0 to 1: the lowest of those that anyone gives. */
  readonly confidence: number;
  /** What the proposal rests on. Not given: the gates alone decide, so that production asks for no more than a low confidence does. */
  readonly evidence?: Evidence | undefined;
  /** What the workflow would change. */
  readonly target?:
    | { readonly kind?: string | undefined; readonly name?: string | undefined }
    | null
    | undefined;
  readonly actionType?: string | undefined;
  /** Of the selected workflow. Not given: it does not count. */
  readonly risk?: WorkflowRisk | undefined;
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

/** A selected workflow and where it would run. */
interface GateCase {
  readonly confidence: number;
  readonly doubts: readonly string[];
  readonly standing: OperatingConditions;
  readonly hasTarget: boolean;
  readonly isProvisioning: boolean;
  readonly ask: Ask;
  readonly askReason: string;
  readonly humanReviewBelow: number;
  readonly approvalBelow: number;
}

/** One row of the policy. */
interface PolicyRow {
  /** For people, as the README shows it. */
  readonly when: string;
  /** Applies only where the environment counts as production. */
  readonly inProduction?: boolean;
  /** `review`: a person looks first; `approval`: it needs approval; `table`: as the table of evidence has it. */
  readonly effect: "review" | "approval" | "table";
  /** One reason for each cause; none: the row does not apply. */
  reasons(gate: GateCase): readonly string[];
}

const sensitiveKinds = new Set(["node", "statefulset"]);

/** What is asked of a person. The table of the README; every row is a test. */
export const approvalRows: readonly PolicyRow[] = [
  {
    when: "The confidence is below `humanReviewBelow` (0.7)",
    effect: "review",
    reasons: ({ confidence, humanReviewBelow: limit }) =>
      confidence >= limit ? [] : [`its confidence is below ${limit}`],
  },
  {
    when: "Alert, caller and cluster differ in environment or risk tolerance",
    effect: "review",
    reasons: ({ standing }) => standing.conflicts,
  },
  {
    when: "The table of evidence asks for it",
    effect: "table",
    reasons: ({ ask, askReason }) => (ask === "nothing" ? [] : [askReason]),
  },
  {
    when: "What was observed leaves a doubt",
    effect: "review",
    reasons: ({ doubts }) => doubts,
  },
  {
    when: "The target is not known",
    effect: "approval",
    reasons: ({ hasTarget }) => (hasTarget ? [] : ["the target is not known"]),
  },
  {
    when: "The action is `ProvisionNode`",
    effect: "approval",
    reasons: ({ isProvisioning }) => (isProvisioning ? ["it provisions a node"] : []),
  },
  {
    when: "The confidence is below `approvalBelow` (0.8)",
    inProduction: true,
    effect: "approval",
    reasons: ({ confidence, approvalBelow: limit }) =>
      confidence >= limit ? [] : [`its confidence for production is below ${limit}`],
  },
];

/** Which workflows are never found where the environment counts as production. The table of the README. */
export const hiddenRows: readonly {
  readonly when: string;
  hides(risk: WorkflowRisk, tolerance: string | undefined): boolean;
}[] = [
  {
    when: "Labelled with a high risk, or with `*`, whatever risk tolerance is stated",
    hides: (risk) => risk === "high",
  },
  {
    when: "Labelled with a medium risk, where no risk tolerance is stated",
    hides: (risk, tolerance) => risk === "medium" && tolerance === undefined,
  },
];

/** Decides by code whether a person must look first, and whether the workflow needs approval. */
export function toApproval(facts: ApprovalFacts, limits: ApprovalLimits = {}): Approval {
  const { environment } = facts;
  return decideApproval(
    facts,
    resolveConditions([{ by: "caller", isObserved: true, environment }]),
    limits,
  );
}

/** As {@link toApproval}, for what counts of all that is stated about the environment. */
export function decideApproval(
  {
    confidence,
    evidence,
    target,
    actionType,
    risk = "low",
    doubts = [],
  }: Omit<ApprovalFacts, "environment">,
  standing: OperatingConditions,
  limits: ApprovalLimits = {},
): Approval {
  const kind = target?.kind?.split("/").at(-1) ?? "";
  const { isProduction } = standing;
  const isSensitive = sensitiveKinds.has(kind.toLowerCase());
  const ask = askFor({
    evidence: evidence ?? "observed",
    isProduction: isProduction && evidence !== undefined,
    risk,
    isSensitive,
  });
  const gate: GateCase = {
    confidence,
    doubts,
    standing,
    ask,
    askReason: explainAsk(evidence ?? "observed", { risk, kind, isSensitive }),
    hasTarget: kind !== "" && (target?.name ?? "") !== "",
    isProvisioning: actionType?.toLowerCase() === "provisionnode",
    humanReviewBelow: limits.humanReviewBelow ?? approvalDefaults.humanReviewBelow,
    approvalBelow: limits.approvalBelow ?? approvalDefaults.approvalBelow,
  };
  const fired = approvalRows
    .filter(({ inProduction = false }) => isProduction || !inProduction)
    .map((row) => ({ ...row, found: row.reasons(gate) }))
    .filter(({ found }) => found.length > 0);
  const isForProduction = fired.some(
    ({ inProduction = false, effect }) => inProduction || (effect === "table" && isProduction),
  );
  const asks = (wanted: "review" | "approval") =>
    fired.some(({ effect }) => effect === wanted || (effect === "table" && includes(ask, wanted)));
  return {
    humanReview: asks("review"),
    approvalRequired: asks("approval"),
    reasons: [
      ...fired.flatMap(({ found }) => found),
      ...(isForProduction && standing.reason !== undefined ? [standing.reason] : []),
    ],
  };
}

function includes(ask: Ask, wanted: "review" | "approval"): boolean {
  return ask === wanted || ask === "both" || ask === "no proposal";
}

const evidenceReasons: Readonly<Record<Exclude<Evidence, "observed">, string>> = {
  reported: "nothing was observed of what was reported",
  unread: "what the incident is about could not be read",
  contradicted: "what was observed speaks against it",
  healthy: "nothing is wrong with what the incident is about",
  absent: "what the incident is about does not exist",
  "no object": "the alert is about no object",
  ended: "the alert is resolved, silenced, or fires always",
};

function explainAsk(
  evidence: Evidence,
  { risk, kind, isSensitive }: Readonly<{ risk: WorkflowRisk; kind: string; isSensitive: boolean }>,
): string {
  if (evidence !== "observed") return evidenceReasons[evidence];
  if (risk === "missing") return "it has no risk label, which counts as high";
  if (risk !== "low") return `its risk is ${risk}`;
  return isSensitive ? `it changes a ${kind}` : "it changes production";
}

/** The highest risk that a workflow is labelled with; what is not a risk, such as `*`, counts as high. */
export function readRisk({ risk_tolerance: values = [] }: Labels): WorkflowRisk {
  const given = new Set(values.map((value) => value.trim().toLowerCase()));
  if (given.size === 0) return "missing";
  if ([...given].some((value) => value !== "low" && value !== "medium")) return "high";
  return given.has("medium") ? "medium" : "low";
}

/** Whether a workflow of this risk is left out where the environment counts as production. */
export function isHidden(risk: WorkflowRisk, tolerance: string | undefined): boolean {
  return hiddenRows.some(({ hides }) => hides(risk, tolerance));
}
