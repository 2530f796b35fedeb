import type { WorkflowParameter } from "../catalog/workflow.js";

/** Value of a parameter. */
export type ParameterValue = string | number | boolean | readonly (string | number | boolean)[];

/** How bad a root cause is. */
export type Severity = "critical" | "high" | "medium" | "low";
/** What a strategy risks, as its author reports it. It decides nothing. */
export type Risk = "low" | "medium" | "high";

/** One workflow that could help. */
export interface Strategy {
  readonly workflow_id: string;
  readonly version: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly rationale: string;
  readonly estimated_risk: Risk;
  /** By name; only declared ones, and those the system manages. */
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}

/** A selection in its canonical form. */
export interface WorkflowSelection {
  readonly analysis_summary: string;
  readonly root_cause_assessment: string;
  readonly rca_severity?: Severity | undefined;
  readonly contributing_factors?: readonly string[] | undefined;
  /** The first is the selected one. None: nothing is selected. */
  readonly strategies: readonly Strategy[];
  readonly warnings: readonly string[];
  readonly context_used: {
    readonly cluster_state: string;
    readonly resource_availability: string;
    readonly blast_radius: string;
  };
}

/** A workflow that may be selected. */
export interface ProvidedWorkflow {
  readonly workflow_id: string;
  readonly version: string;
  readonly parameters?: readonly WorkflowParameter[] | undefined;
}

/** Something wrong with a reply. */
export interface ReplyIssue {
  /** Where, such as `strategies.0.confidence`; blank for the whole. */
  readonly path: string;
  readonly message: string;
}
