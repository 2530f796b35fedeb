import type { Workflow } from "../catalog/workflow.js";
import { type Approval, type ApprovalLimits, approvalOf } from "../gates/approve.js";
import type { Gathered } from "../incident/gather.js";
import type { Incident } from "../incident/incident.js";
import { resourcePath } from "../incident/resource-path.js";
import { quoted } from "../incident/untrusted.js";
import type { RootCause } from "../model/root-cause.js";
import type { Risk, Strategy, WorkflowSelection } from "../reply/selection.js";
import type { RankedWorkflow } from "../search/search-workflow-catalog.js";
import { confidenceText, roundedDown } from "./confidence-text.js";
import { doubtsOf, isObserved, maxUnobservedConfidence } from "./doubts.js";
import { fillParameters, targetOf } from "./fill-parameters.js";

/** A selection, and what must happen before anybody runs it. */
export interface Proposal {
  readonly selection: WorkflowSelection;
  readonly approval: Approval;
  /** Required parameters that stay open. */
  readonly open: readonly string[];
}

/** Maximum number of strategies: the selected one and its alternatives. */
const maxStrategies = 4;
const notAssessed = "not assessed";

/**
 * Proposes the best of the ranked workflows by code alone.
 *
 * @param rootCause - What a model found, where one was asked before.
 */
export function propose(
  gathered: Gathered,
  found: readonly RankedWorkflow[],
  limits: ApprovalLimits,
  rootCause?: RootCause,
): Proposal {
  const { incident } = gathered;
  const ranked = isObserved(gathered) ? found : found.map(capped);
  const [best] = ranked;
  const filled =
    best === undefined ? { parameters: {}, open: [] } : fillParameters(best.workflow, incident);
  const strategies = ranked.slice(0, maxStrategies).map((one) => strategyOf(one, incident));
  const risk = best === undefined ? undefined : riskOf(best.workflow);
  const warnings = [
    ...gathered.warnings,
    ...filled.open.map((name) => `${name} is required and nothing observed names it.`),
    ...(best !== undefined && risk === undefined
      ? [`${best.workflow.id} has no risk_tolerance label, so its risk counts as high.`]
      : []),
  ];
  return {
    open: filled.open,
    selection: {
      ...assessmentOf(incident, rootCause),
      strategies,
      warnings,
      context_used: {
        cluster_state: gathered.from === "sentence" ? notAssessed : summaryOf(incident),
        resource_availability: notAssessed,
        blast_radius: notAssessed,
      },
    },
    approval: approvalOf(
      {
        environment: incident.environment,
        confidence: best?.confidence ?? 0,
        target: best === undefined ? undefined : targetOf(best.workflow, incident),
        actionType: best?.workflow.actionType,
        doubts: doubtsOf(gathered, ranked),
      },
      limits,
    ),
  };
}

function capped(one: RankedWorkflow): RankedWorkflow {
  return { ...one, confidence: Math.min(one.confidence, maxUnobservedConfidence) };
}

function assessmentOf(incident: Incident, rootCause: RootCause | undefined) {
  if (rootCause === undefined) {
    return {
      analysis_summary: summaryOf(incident),
      root_cause_assessment: "Root cause not assessed: no model is configured.",
    };
  }
  const { summary, severity, contributingFactors } = rootCause;
  return {
    analysis_summary: summary,
    root_cause_assessment: summary,
    rca_severity: severity,
    contributing_factors: contributingFactors,
  };
}

function strategyOf({ workflow, confidence }: RankedWorkflow, incident: Incident): Strategy {
  const about =
    incident.signalType === undefined ? "the question" : quoted(incident.signalType, 80);
  return {
    workflow_id: workflow.id,
    version: workflow.version,
    confidence: roundedDown(confidence),
    rationale: `It fits ${about} with a confidence of ${confidenceText(confidence)}: ${workflow.description.what}`,
    estimated_risk: riskOf(workflow) ?? "high",
    parameters: fillParameters(workflow, incident).parameters,
  };
}

function riskOf({ labels }: Workflow): Risk | undefined {
  const values = (labels.risk_tolerance ?? []).map((value) => value.toLowerCase());
  return (["high", "medium", "low"] as const).find((risk) => values.includes(risk));
}

/** What was observed, in a sentence. */
function summaryOf({ signalType, severity, message, resource, environment }: Incident): string {
  const where = resourcePath(resource);
  const parts = [
    signalType === undefined
      ? "An incident was described"
      : `${quoted(signalType, 80)} was observed`,
    ...(where === "" ? [] : [`on ${quoted(where)}`]),
    ...(environment === undefined ? [] : [`in ${quoted(environment, 40)}`]),
    ...(severity === undefined ? [] : [`with severity ${quoted(severity, 40)}`]),
  ];
  return `${parts.join(" ")}${message === undefined ? "." : `: ${quoted(message)}.`}`;
}
