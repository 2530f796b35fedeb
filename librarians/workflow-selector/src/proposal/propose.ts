import type { Gathered } from "../incident/gather.js";
import type { Incident } from "../incident/incident.js";
import { resourcePath } from "../incident/resource-path.js";
import { quoted } from "../incident/untrusted.js";
import type { RootCause } from "../model/root-cause.js";
import type { OperatingConditions } from "../policy/operating-conditions.js";
import { type Approval, type ApprovalLimits, decideApproval, readRisk } from "../policy/policy.js";
import type { Strategy, WorkflowSelection } from "../reply/selection.js";
import type { RankedWorkflow } from "../search/search-workflow-catalog.js";
import { besideOwn, isObserved, listDoubts, maxUnobservedConfidence } from "./doubts.js";
import { fillParameters, findTarget } from "./fill-parameters.js";

/** A selection, and what must happen before anybody runs it. */
export interface Proposal {
  readonly selection: WorkflowSelection;
  readonly approval: Approval;
  /** Required parameters that stay open. */
  readonly open: readonly string[];
}

/** What decides over a proposal beside its evidence. */
export interface Gate {
  readonly standing: OperatingConditions;
  readonly limits: ApprovalLimits;
  /** What code finds without a model, where one named the root cause. */
  readonly own?: readonly RankedWorkflow[] | undefined;
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
  { standing, limits, own = found }: Gate,
  rootCause?: RootCause,
): Proposal {
  const { incident } = gathered;
  const ranked = isObserved(gathered) ? found : found.map(capped);
  const [best] = ranked;
  const filled =
    best === undefined ? { parameters: {}, open: [] } : fillParameters(best.workflow, incident);
  const strategies = ranked.slice(0, maxStrategies).map((one) => toStrategy(one, incident));
  const risk = best === undefined ? undefined : readRisk(best.workflow.labels);
  const warnings = [
    ...gathered.warnings,
    ...filled.open.map((name) => `${name} is required and nothing observed names it.`),
    ...(best !== undefined && risk === "missing"
      ? [`${best.workflow.id} has no risk_tolerance label, so its risk counts as high.`]
      : []),
  ];
  return {
    open: filled.open,
    selection: {
      ...toAssessment(gathered, rootCause),
      strategies,
      warnings,
      context_used: {
        cluster_state: gathered.from === "sentence" ? notAssessed : summarize(gathered),
        resource_availability: notAssessed,
        blast_radius: notAssessed,
      },
    },
    approval: decideApproval(
      {
        confidence: best?.confidence ?? 0,
        evidence: gathered.evidence,
        target: best === undefined ? undefined : findTarget(best.workflow, incident),
        actionType: best?.workflow.actionType,
        risk,
        doubts: listDoubts(gathered, besideOwn(best, own), standing.isProduction),
      },
      standing,
      limits,
    ),
  };
}

function capped(one: RankedWorkflow): RankedWorkflow {
  return { ...one, confidence: Math.min(one.confidence, maxUnobservedConfidence) };
}

function toAssessment(gathered: Gathered, rootCause: RootCause | undefined) {
  if (rootCause === undefined) {
    return {
      analysis_summary: summarize(gathered),
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

function toStrategy({ workflow, confidence }: RankedWorkflow, incident: Incident): Strategy {
  const risk = readRisk(workflow.labels);
  const about =
    incident.signalType === undefined ? "the question" : quoted(incident.signalType, 80);
  return {
    workflow_id: workflow.id,
    version: workflow.version,
    confidence: roundedDown(confidence),
    rationale: `It fits ${about} with a confidence of ${confidenceText(confidence)}: ${workflow.description.what}`,
    estimated_risk: risk === "missing" ? "high" : risk,
    parameters: fillParameters(workflow, incident).parameters,
  };
}

/** What was observed, or only reported, in a sentence. */
function summarize(gathered: Gathered): string {
  const { signalType, severity, message, resource, environment } = gathered.incident;
  const where = resourcePath(resource);
  const parts = [
    signalType === undefined
      ? "An incident was described"
      : `${quoted(signalType, 80)} was ${isObserved(gathered) ? "observed" : "reported"}`,
    ...(where === "" ? [] : [`on ${quoted(where)}`]),
    ...(environment === undefined ? [] : [`in ${quoted(environment, 40)}`]),
    ...(severity === undefined ? [] : [`with severity ${quoted(severity, 40)}`]),
  ];
  return `${parts.join(" ")}${message === undefined ? "." : `: ${quoted(message)}.`}`;
}

/** A confidence in two decimals, never rounded up to a limit that it does not reach. */
export function roundedDown(confidence: number): number {
  return Math.floor(confidence * 100 + 1e-6) / 100;
}

/** A confidence for people, as {@link roundedDown} gives it. */
export function confidenceText(confidence: number): string {
  return roundedDown(confidence).toFixed(2);
}
