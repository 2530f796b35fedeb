import type { Workflow, WorkflowParameter } from "../catalog/workflow.js";
import type { Incident, IncidentResource } from "../incident/incident.js";
import type { ParameterValue } from "../reply/selection.js";
import { validateParameters } from "../reply/validate-parameters.js";
import { isOfKind } from "../search/labels.js";

/** Parameters as far as they are known. */
export interface FilledParameters {
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Required ones that nothing observed names. */
  readonly open: readonly string[];
}

/** Kinds that what they belong to makes again: that is what a workflow changes. */
const madeKinds = new Set(["pod", "replicaset"]);

/**
 * The object a workflow would change: of those that alert and facts name, the first one of a kind that the workflow is made
 * for; where it does not say, the first that no other one makes. Undefined: none is.
 */
export function findTarget(workflow: Workflow, incident: Incident): IncidentResource | undefined {
  const { labels } = workflow;
  const { objects = [], resource, owner } = incident;
  const named = [...objects, resource, owner].filter(
    (one) => one?.kind !== undefined && one.name !== undefined,
  );
  const isForKind = (one: IncidentResource | undefined) =>
    labels.component === undefined || isOfKind(labels.component, one?.kind ?? "");
  const isMade = (one: IncidentResource | undefined) =>
    madeKinds.has(one?.kind?.split("/").at(-1)?.toLowerCase() ?? "");
  const fitting = named.filter(isForKind);
  const isAnyKind = labels.component === undefined || labels.component.includes("*");
  return (isAnyKind ? fitting.find((one) => !isMade(one)) : undefined) ?? fitting[0];
}

/** Fills parameters whose names the facts answer. What does not fit its schema is left open. */
export function fillParameters(workflow: Workflow, incident: Incident): FilledParameters {
  const target = findTarget(workflow, incident);
  const known = knownValues(incident, target);
  const parameters: Record<string, ParameterValue> = {};
  for (const schema of workflow.parameters) {
    const value = valueFor(schema, known);
    if (value !== undefined) parameters[schema.name] = value;
  }
  const { errors } = validateParameters(workflow.parameters, parameters, { allowOpen: true });
  for (const { path } of errors) delete parameters[path];
  const open = workflow.parameters.filter(
    ({ name, required }) => required && !Object.hasOwn(parameters, name),
  );
  return { parameters, open: open.map(({ name }) => name) };
}

/** Other names of kinds. */
const shortKinds: Readonly<Record<string, readonly string[]>> = {
  persistentvolumeclaim: ["pvc", "claim"],
  horizontalpodautoscaler: ["hpa", "autoscaler"],
  poddisruptionbudget: ["pdb"],
  configmap: ["config_map"],
  statefulset: ["stateful_set"],
};

/** What the facts say, by the names that parameters have, lower case. */
function knownValues(incident: Incident, target: IncidentResource | undefined) {
  const known = new Map<string, string | number | boolean>();
  const add = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) known.set(name, value);
  };
  for (const [name, value] of Object.entries(incident.facts))
    add(name.toLowerCase().replaceAll("-", "_"), value);
  for (const one of [...(incident.objects ?? []), incident.owner, incident.resource].toReversed()) {
    if (one?.kind === undefined) continue;
    const kind = one.kind.split("/").at(-1)?.toLowerCase() ?? "";
    for (const name of [kind, ...(shortKinds[kind] ?? [])]) {
      add(name, one.name);
      add(`${name}_name`, one.name);
    }
  }
  add("namespace", target?.namespace ?? incident.resource?.namespace);
  for (const prefix of ["resource", "workload", "target_resource", "target"]) {
    known.delete(prefix);
    add(`${prefix}_name`, target?.name);
    add(`${prefix}_kind`, target?.kind);
    add(`${prefix}_namespace`, target?.namespace);
    add(`${prefix}_api_version`, target?.apiVersion);
  }
  return known;
}

function valueFor(
  { name, type, required, default: preset }: WorkflowParameter,
  known: ReadonlyMap<string, string | number | boolean>,
): ParameterValue | undefined {
  const value = known.get(name.toLowerCase());
  if (value !== undefined) return type === "string" ? String(value) : value;
  const isPlain = ["string", "number", "boolean"].includes(typeof preset);
  return required && isPlain ? (preset as ParameterValue) : undefined; // plain, as checked
}
