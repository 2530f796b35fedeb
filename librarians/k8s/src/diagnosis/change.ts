import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, valueAt } from "../cluster/fields.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterView } from "./cluster-view.js";
import type { Finding } from "./finding.js";
import { kubectl, option } from "./kubectl.js";
import { findPodSpec } from "./pod-spec.js";
import { parseQuantity } from "./quantity.js";
import { boundTo, denialIn } from "./rbac-rules.js";
import { newestRevision } from "./revision.js";
import type { SignalType } from "./signal-type.js";
import { findTopOwner } from "./top-of.js";

/** What would have to change, as a command for a person: it is printed and never run. */
export interface Change {
  /** What is wrong in the spec: `spec.selector asks for track=blue, and the pods of web have track=green`. */
  readonly what: string;
  readonly command: string;
  /** How it is taken back; undefined where it cannot be. */
  readonly undo: string | undefined;
}

type Propose = (one: Finding, view: ClusterView) => Change | undefined;

/** The change for a finding, where the spec of an object shows one. */
export function proposeChange(one: Finding, view: ClusterView): Change | undefined {
  return proposals[one.signal]?.(one, view) ?? dropRepeated(one, view) ?? rollBack(one, view);
}

/** A variable that a container of a failing workload sets twice: the last one wins. */
function dropRepeated(one: Finding, view: ClusterView): Change | undefined {
  const found = containerOf(one, view);
  if (found === undefined || !one.current) return undefined;
  const variables = listAt(found.spec, "env");
  const names = variables.map((variable) => textAt(variable, "name"));
  const last = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
  if (last < 0) return undefined;
  const name = names[last] ?? "";
  const root = podSpecPath(found.top);
  if (root === undefined || found.top.kind === "Pod") return undefined;
  const path = `${root}/containers/${found.index}/env/${last}`;
  const command = patchCommand(found.top, [{ op: "remove", path }]);
  // A value may be a secret, so it is not written into a command.
  return command === undefined
    ? undefined
    : {
        what: `the variable ${name} is set twice in env, and the last one wins`,
        command,
        undo: rolledBack(found.top),
      };
}

function rolledBack({ kind, metadata }: KubernetesObject): string | undefined {
  return kubectl`rollout undo ${kind.toLowerCase()} ${metadata.name}${option("-n", metadata.namespace)}`[0];
}

/** A patch of an object and the one that takes it back. */
function patch(
  object: KubernetesObject,
  what: string,
  change: object,
  back: object,
): Change | undefined {
  const command = patchCommand(object, change);
  return command === undefined ? undefined : { what, command, undo: patchCommand(object, back) };
}

function patchCommand({ kind, metadata }: KubernetesObject, change: object): string | undefined {
  const type = Array.isArray(change) ? "json" : "merge";
  return kubectl`patch ${kind.toLowerCase()} ${metadata.name}${option("-n", metadata.namespace)} --type=${type} -p ${JSON.stringify(change)}`[0];
}

/** The path of the pod spec of an object, for a JSON patch. */
function podSpecPath({ kind }: KubernetesObject): string | undefined {
  if (kind === "Pod") return "/spec";
  if (kind === "CronJob") return "/spec/jobTemplate/spec/template/spec";
  return /^(?:Deployment|StatefulSet|DaemonSet)$/.test(kind) ? "/spec/template/spec" : undefined;
}

/** A field of the template of the workload that a finding is on, replaced by another value. */
function replaceInTemplate(
  top: KubernetesObject,
  path: string,
  {
    what,
    value,
    before,
  }: { readonly what: string; readonly value: unknown; readonly before: unknown },
): Change | undefined {
  const root = podSpecPath(top);
  if (root === undefined || top.kind === "Pod") return undefined;
  const at = `${root}${path}`;
  const op = before === undefined ? "add" : "replace";
  return patch(
    top,
    what,
    [value === undefined ? { op: "remove", path: at } : { op, path: at, value }],
    [
      value === undefined
        ? { op: "add", path: at, value: before }
        : before === undefined
          ? { op: "remove", path: at }
          : { op: "replace", path: at, value: before },
    ],
  );
}

/** A Deployment whose newest revision fails while the one before is still there: back to that. */
function rollBack({ object, current }: Finding, view: ClusterView): Change | undefined {
  const top = findTopOwner(object, view);
  if (!current || top.kind !== "Deployment") return undefined;
  const newest = newestRevision(top, view);
  const { set, before, text } = newest ?? {};
  if (set === undefined || before === undefined || !isOf(object, set, view)) return undefined;
  const revision = (one: KubernetesObject) =>
    one.metadata.annotations?.["deployment.kubernetes.io/revision"];
  const to = (one: KubernetesObject) =>
    kubectl`rollout undo deployment ${top.metadata.name}${option("-n", top.metadata.namespace)} --to-revision=${revision(one)}`[0];
  const command = to(before);
  return command === undefined
    ? undefined
    : { what: `the newest revision fails, ${text ?? ""}`, command, undo: to(set) };
}

function isOf(object: KubernetesObject, set: KubernetesObject, view: ClusterView): boolean {
  return object.kind === "Pod" ? view.owner(object) === set : object === set;
}

/** The container that a finding is about, with its place in the template of its workload. */
function containerOf(one: Finding, view: ClusterView) {
  const top = findTopOwner(one.object, view);
  const name = typeof one.values.container === "string" ? one.values.container : undefined;
  const containers = listAt(findPodSpec(top), "containers");
  const index = containers.findIndex((each) => name === undefined || textAt(each, "name") === name);
  return index < 0 ? undefined : { top, index, spec: containers[index] };
}

function doubleMemory(one: Finding, view: ClusterView): Change | undefined {
  const found = containerOf(one, view);
  const limit = textAt(found?.spec, "resources", "limits", "memory");
  const bytes = parseQuantity(limit);
  if (found === undefined || bytes === undefined) return rollBack(one, view);
  const value = `${Math.ceil((bytes * 2) / 2 ** 20)}Mi`;
  return replaceInTemplate(found.top, `/containers/${found.index}/resources/limits/memory`, {
    what: `resources.limits.memory is ${limit ?? ""}, which is too low for what it does; try twice as much, or make the program use less`,
    value,
    before: limit,
  });
}

/** A probe that asks a port, or a named one, that the container does not declare. */
function fixProbe(one: Finding, view: ClusterView): Change | undefined {
  const found = containerOf(one, view);
  const ports = listAt(found?.spec, "ports");
  const declared = ports
    .map((port) => numberAt(port, "containerPort"))
    .find((port) => port !== undefined);
  for (const probe of ["readinessProbe", "livenessProbe", "startupProbe"]) {
    for (const how of ["httpGet", "tcpSocket"]) {
      const port = valueAt(found?.spec, probe, how, "port");
      const isKnown = ports.some(
        (each) => numberAt(each, "containerPort") === port || textAt(each, "name") === port,
      );
      if (found === undefined || port === undefined || declared === undefined || isKnown) continue;
      return replaceInTemplate(found.top, `/containers/${found.index}/${probe}/${how}/port`, {
        what: `${probe} asks port ${String(port)}, and the container declares only ${declared}`,
        value: declared,
        before: port,
      });
    }
  }
  return rollBack(one, view);
}

/** A Service whose selector differs in a key from the labels of the workload that it most nearly selects. */
function fixSelector({ object }: Finding, view: ClusterView): Change | undefined {
  if (object.kind !== "Service") return undefined;
  const selector = recordAt(object, "spec", "selector");
  const wanted = Object.entries(selector);
  const near = (["Deployment", "StatefulSet", "DaemonSet"] as const)
    .flatMap((kind) => view.list(kind))
    .filter(({ metadata }) => metadata.namespace === object.metadata.namespace)
    .map((workload) => {
      const labels = recordAt(workload, "spec", "template", "metadata", "labels");
      const wrong = wanted.filter(([key, value]) => labels[key] !== value);
      return { workload, labels, wrong, isNamed: workload.metadata.name === object.metadata.name };
    })
    .filter(({ wrong, isNamed }) => wrong.length > 0 && (isNamed || wrong.length < wanted.length))
    .sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || a.wrong.length - b.wrong.length)[0];
  if (near === undefined) return undefined;
  const { labels, wrong, workload } = near;
  const differing = wrong.map(([key, value]) => `${key}=${String(value)}`).join(", ");
  const actual = wrong.map(([key]) => `${key}=${String(labels[key] ?? "not set")}`).join(", ");
  return patch(
    object,
    `spec.selector asks for ${differing}, and the pods of ${workload.kind} ${workload.metadata.name} have ${actual}`,
    { spec: { selector: Object.fromEntries(wrong.map(([key]) => [key, labels[key] ?? null])) } },
    { spec: { selector: Object.fromEntries(wrong) } },
  );
}

/** "exceeded quota: q, requested: limits.memory=1Gi, used: limits.memory=3Gi, limited: limits.memory=4Gi" */
const exceeded =
  /exceeded quota: ([a-z0-9.-]{1,253}), requested: ([^ ]{1,500}), used: ([^ ]{1,500}), limited: ([^ ]{1,500})/i;

function raiseQuota(one: Finding, view: ClusterView): Change | undefined {
  const texts = [one.message ?? "", one.summary, ...one.evidence.map(({ text }) => text)];
  const [, name = "", requested = "", used = "", limited = ""] =
    texts.map((text) => exceeded.exec(text)).find((hit) => hit !== null) ?? [];
  const quota = view.get("ResourceQuota", one.object.metadata.namespace, name);
  if (quota === undefined) return limitWithinRange(one, view);
  const read = (text: string) =>
    new Map(text.split(",").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]));
  const [asked, taken, hard] = [
    read(requested),
    read(used),
    read(limited.replace(/[."\\]{1,3}$/, "")),
  ];
  const pairs = [...asked].flatMap(([key, value]) => {
    const sum = (parseQuantity(value) ?? 0) + (parseQuantity(taken.get(key)) ?? 0);
    return sum > 0 ? [[key, printLike(sum, hard.get(key) ?? value)] as const] : [];
  });
  return patch(
    quota,
    `spec.hard of ResourceQuota ${name} is ${limited}, with ${used} used and ${requested} wanted for each more pod; raise it, or want less`,
    { spec: { hard: Object.fromEntries(pairs) } },
    { spec: { hard: Object.fromEntries([...hard].filter(([key]) => asked.has(key))) } },
  );
}

/** A quantity in the unit of another one. */
function printLike(value: number, example: string): string {
  if (/[KMGT]i$/.test(example)) return `${Math.ceil(value / 2 ** 20)}Mi`;
  return Number.isInteger(value) ? String(value) : `${Math.ceil(value * 1_000)}m`;
}

/** "maximum memory usage per Container is 2Gi, but limit is 3Gi" */
const overRange =
  / (cpu|memory) usage per (?:Container|Pod) is (\w{1,20}), but limit is (\w{1,20})/;

function limitWithinRange(one: Finding, view: ClusterView): Change | undefined {
  const texts = [one.message ?? "", one.summary];
  const [, resource = "", most = "", limit = ""] =
    texts.map((text) => overRange.exec(text)).find((hit) => hit !== null) ?? [];
  const top = findTopOwner(one.object, view);
  const containers = listAt(findPodSpec(top), "containers");
  const index = containers.findIndex(
    (each) =>
      parseQuantity(recordAt(each, "resources", "limits")[resource.toLowerCase()]) ===
      parseQuantity(limit),
  );
  if (resource === "" || index < 0) return undefined;
  return replaceInTemplate(top, `/containers/${index}/resources/limits/${resource.toLowerCase()}`, {
    what: `the limit of ${resource} is ${limit}, and a LimitRange allows ${most}`,
    value: most,
    before: limit,
  });
}

/** A right that is missing, added to the role that the account has already, or given by a new one. */
function grantRight(one: Finding, view: ClusterView): Change | undefined {
  const texts = [one.message ?? "", one.summary, ...one.evidence.map(({ text }) => text)];
  const denial = texts.map(denialIn).find((found) => found !== undefined);
  const { account, verb, resource, group = "", namespace } = denial ?? {};
  if (account === undefined || verb === undefined || resource === undefined) return undefined;
  const what = `ServiceAccount ${account.namespace}/${account.name} has no rule for ${verb} on ${resource}${group === "" ? "" : `.${group}`}`;
  const bound = boundTo(account, view).find(
    ({ role, binding }) => role?.kind === "Role" && binding.metadata.namespace === namespace,
  );
  if (bound?.role !== undefined) {
    const value = { apiGroups: [group], resources: [resource], verbs: [verb] };
    const index = listAt(bound.role, "rules").length;
    return patch(
      bound.role,
      what,
      [{ op: "add", path: "/rules/-", value }],
      [{ op: "remove", path: `/rules/${index}` }],
    );
  }
  const name = `${account.name}-${verb}-${resource.replace("/", "-")}`;
  const kind = namespace === undefined ? "clusterrole" : "role";
  const binding = `${kind}binding`;
  const target = `${resource.split("/")[0] ?? ""}${group === "" ? "" : `.${group}`}${resource.includes("/") ? `/${resource.split("/")[1] ?? ""}` : ""}`;
  const place = option("-n", namespace);
  const [create] = kubectl`create ${kind} ${name} --verb=${verb} --resource=${target}${place}`;
  const [bind] =
    kubectl`create ${binding} ${name} --${kind}=${name} --serviceaccount=${`${account.namespace}:${account.name}`}${place}`;
  const [undo] = kubectl`delete ${`${binding}/${name}`} ${`${kind}/${name}`}${place}`;
  return create === undefined || bind === undefined
    ? undefined
    : { what, command: `${create} && ${bind}`, undo };
}

/** A name that leads nowhere, replaced by the only one there is, or the one that is nearly the same. */
function replaceName(
  object: KubernetesObject,
  path: readonly string[],
  { kind, what }: { readonly kind: KindName; readonly what: string },
  view: ClusterView,
): Change | undefined {
  const before = textAt(object, ...path);
  const there = view
    .list(kind)
    .filter(
      ({ metadata }) =>
        metadata.namespace === undefined || metadata.namespace === object.metadata.namespace,
    )
    .map(({ metadata }) => metadata.name);
  const near = there.filter(
    (name) =>
      before !== undefined &&
      (name.includes(before) || before.includes(name) || name.slice(0, 4) === before.slice(0, 4)),
  );
  const to = there.length === 1 ? there[0] : near.length === 1 ? near[0] : undefined;
  if (to === undefined || to === before) return undefined;
  const at = (value: string | null) =>
    path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object; // path is not empty
  return patch(
    object,
    `${what} ${before ?? "nothing"}, which does not exist; there is ${to}`,
    at(to),
    at(before ?? null),
  );
}

const flip =
  (what: string, change: object, back: object): Propose =>
  ({ object }) =>
    patch(object, what, change, back);

function allowDisruption({ object }: Finding): Change | undefined {
  const minAvailable = valueAt(object, "spec", "minAvailable");
  const healthy =
    numberAt(object, "status", "currentHealthy") ?? numberAt(object, "status", "expectedPods");
  if (minAvailable === undefined || healthy === undefined || healthy < 1) return undefined;
  return patch(
    object,
    `spec.minAvailable is ${String(minAvailable)}, with ${healthy} healthy pods, so none may be evicted`,
    { spec: { minAvailable: Math.max(0, healthy - 1) } },
    { spec: { minAvailable } },
  );
}

/** "untolerated taint {key: value}", "had untolerated taint {key=value:NoSchedule}" */
const untolerated = /untolerated taint(?:\(s\))? \{([\w./-]{1,317}): ?([\w.-]{0,63})\}/;

function tolerate(one: Finding, view: ClusterView): Change | undefined {
  const top = findTopOwner(one.object, view);
  const hit = untolerated.exec(one.message ?? one.summary);
  const nodeName = textAt(findPodSpec(one.object), "nodeName");
  if (nodeName !== undefined && view.presence("Node", undefined, nodeName) === "missing")
    return replaceInTemplate(top, "/nodeName", {
      what: `nodeName is ${nodeName}, and there is no such node`,
      value: undefined,
      before: nodeName,
    });
  const [, key = "", value = ""] = hit ?? [];
  // The taints of the control plane, and those of a node in trouble, are there for a reason.
  if (hit === null || /^node(?:-role)?\.kubernetes\.io\//.test(key)) return undefined;
  const before = valueAt(findPodSpec(top), "tolerations");
  const toleration = {
    key,
    operator: value === "" ? "Exists" : "Equal",
    ...(value !== "" && { value }),
  };
  return replaceInTemplate(top, "/tolerations", {
    what: `no toleration for the taint ${key}${value === "" ? "" : `=${value}`} of the nodes that have room`,
    value: [...listAt(findPodSpec(top), "tolerations"), toleration],
    before,
  });
}

function ignoreWebhook({ object }: Finding): Change | undefined {
  const index = listAt(object, "webhooks").findIndex(
    (hook) => (textAt(hook, "failurePolicy") ?? "Fail") === "Fail",
  );
  if (index < 0) return undefined;
  const path = `/webhooks/${index}/failurePolicy`;
  return patch(
    object,
    `webhooks[${index}].failurePolicy is Fail, so what it does not answer is refused; until it answers again`,
    [{ op: "replace", path, value: "Ignore" }],
    [{ op: "replace", path, value: "Fail" }],
  );
}

function createMissing(one: Finding): Change | undefined {
  const texts = [one.message ?? "", one.summary, ...one.evidence.map(({ text }) => text)].join(
    "\n",
  );
  const { namespace } = one.object.metadata;
  const place = option("-n", namespace);
  const key =
    /couldn't find key ([\w.-]{1,253}) in (ConfigMap|Secret) [\w-]{1,63}\/([\w.-]{1,253})/i.exec(
      texts,
    );
  if (key !== null) {
    const [, field = "", kind = "", name = ""] = key;
    const isSecret = kind.toLowerCase() === "secret";
    const value = { [isSecret ? "stringData" : "data"]: { [field]: "VALUE" } };
    const back = { data: { [field]: null } };
    const [command] =
      kubectl`patch ${kind.toLowerCase()} ${name}${place} --type=merge -p ${JSON.stringify(value)}`;
    const [undo] =
      kubectl`patch ${kind.toLowerCase()} ${name}${place} --type=merge -p ${JSON.stringify(back)}`;
    return command === undefined
      ? undefined
      : {
          what: `${kind} ${name} has no key ${field}; put its value in place of VALUE, or name a key that is there`,
          command,
          undo,
        };
  }
  const missing =
    /\b(configmap|secret|serviceaccount) "([\w.-]{1,253})" not found/i.exec(texts) ??
    /\b(ConfigMap|ServiceAccount) ([\w.-]{1,253}) does not exist/.exec(texts);
  if (missing === null) return undefined;
  const [, kind = "", name = ""] = missing;
  const lower = kind.toLowerCase();
  const [command] =
    lower === "secret"
      ? kubectl`create secret generic ${name}${place} --from-literal=KEY=VALUE`
      : lower === "configmap"
        ? kubectl`create configmap ${name}${place} --from-literal=KEY=VALUE`
        : kubectl`create serviceaccount ${name}${place}`;
  const [undo] = kubectl`delete ${lower} ${name}${place}`;
  return command === undefined
    ? undefined
    : { what: `${kind} ${name} does not exist`, command, undo };
}

/** What would have to change, by what was observed. What is not here, or finds nothing, may be a revision to go back from. */
const proposals: Partial<Readonly<Record<SignalType, Propose>>> = {
  OOMKilled: doubleMemory,
  ReadinessProbeFailed: fixProbe,
  ServiceNoEndpoints: fixSelector,
  QuotaExceeded: raiseQuota,
  FailedCreate: raiseQuota,
  RBACDenied: grantRight,
  FailedScheduling: tolerate,
  PDBBlocking: allowDisruption,
  WebhookUnavailable: ignoreWebhook,
  MissingReference: createMissing,
  IngressClassMissing: ({ object }, view) =>
    replaceName(
      object,
      ["spec", "ingressClassName"],
      { kind: "IngressClass", what: "spec.ingressClassName is" },
      view,
    ),
  PVCPending: ({ object, message }, view) => {
    const named = textAt(object, "spec", "storageClassName");
    const there = view.list("StorageClass").map(({ metadata }) => metadata.name);
    const [command] =
      kubectl`delete persistentvolumeclaim ${object.metadata.name}${option("-n", object.metadata.namespace)}`;
    return named === undefined ||
      there.includes(named) ||
      there.length === 0 ||
      command === undefined ||
      message === undefined
      ? undefined
      : {
          what: `spec.storageClassName is ${named}, which does not exist (there is ${there.join(", ")}); a claim keeps its class, so it is made again with another one`,
          command,
          undo: undefined,
        };
  },
  HPAUnableToScale: ({ object }, view) => {
    const kind = textAt(object, "spec", "scaleTargetRef", "kind") ?? "Deployment";
    const name = textAt(object, "spec", "scaleTargetRef", "name") ?? "";
    return (kind === "Deployment" || kind === "StatefulSet") &&
      view.get(kind, object.metadata.namespace, name) === undefined
      ? replaceName(
          object,
          ["spec", "scaleTargetRef", "name"],
          { kind, what: "spec.scaleTargetRef names" },
          view,
        )
      : undefined;
  },
  ScaledToZero: flip("spec.replicas is 0", { spec: { replicas: 1 } }, { spec: { replicas: 0 } }),
  CronJobSuspended: flip(
    "spec.suspend is true",
    { spec: { suspend: false } },
    { spec: { suspend: true } },
  ),
  JobSuspended: flip(
    "spec.suspend is true",
    { spec: { suspend: false } },
    { spec: { suspend: true } },
  ),
  NodeCordoned: flip(
    "spec.unschedulable is true",
    { spec: { unschedulable: false } },
    { spec: { unschedulable: true } },
  ),
  CronJobNotRunning: (one) =>
    textAt(one.object, "spec", "concurrencyPolicy") === "Forbid"
      ? patch(
          one.object,
          "spec.concurrencyPolicy is Forbid, and a run that does not end keeps the next ones from starting",
          { spec: { concurrencyPolicy: "Replace" } },
          { spec: { concurrencyPolicy: "Forbid" } },
        )
      : undefined,
};
