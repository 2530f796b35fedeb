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

/**
 * The object a workflow would change: the incident's, or what it belongs to, whichever is of a kind that the
 * workflow is made for. Undefined: neither is.
 */
export function targetOf({ labels }: Workflow, incident: Incident): IncidentResource | undefined {
  return [incident.resource, incident.owner].find(
    (one) =>
      one?.kind !== undefined &&
      one.name !== undefined &&
      (labels.component === undefined || isOfKind(labels.component, one.kind)),
  );
}

/** Fills parameters whose names the facts answer. What does not fit its schema is left open. */
export function fillParameters(workflow: Workflow, incident: Incident): FilledParameters {
  const target = targetOf(workflow, incident);
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

/** What the facts say, by the names that parameters have, lower case. */
function knownValues(incident: Incident, target: IncidentResource | undefined) {
  const known = new Map<string, string | number | boolean>();
  const add = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) known.set(name, value);
  };
  for (const [name, value] of Object.entries(incident.facts))
    add(name.toLowerCase().replaceAll("-", "_"), value);
  for (const one of [incident.owner, incident.resource]) {
    if (one?.kind !== undefined) add(`${one.kind.toLowerCase()}_name`, one.name);
  }
  add("namespace", incident.resource?.namespace);
  for (const prefix of ["target_resource", "target"]) {
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
