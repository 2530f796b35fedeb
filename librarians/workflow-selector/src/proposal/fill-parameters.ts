import { trimTrailing } from "@constellation/authoring";
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

/** Kinds by their names in lower case, and what parameters and messages call them. */
const kinds: Readonly<Record<string, string>> = {
  pod: "Pod",
  deployment: "Deployment deploy",
  statefulset: "StatefulSet stateful_set sts",
  daemonset: "DaemonSet daemon_set ds",
  replicaset: "ReplicaSet replica_set rs",
  job: "Job",
  cronjob: "CronJob cron_job",
  node: "Node",
  secret: "Secret",
  configmap: "ConfigMap config_map cm",
  service: "Service svc",
  serviceaccount: "ServiceAccount service_account sa",
  ingress: "Ingress",
  networkpolicy: "NetworkPolicy network_policy netpol",
  persistentvolumeclaim: "PersistentVolumeClaim persistent_volume_claim volume_claim pvc claim",
  persistentvolume: "PersistentVolume persistent_volume pv",
  storageclass: "StorageClass storage_class",
  horizontalpodautoscaler: "HorizontalPodAutoscaler horizontal_pod_autoscaler hpa autoscaler",
  poddisruptionbudget: "PodDisruptionBudget pod_disruption_budget pdb",
  resourcequota: "ResourceQuota resource_quota quota",
  limitrange: "LimitRange limit_range",
  role: "Role",
  certificate: "Certificate",
};
const kindOf = new Map(
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.split(" ").map((name) => [name.toLowerCase(), kind] as const),
  ),
);
const kindNames = [...kindOf.keys()].filter((name) => !name.includes("_")).join("|");
/** What a description may speak of: a kind, or whatever the workflow changes. */
const subjects = new Map([...kindOf, ["workload", "workload"]]);

/** Objects that messages of Kubernetes name: `secret "smtp" not found`, `in ConfigMap shop/app`, `exceeded quota: team`. */
const namedObjects = [
  /\b([a-z]{6,30}) "([a-z0-9][a-z0-9.-]{0,252})"/gi,
  /\bin (secret|configmap) [a-z0-9-]{1,63}\/([a-z0-9][a-z0-9.-]{0,252})/gi,
  /\b(?:exceeded|failed) (quota): ([a-z0-9][a-z0-9.-]{0,252})/gi,
  /\bimage pull (secret)s? \(([a-z0-9][a-z0-9.-]{0,252})\)/gi,
];
/** Objects that the sentence of a finding names: `NetworkPolicy berths of namespace shop`. */
const inFinding = new RegExp(
  `\\b(${kindNames}) (?:[a-z0-9-]{1,63}/)?([a-z0-9][a-z0-9.-]{0,252})(?![\\w.-])`,
  "gi",
);
/** What messages name beside objects, by the names that parameters have for it. */
const namedValues = [
  { names: ["entry_key", "key", "config_key"], form: /\bfind key ([\w.-]{1,253}) in\b/i },
  { names: ["verb"], form: /" cannot ([a-z]{1,30}) resource "/ },
  { names: ["resource"], form: /" cannot [a-z]{1,30} resource "([a-z0-9./-]{1,253})"/ },
  { names: ["taint_key", "taint"], form: /\buntolerated taint \{([\w./-]{1,253})[:=}]/i },
];
/** What a workflow sets anew: what it is now fills nothing but `CURRENT_...`. */
const setting =
  /(?:^|_)(?:new|limits?|requests?|replicas|image|storage_class|capacity|size|schedule|revision|maximum|count|value)(?:_|$)/;
/** A description of what somebody has to decide. */
const decided = /\b(?:new|approved|desired|corrected|verified|e\.g\.|how (?:many|long))(?!\w)/i;

interface NamedObject {
  readonly kind: string;
  readonly name: string;
}

/** Objects in the message and the finding of a fact, by kind; what a program wrote in its log names nothing. */
function objectsInTexts({ error_message, finding, exit_code }: Incident["facts"]) {
  const read = (text: unknown, forms: readonly RegExp[]): readonly NamedObject[] =>
    typeof text !== "string"
      ? []
      : forms.flatMap((form) =>
          [...text.matchAll(form)].flatMap(([, word = "", name = ""]) => {
            const kind = kindOf.get(word.toLowerCase());
            return kind === undefined ? [] : [{ kind, name: trimTrailing(name, /[.-]/) }];
          }),
        );
  const said = exit_code === undefined ? error_message : undefined;
  return [...read(said, namedObjects), ...read(withoutQuotes(finding), [inFinding])];
}

/** A finding without what it quotes of others, behind its first colon. */
function withoutQuotes(finding: unknown): unknown {
  return typeof finding === "string" ? finding.replace(/: [\s\S]*?(?=; |$)/g, "") : finding;
}

type Known = ReadonlyMap<string, string | number | boolean>;

/** What the facts say, by the names that parameters have, lower case. */
function knownValues(incident: Incident, target: IncidentResource | undefined): Known {
  const known = new Map<string, string | number | boolean>();
  const add = (name: string, value: string | number | boolean | undefined) => {
    if (value !== undefined) known.set(name, value);
  };
  for (const [name, value] of Object.entries(incident.facts)) {
    const key = name.toLowerCase().replaceAll("-", "_");
    add(setting.test(key) ? `current_${key.replace(/^current_/, "")}` : key, value);
  }
  const said = objectsInTexts(incident.facts);
  const named: readonly IncidentResource[] = [
    ...(incident.objects ?? []),
    ...[incident.owner, incident.resource].flatMap((one) => one ?? []),
    ...said,
  ];
  for (const one of named.toReversed()) {
    const kind = one.kind?.split("/").at(-1)?.toLowerCase() ?? "";
    for (const name of (kinds[kind] ?? kind).toLowerCase().split(" ")) {
      if (name === "") continue;
      add(name, one.name);
      add(`${name}_name`, one.name);
    }
  }
  for (const [key, value] of [...known]) {
    // The finding names the run of a CronJob that is active: `active_job`.
    const kind = kindOf.get(key.slice(key.lastIndexOf("_") + 1));
    if (kind !== undefined && typeof value === "string" && !known.has(kind)) add(kind, value);
  }
  const [first] = said;
  add("object_name", first?.name);
  add("object_kind", first && kinds[first.kind]?.split(" ")[0]);
  add("namespace", target?.namespace ?? incident.resource?.namespace);
  for (const prefix of ["resource", "workload", "target_resource", "target"]) {
    known.delete(prefix);
    add(`${prefix}_name`, target?.name);
    add(`${prefix}_kind`, target?.kind);
    add(`${prefix}_namespace`, target?.namespace);
    add(`${prefix}_api_version`, target?.apiVersion);
  }
  add("workload", target?.name);
  const { error_message: message } = incident.facts;
  for (const { names, form } of namedValues) {
    const value = typeof message === "string" ? form.exec(message)?.[1] : undefined;
    for (const name of names) add(name, value);
  }
  add("ns", known.get("namespace"));
  return known;
}

/** A value by the name of a parameter, else the object of the one kind that its name or description speaks of. */
function valueFor(
  { name, type, required, default: preset, description = "" }: WorkflowParameter,
  known: Known,
): ParameterValue | undefined {
  const own = toKey(name);
  const bare = own.replace(/^(?:target|affected|failing|broken|missing|k8s)_/, "");
  // Where a pod runs is not the node that a workflow changes.
  const short = bare === "node_name" ? bare : bare.replace(/_name$/, "");
  const value =
    [own, bare, short, partOf(own)].map((key) => known.get(key)).find((one) => one !== undefined) ??
    (type === "string" && !setting.test(own) && !decided.test(description)
      ? objectFor(`${short} ${description}`, known)
      : undefined);
  if (value !== undefined) return type === "string" ? String(value) : value;
  const isPlain = ["string", "number", "boolean"].includes(typeof preset);
  return required && isPlain ? (preset as ParameterValue) : undefined; // plain, as checked
}

/** What any workflow calls by a name of its own that ends in the usual word: `app_ns`, `kube_container`. */
function partOf(name: string): string {
  return /(?:^|_)(ns|namespace|container|workload)$/.exec(name)?.[1] ?? "";
}

function objectFor(text: string, known: Known): ParameterValue | undefined {
  const words = toKey(text).split(/[^a-z0-9]+/);
  const spoken = new Set(
    words.flatMap((word, at) =>
      [word, `${word}_${words[at + 1]}`].flatMap((one) => subjects.get(one) ?? []),
    ),
  );
  const [kind, ...others] = spoken;
  if (kind === undefined || others.length > 0 || kind === "node") return undefined;
  return /\b(?:kind|namespace)\b/i.test(text) ? undefined : known.get(`${kind}_name`);
}

function toKey(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}
