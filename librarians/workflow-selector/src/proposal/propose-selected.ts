import type { Workflow } from "../catalog/workflow.js";
import type { Gathered } from "../incident/gather.js";
import type { IncidentResource } from "../incident/incident.js";
import { resourcePath } from "../incident/resource-path.js";
import { quoted } from "../incident/untrusted.js";
import type { Offer } from "../model/catalog-tools.js";
import { observedTarget, targetFor } from "../model/observed-target.js";
import type { RootCause } from "../model/root-cause.js";
import { decideApproval, readRisk } from "../policy/policy.js";
import type { ParameterValue, Strategy, WorkflowSelection } from "../reply/selection.js";
import { systemParameters, validateParameters } from "../reply/validate-parameters.js";
import { besideOwn, listDoubts } from "./doubts.js";
import { findTarget } from "./fill-parameters.js";
import type { Gate, Proposal } from "./propose.js";

/** What a model gave, and what it rests on. */
export interface Selected {
  readonly selection: WorkflowSelection;
  readonly rootCause: RootCause;
  readonly offer: Offer;
}

/**
 * Makes a proposal of what a model selected. The system's parameters come from the object to repair, the severity from
 * the analysis that drove the search, and code alone decides who must look first.
 */
export function proposeSelected(
  gathered: Gathered,
  { selection, rootCause, offer }: Selected,
  { standing, limits, own }: Gate,
): Proposal {
  const { incident } = gathered;
  const found =
    rootCause.target === undefined ? undefined : observedTarget(rootCause.target, gathered);
  const isInvented = rootCause.target !== undefined && found === undefined;
  const filled = selection.strategies.map((strategy) => {
    const workflow = offer.find(strategy.workflow_id, strategy.version)?.workflow;
    const own = workflow === undefined ? undefined : findTarget(workflow, incident);
    const target = isInvented ? undefined : targetFor(found, own, incident);
    return fillSystem(strategy, workflow, target);
  });
  const [first] = filled;
  const chosen = first && offer.find(first.strategy.workflow_id, first.strategy.version);
  return {
    open: first?.open ?? [],
    selection: {
      ...selection,
      rca_severity: rootCause.severity,
      contributing_factors: selection.contributing_factors ?? rootCause.contributingFactors,
      strategies: filled.map(({ strategy }) => strategy),
      warnings: [
        ...gathered.warnings,
        ...selection.warnings,
        ...(isInvented
          ? [
              `${quoted(resourcePath(rootCause.target))} is what the model would repair, and nothing observed names it.`,
            ]
          : []),
        ...(first?.open ?? []).map((name) => `${name} is required and nothing observed names it.`),
      ],
    },
    approval: decideApproval(
      {
        // A model adds doubts and takes none away.
        confidence: Math.min(first?.strategy.confidence ?? 0, chosen?.confidence ?? 0),
        evidence: gathered.evidence,
        target: first?.target,
        actionType: first?.workflow?.actionType,
        risk: first?.workflow === undefined ? undefined : readRisk(first.workflow.labels),
        doubts: listDoubts(gathered, besideOwn(chosen, own ?? []), standing.isProduction),
      },
      standing,
      limits,
    ),
  };
}

/** Puts what the system knows of the object in place of what the model gave for it. */
function fillSystem(
  strategy: Strategy,
  workflow: Workflow | undefined,
  target: IncidentResource | undefined,
) {
  const { kind, name, namespace, apiVersion } = target ?? {};
  const known: Readonly<Record<string, string | undefined>> = {
    TARGET_RESOURCE_KIND: kind,
    TARGET_RESOURCE_NAME: name,
    TARGET_RESOURCE_NAMESPACE: namespace,
    TARGET_RESOURCE_API_VERSION: apiVersion,
  };
  const schemas = (workflow?.parameters ?? []).filter((one) => systemParameters.has(one.name));
  const given = Object.entries(strategy.parameters).filter(([one]) => !systemParameters.has(one));
  const system = Object.fromEntries(
    schemas.flatMap((schema): readonly (readonly [string, ParameterValue])[] => {
      const value = known[schema.name];
      if (value === undefined) return [];
      const { errors } = validateParameters(
        [schema],
        { ...strategy.parameters, [schema.name]: value },
        { allowOpen: true },
      );
      return errors.length === 0 ? [[schema.name, value]] : [];
    }),
  );
  const filled = { ...Object.fromEntries(given), ...system };
  const open = (workflow?.parameters ?? []).filter(
    (one) => one.required && !Object.hasOwn(filled, one.name),
  );
  return {
    workflow,
    target,
    open: open.map((one) => one.name),
    strategy: { ...strategy, parameters: filled },
  };
}
