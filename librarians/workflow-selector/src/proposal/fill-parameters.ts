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
  persistentvolumeclaim: ["pvc", "claim", "volume_claim", "persistent_volume_claim"],
  horizontalpodautoscaler: ["hpa", "autoscaler", "horizontal_pod_autoscaler"],
  poddisruptionbudget: ["pdb", "pod_disruption_budget"],
  resourcequota: ["quota", "resource_quota"],
  configmap: ["config_map", "cm"],
  statefulset: ["stateful_set", "sts"],
  daemonset: ["daemon_set", "ds"],
  deployment: ["deploy"],
  service: ["svc"],
  serviceaccount: ["service_account"],
  networkpolicy: ["network_policy"],
  cronjob: ["cron_job"],
};

/** Objects that messages of Kubernetes name: `secret "smtp" not found`, `in ConfigMap shop/app`, `exceeded quota: team`. */
const namedObjects = [
  /\b([a-z]{6,30}) "([a-z0-9][a-z0-9.-]{0,252})"/gi,
  /\bin (secret|configmap) [a-z0-9-]{1,63}\/([a-z0-9][a-z0-9.-]{0,252})/gi,
  /\b(?:exceeded|failed) (quota): ([a-z0-9][a-z0-9.-]{0,252})/gi,
];
const kindsInMessages = new Set(
  "secret configmap persistentvolumeclaim serviceaccount service networkpolicy quota".split(" "),
);
/** What a workflow sets anew: what it is now fills nothing but `CURRENT_...`. */
const setting =
  /(?:^|_)(?:limits?|requests?|replicas|image|storage_class|capacity|size|schedule|revision)(?:_|$)/;

/** Objects in the message of a fact, by kind; what a program wrote in its log names nothing. */
function objectsInMessage({ error_message: message, exit_code }: Incident["facts"]) {
  if (typeof message !== "string" || exit_code !== undefined) return [];
  return namedObjects.flatMap((form) =>
    [...message.matchAll(form)].flatMap(([, word = "", name = ""]) => {
      const kind = word.toLowerCase();
      if (!kindsInMessages.has(kind)) return [];
      return [{ kind: kind === "quota" ? "resourcequota" : kind, name }];
    }),
  );
}

/** What the facts say, by the names that parameters have, lower case. */
function knownValues(incident: Incident, target: IncidentResource | undefined) {
  const known = new Map<string, string | number | boolean>();
  const add = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) known.set(name, value);
  };
  for (const [name, value] of Object.entries(incident.facts)) {
    const key = name.toLowerCase().replaceAll("-", "_");
    add(setting.test(key) ? `current_${key.replace(/^current_/, "")}` : key, value);
  }
  const named = [
    ...(incident.objects ?? []),
    incident.owner,
    incident.resource,
    ...objectsInMessage(incident.facts),
  ];
  for (const one of named.toReversed()) {
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
  add("workload", target?.name);
  add("ns", known.get("namespace"));
  return known;
}

function valueFor(
  { name, type, required, default: preset }: WorkflowParameter,
  known: ReadonlyMap<string, string | number | boolean>,
): ParameterValue | undefined {
  const own = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
  const value =
    known.get(own) ?? known.get(own.replace(/^(?:target|affected|failing|broken|k8s)_/, ""));
  if (value !== undefined) return type === "string" ? String(value) : value;
  const isPlain = ["string", "number", "boolean"].includes(typeof preset);
  return required && isPlain ? (preset as ParameterValue) : undefined; // plain, as checked
}
