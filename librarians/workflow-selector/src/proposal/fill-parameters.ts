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
  const { objects = [], resource, owner, facts } = incident;
  const named = [...objects, resource, owner].filter(
    (one) => one?.kind !== undefined && one.name !== undefined,
  );
  const isForKind = (one: IncidentResource | undefined) =>
    labels.component === undefined || isOfKind(labels.component, one?.kind ?? "");
  // What is being deleted is meant itself.
  const isMade = (one: IncidentResource | undefined) =>
    facts.deletion_timestamp === undefined &&
    madeKinds.has(one?.kind?.split("/").at(-1)?.toLowerCase() ?? "");
  const fitting = named.filter(isForKind);
  const isAnyKind = labels.component === undefined || labels.component.includes("*");
  return (isAnyKind ? fitting.find((one) => !isMade(one)) : undefined) ?? fitting[0];
}

/** Fills parameters whose names the facts answer. What does not fit its schema is left open. */
export function fillParameters(workflow: Workflow, incident: Incident): FilledParameters {
  const known = knownValues(workflow, incident);
  const { signalType = "", observations = [], facts } = incident;
  const seen = [signalType, facts.finding, facts.error_message, ...observations].join("\n");
  const parameters: Record<string, ParameterValue> = {};
  for (const schema of workflow.parameters) {
    const value = valueFor(schema, known) ?? listedValue(schema, seen);
    if (value !== undefined) parameters[schema.name] = value;
  }
  const { errors } = validateParameters(workflow.parameters, parameters, { allowOpen: true });
  for (const { path } of errors) delete parameters[path];
  const open = workflow.parameters.filter(
    ({ name, required }) => required && !Object.hasOwn(parameters, name),
  );
  return { parameters, open: open.map(({ name }) => name) };
}

/** Kinds, and what parameters and descriptions call them beside that. */
const kinds: Readonly<Record<string, string>> = {
  Pod: "",
  Deployment: "deploy",
  StatefulSet: "sts",
  DaemonSet: "ds",
  ReplicaSet: "rs",
  Job: "",
  CronJob: "cron",
  Node: "",
  Secret: "",
  ConfigMap: "cm",
  Service: "svc",
  ServiceAccount: "sa account",
  Ingress: "",
  IngressClass: "",
  PriorityClass: "class",
  NetworkPolicy: "netpol policy",
  PersistentVolumeClaim: "volume_claim pvc claim",
  PersistentVolume: "pv",
  StorageClass: "",
  HorizontalPodAutoscaler: "hpa autoscaler",
  PodDisruptionBudget: "pdb budget",
  ResourceQuota: "quota",
  LimitRange: "",
  Role: "",
  ClusterRole: "role",
  ValidatingWebhookConfiguration: "webhook webhook_configuration",
  MutatingWebhookConfiguration: "webhook webhook_configuration",
  Certificate: "",
};
/** What a kind is called: `ConfigMap`, `config_map`, `configmap`, `cm`. */
const namesOfKind = (kind: string): readonly string[] => [
  kind.toLowerCase(),
  toKey(kind),
  ...(kinds[kind] ?? "").split(" ").filter((name) => name !== ""),
];
const kindOf = new Map(
  Object.keys(kinds)
    .toReversed()
    .flatMap((kind) => namesOfKind(kind).map((name) => [name, kind] as const)),
);
/** What a description may speak of: a kind, a container, or whatever the workflow changes. */
const subjects = new Map([
  ...kindOf,
  ["workload", "workload"],
  ["controller", "workload"],
  ["container", "container"],
]);

/** What facts and traits call otherwise than parameters do, the fact first. */
const otherNames = [
  ["datname", "database"],
  ["helmRelease", "helm_release", "release"],
  ["gitOpsApplication", "application", "argocd_app", "argocd_application", "kustomization"],
  ["key", "entry_key", "config_key", "entry"],
  ["container", "container_name"],
  ["denied_verb", "verb"],
  ["denied_resource", "resource"],
  ["taint_key", "taint"],
  ["host_port", "port"],
  ["namespace", "ns"],
] as const;
/** What a workflow sets anew: what it is now fills nothing but `CURRENT_...`. */
const setting =
  /(?:^|_)(?:new|limits?|requests?|replicas|image|storage_class|capacity|size|schedule|revision|maximum|count|value)(?:_|$)/;
/** A description of what is there before the workflow runs. */
const presently = /\b(?:current|currently|present|presently|today|now)\b/i;
/** A description of what somebody has to decide. */
const decided = /\b(?:new|approved|desired|corrected|verified|e\.g\.|how (?:many|long))(?!\w)/i;

type Known = Map<string, string | number | boolean>;

/** What the facts say, by the names that parameters have, lower case. */
function knownValues(workflow: Workflow, incident: Incident): Known {
  const { facts, traits = {}, named: said = [] } = incident;
  const target = findTarget(workflow, incident);
  const known: Known = new Map();
  const add = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) known.set(name, value);
  };
  const addNew = (name: string, value: string | number | boolean | undefined) => {
    if (!known.has(name)) add(name, value);
  };
  for (const [name, value] of Object.entries(facts)) {
    const key = name.toLowerCase().replaceAll("-", "_");
    const isSetting = setting.test(key) && (kindOf.get(key) ?? "StorageClass") === "StorageClass";
    add(isSetting ? `current_${key.replace(/^current_/, "")}` : key, value);
  }
  const objects = [
    ...(incident.objects ?? []),
    ...[incident.owner, incident.resource].flatMap((one) => one ?? []),
    ...said,
  ].map(({ kind = "", name }) => ({ kind: kind.split("/").at(-1) ?? "", name }));
  for (const { kind, name } of objects.toReversed()) {
    // The class that does not exist is not the one to use.
    if (kind === "StorageClass") continue;
    for (const one of namesOfKind(kindOf.get(kind.toLowerCase()) ?? kind)) {
      if (one === "") continue;
      add(one, name);
      add(`${one}_name`, name);
    }
  }
  for (const [key, value] of [...known]) {
    // The run of a CronJob that is active, the only claim of a pod: `active_job`, `claims`.
    addNew(key.replace(/s$/, ""), value);
    const kind = kindOf.get(key.replace(/s$/, "")) ?? kindOf.get(key.replace(/^.*_/, ""));
    // Where a pod runs is not the node that a workflow changes.
    if (kind === undefined || kind === "Node" || typeof value !== "string") continue;
    for (const name of namesOfKind(kind))
      for (const one of [name, `${name}_name`]) addNew(one, value);
  }
  const [first] = said;
  for (const prefix of ["object", "missing"]) {
    add(`${prefix}_name`, first?.name);
    add(`${prefix}_kind`, first?.kind);
  }
  add("namespace", target?.namespace ?? incident.resource?.namespace);
  for (const prefix of ["resource_", "workload_", "target_resource_", "target_", ""]) {
    known.delete(prefix.slice(0, -1));
    add(`${prefix}name`, target?.name);
    add(`${prefix}kind`, target?.kind);
    if (prefix !== "") add(`${prefix}namespace`, target?.namespace);
    if (prefix !== "") add(`${prefix}api_version`, target?.apiVersion);
  }
  add("workload", target?.name);
  for (const [key, ...names] of otherNames)
    for (const name of names) addNew(name, known.get(key) ?? traits[key]);
  // An app is the workload, and what Argo CD or Flux call so: known where both have one name.
  if (traits.gitOpsApplication === target?.name) addNew("app", target?.name);
  // A name alone is that of the target only beside its kind.
  const keys = new Set(workflow.parameters.map(({ name }) => toKey(name)));
  if (!keys.has("kind")) known.delete("name");
  for (const [key, value] of ofKinds(workflow, [...said, ...objects])) known.set(key, value);
  return known;
}

/** `FLUX_NAME` beside a `FLUX_KIND` of `Kustomization` or `HelmRelease`: kind and name of the one object that is of such a kind. */
function ofKinds(
  { parameters }: Workflow,
  named: readonly Pick<IncidentResource, "kind" | "name">[],
): readonly (readonly [string, string])[] {
  return parameters.flatMap(({ name, enum: kinds = [] }) => {
    const [, prefix] = /^(.+_)(?:kind|type)$/.exec(toKey(name)) ?? [];
    const found = named.find(({ kind = "" }) => kinds.includes(kind));
    if (prefix === undefined || found?.kind === undefined || found.name === undefined) return [];
    return [[toKey(name), found.kind] as const, [`${prefix}name`, found.name] as const];
  });
}

/** A value by the name of a parameter, else the object of the one kind that its name or description speaks of. */
function valueFor(
  { name, type, required, default: preset, description = "" }: WorkflowParameter,
  known: Known,
): ParameterValue | undefined {
  const own = toKey(name);
  const head = partOf(own.replace(/_(?:name|id|ref)$/, ""));
  const bare = own.replace(/^(?:target|affected|failing|broken|missing|k8s)_/, "");
  // Where a pod runs is not the node that a workflow changes.
  const short = bare === "node_name" ? bare : bare.replace(/_name$/, "");
  const value =
    [
      own,
      ...(presently.test(description) ? [`current_${own}`] : []),
      bare,
      short,
      head,
      partOf(description.replace(/^(?:the|its) |\.$/gi, "").toLowerCase()),
    ]
      .map((key) => known.get(key))
      .find((one) => one !== undefined) ??
    (type === "string" && head === "" && !setting.test(own) && !decided.test(description)
      ? objectFor(`${short} ${description}`, known)
      : undefined);
  if (value !== undefined) {
    if (type === "string") return String(value);
    return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  }
  const isPlain = ["string", "number", "boolean"].includes(typeof preset);
  return required && isPlain ? (preset as ParameterValue) : undefined; // plain, as checked
}

/** The one of the values that a parameter lists which what was observed names as a word: `readiness` of a readiness probe. */
function listedValue(
  { name, enum: values = [], description = "" }: WorkflowParameter,
  seen: string,
): ParameterValue | undefined {
  if (setting.test(toKey(name)) || decided.test(description)) return undefined;
  const words = new Set(toKey(seen).split(/[^a-z0-9]+/));
  const [value, ...others] = values.filter((one) =>
    toKey(String(one))
      .split("_")
      .every((word) => words.has(word)),
  );
  return others.length > 0 ? undefined : value;
}

/** Words that say what a name is of, with what the facts call it. A workflow changes the node that something is attached to, and not the one that a pod runs on. */
const heads: Readonly<Record<string, string>> = {
  ns: "namespace",
  namespace: "namespace",
  container: "container",
  workload: "workload",
  controller: "workload",
  key: "key",
  node: "attached_node",
};

/** What any workflow calls by a name of its own that ends in the usual word, or describes by that alone: `app_ns`, `kube_container`. */
function partOf(name: string): string {
  return heads[/(?:^|[_ ])([a-z]+)$/.exec(name)?.[1] ?? ""] ?? "";
}

function objectFor(text: string, known: Known): ParameterValue | undefined {
  const words = toKey(text).split(/[^a-z0-9]+/);
  const spoken = new Set(
    words.flatMap((word, at) =>
      [word, `${word}_${words[at + 1]}`].flatMap((one) => subjects.get(one) ?? []),
    ),
  );
  if (spoken.has("Node") || /\b(?:kind|namespace)\b/i.test(text)) return undefined;
  // "Container name in the pod spec": no pod.
  if (spoken.has("container")) return known.get("container");
  // "Name of the ResourceQuota or LimitRange": the one that is named.
  const [value, ...others] = [...spoken].flatMap(
    (kind) => known.get(`${kind.toLowerCase()}_name`) ?? [],
  );
  return others.length > 0 ? undefined : value;
}

function toKey(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}
