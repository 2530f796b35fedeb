import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, textAt, valueAt } from "../cluster/fields.js";
import { allowDisruption, doubleMemory, raiseQuota } from "./changes/capacity.js";
import { dropRepeated, fixField, fixPlacement, fixProbePort, tolerate } from "./changes/fields.js";
import { fixSelector, fixTargetPort, letIn } from "./changes/labels.js";
import { createMissing, remakeClaim, replaceName } from "./changes/names.js";
import { type Change, type Propose, setField, textOf } from "./changes/patch.js";
import { grantRight } from "./changes/rights.js";
import { fixWebhook } from "./changes/webhooks.js";
import type { ClusterView } from "./cluster-view.js";
import type { Finding } from "./finding.js";
import { kubectl, option } from "./kubectl.js";
import { findPodSpec } from "./pod-spec.js";
import { newestRevision } from "./revision.js";
import type { SignalType } from "./signal-type.js";
import { findTopOwner } from "./top-of.js";

/** The change for a finding, where the spec of an object shows one. */
export function proposeChange(one: Finding, view: ClusterView): Change | undefined {
  for (const propose of [...(proposals[one.signal] ?? []), ...anySignal]) {
    const change = propose(one, view);
    if (change !== undefined) return change;
  }
  return undefined;
}

/** A field of the object that a finding is on, where it has a value that explains the finding. */
const set =
  (field: string, from: unknown, to: unknown, why = ""): Propose =>
  ({ object }) => {
    const path = ["spec", field];
    return valueAt(object, ...path) === from
      ? setField(object, path, `spec.${field} is ${String(from)}${why}`, to)
      : undefined;
  };

/** What would have to change, by what was observed: the first that finds something. */
const proposals: Partial<Readonly<Record<SignalType, readonly Propose[]>>> = {
  OOMKilled: [doubleMemory],
  ReadinessProbeFailed: [fixProbePort, fixField],
  ServiceNoEndpoints: [fixSelector, fixTargetPort],
  PDBNoPods: [fixSelector],
  NetworkPolicyNoPods: [fixSelector],
  NetworkPolicyBlocking: [letIn],
  QuotaExceeded: [raiseQuota],
  FailedCreate: [raiseQuota, createMissing],
  RBACDenied: [grantRight],
  FailedScheduling: [tolerate, fixPlacement, fixField],
  PDBBlocking: [allowDisruption],
  WebhookUnavailable: [replaceName, fixWebhook],
  MissingReference: [replaceName, createMissing],
  ImagePullBackOff: [createMissing],
  IngressClassMissing: [replaceName],
  IngressBackendMissing: [replaceName],
  CertificateNotReady: [replaceName],
  PVCPending: [remakeClaim],
  HPAUnableToScale: [replaceName, requestForMetric, allowGrowth],
  ScaledToZero: [set("replicas", 0, 1)],
  RolloutStuck: [set("paused", true, false)],
  CronJobSuspended: [set("suspend", true, false)],
  JobSuspended: [set("suspend", true, false)],
  NodeCordoned: [set("unschedulable", true, false)],
  CronJobNotRunning: [
    longerStart,
    set(
      "concurrencyPolicy",
      "Forbid",
      "Replace",
      ", and a run that does not end keeps the next ones from starting",
    ),
    set(
      "concurrencyPolicy",
      "Replace",
      "Forbid",
      ", and each run ends the one before it, which was not done",
    ),
  ],
};

/** What may explain a finding of any kind. The revision to go back to comes last. */
const anySignal: readonly Propose[] = [fixField, dropRepeated, rollBack];

/** A start that is missed when the controller is a few seconds late. */
function longerStart({ object }: Finding): Change | undefined {
  const seconds = numberAt(object, "spec", "startingDeadlineSeconds");
  return seconds !== undefined && seconds < 10
    ? setField(
        object,
        ["spec", "startingDeadlineSeconds"],
        `spec.startingDeadlineSeconds is ${seconds}, and the controller looks every 10 s`,
        200,
      )
    : undefined;
}

/** An autoscaler whose behavior forbids it to add replicas. */
function allowGrowth({ object }: Finding): Change | undefined {
  const path = ["spec", "behavior", "scaleUp", "selectPolicy"];
  return valueAt(object, ...path) === "Disabled"
    ? setField(object, path, `${path.join(".")} is Disabled, so no replicas are added`, "Max")
    : undefined;
}

/** Utilisation is a share of a request, so without one there is none. */
function requestForMetric(one: Finding, view: ClusterView): Change | undefined {
  const [, resource = ""] = /missing request for (cpu|memory)/i.exec(textOf(one)) ?? [];
  const kind = textAt(one.object, "spec", "scaleTargetRef", "kind") ?? "";
  const name = textAt(one.object, "spec", "scaleTargetRef", "name") ?? "";
  const target = view.get(kind, one.object.metadata.namespace, name);
  const containers = target === undefined ? [] : listAt(findPodSpec(target), "containers");
  const index = containers.findIndex(
    (each) => valueAt(each, "resources", "requests", resource) === undefined,
  );
  if (target === undefined || resource === "" || index < 0) return undefined;
  return setField(
    target,
    ["spec", "template", "spec", "containers", index, "resources", "requests", resource],
    `container ${textAt(containers[index], "name") ?? ""} requests no ${resource}, and its utilisation is a share of that`,
    resource === "cpu" ? "100m" : "128Mi",
  );
}

/** A Deployment whose newest revision fails while the one before is still there: back to that. */
function rollBack({ object, current }: Finding, view: ClusterView): Change | undefined {
  const top = findTopOwner(object, view);
  if (!current || top.kind !== "Deployment") return undefined;
  const { set: newest, before, text } = newestRevision(top, view) ?? {};
  const isOfNewest = object.kind === "Pod" ? view.owner(object) === newest : object === newest;
  if (newest === undefined || before === undefined || !isOfNewest) return undefined;
  const template = (one: KubernetesObject) => JSON.stringify(findPodSpec(one));
  if (template(newest) === template(before)) return undefined;
  const to = (one: KubernetesObject) =>
    kubectl`rollout undo deployment ${top.metadata.name}${option("-n", top.metadata.namespace)} --to-revision=${one.metadata.annotations?.["deployment.kubernetes.io/revision"]}`[0];
  const command = to(before);
  return command === undefined
    ? undefined
    : { what: `the newest revision fails, ${text ?? ""}`, command, undo: to(newest) };
}
