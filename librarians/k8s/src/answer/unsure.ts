import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, textAt, timeAt } from "../cluster/fields.js";
import { type KindName, kindOf } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { idOf } from "../diagnosis/object-id.js";
import type { Investigation } from "../investigation.js";
import { claimsOf, isOpenQuestion } from "../question/claims.js";
import { plurals, unread } from "./unread.js";
import { ofWords } from "./unsure-of-words.js";

/** Kinds whose health is in their status. */
const withStatus: ReadonlySet<string> = new Set([
  "Pod",
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "Node",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "HorizontalPodAutoscaler",
  "Certificate",
]);

/** Kinds of which one of each list must have been read before an object of a kind can be called healthy. */
const neededBy: Readonly<Record<string, readonly (readonly KindName[])[]>> = {
  Namespace: [["Pod"]],
  Deployment: [["Pod"]],
  StatefulSet: [["Pod"]],
  DaemonSet: [["Pod"]],
  ReplicaSet: [["Pod"]],
  ReplicationController: [["Pod"]],
  Service: [["Endpoints", "EndpointSlice", "Pod"]],
  Ingress: [["Service"], ["Endpoints", "EndpointSlice", "Pod"]],
  Job: [["Pod"]],
  Gateway: [["HTTPRoute"]],
  VirtualService: [["Service"]],
  CronJob: [["Job"]],
  PodDisruptionBudget: [["Pod"]],
  NetworkPolicy: [["Pod"]],
  MutatingWebhookConfiguration: [["Service"], ["Pod", "Endpoints", "EndpointSlice"]],
  ValidatingWebhookConfiguration: [["Service"], ["Pod", "Endpoints", "EndpointSlice"]],
  Subscription: [["ClusterServiceVersion", "InstallPlan"]],
};

/** Kinds that do nothing themselves. */
const passive: ReadonlySet<string> = new Set([
  "ConfigMap",
  "ServiceAccount",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "NetworkPolicy",
  "ResourceQuota",
  "LimitRange",
  "StorageClass",
  "PodDisruptionBudget",
  "RoleBinding",
  "DestinationRule",
]);

/**
 * The gate to "Healthy" for what was read: why it cannot be said although nothing was found, because what would show
 * that something is wrong was not read, or something around it fails. Undefined when it can be said.
 */
export function unsureOf(found: Investigation): string | undefined {
  return ofTarget(found) ?? ofNames(found) ?? ofWords(found) ?? ofClaims(found) ?? ofScope(found);
}

/** Names in the question that nothing has, where what has them may be unread. */
function ofNames({
  target,
  objects,
  question,
  view,
  kindsAsked,
}: Investigation): string | undefined {
  if (target.kind === "objects") {
    if (kindsAsked.length > 0 && unread(kindsAsked, view))
      return `${plurals(kindsAsked)} were not read`;
    // "The web pods hang" is about pods, whatever else has the name.
    if (kindsAsked.includes("Pod") && unread(["Pod"], view)) return "pods were not read";
    // What stays pending beside named nodes is not one of them.
    const areNodes = objects.every(({ kind }) => kind === "Node");
    if (areNodes && question.signals.has("FailedScheduling") && unread(["Pod"], view))
      return "pods were not read, which nodes are chosen for";
    const resting = kindsAsked.includes("NetworkPolicy") ? ofKinds(kindsAsked, view) : undefined;
    if (resting !== undefined) return resting;
    const isPassive = objects.every(({ kind }) => passive.has(kind));
    const isExact = objects.some(({ metadata }) => question.names.includes(metadata.name));
    return isPassive && !isExact && unread(["Pod"], view)
      ? "no pods were read, and only what they use has that name"
      : undefined;
  }
  const isLabel = (word: string) =>
    kindsAsked
      .flatMap((kind) => view.list(kind))
      .flatMap(({ metadata }) => Object.entries(metadata.labels ?? {}).flat())
      .some((text) => text === word || text.endsWith(`/${word}`));
  const name = question.names.find(
    (one) => (/[-.\d]/.test(one) || one === question.subject) && !isLabel(one),
  );
  return name !== undefined && view.problems.size > 0
    ? `nothing in what was read is named ${name}`
    : undefined;
}

/** What a question takes for granted, and nothing that was read can deny. */
function ofClaims({
  question,
  objects,
  view,
  withLogs,
  withoutEvents,
  allowed,
  setAside,
}: Investigation): string | undefined {
  const claims = claimsOf(question.query);
  if (objects.length === 0) return undefined;
  if (claims.reach && allowed.length === 0 && objects.length > 1 && unread(["Service"], view))
    return "the Service that is called was not read, so the call could not be evaluated";
  const happened = /\bhappen/i.test(question.query);
  const isPast = question.history && (happened || !isOpenQuestion(question.query));
  if (isPast && withoutEvents && objects.some(({ kind }) => kind === "Node"))
    return "no events of it could be read, which would say what happened";
  if (happened && unread(["Pod"], view)) return "pods were not read, which show what happened";
  if (claims.names && unread(["Pod"], view)) return "the pods of the cluster's DNS were not read";
  if (claims.names && unread(["Service"], view)) return "services were not read";
  if (claims.reach && unread(["NetworkPolicy"], view)) return "network policies were not read";
  if (claims.reach && unread(["Pod"], view)) return "the pods that policies select were not read";
  // The failure of a run is in its own state: here it is, and it is over.
  if (withLogs || setAside.over.some(({ object }) => object.kind === "Job")) return undefined;
  return claims.calls || claims.names || claims.behaviour
    ? "its state shows nothing wrong, and no log of it could be read, which would say what fails"
    : undefined;
}

/** What a named thing's health rests on. */
function ofTarget({ target, objects, view, question }: Investigation): string | undefined {
  if (target.kind !== "objects") return undefined;
  if (objects.every(isTrace)) return "only its events or logs were read, not the object itself";
  const judged = objects.filter(({ kind }) => withStatus.has(kind));
  if (judged.length > 0 && judged.every(({ status }) => status === undefined))
    return "its status was not read";
  const idle = objects.find(isIdleJob);
  if (idle !== undefined) return `the status of ${idOf(idle)} shows neither pods nor an end`;
  // One run says nothing of those that its CronJob should have started since.
  const run = objects.find(
    ({ kind, metadata }) =>
      kind === "Job" &&
      !question.names.includes(metadata.name) &&
      metadata.ownerReferences?.some((owner) => owner.kind === "CronJob"),
  );
  if (run !== undefined && unread(["CronJob"], view))
    return `cronjobs were not read, which start runs such as ${idOf(run)}`;
  const alias = objects.find((one) => textAt(one, "spec", "externalName") !== undefined);
  if (alias !== undefined)
    return `${idOf(alias)} is only another name (ExternalName) for ${textAt(alias, "spec", "externalName") ?? ""}, and whether that answers was not read`;
  for (const object of objects) {
    if (hasSucceeded(object) || hasCompleted(object)) continue;
    for (const kinds of neededBy[object.kind] ?? []) {
      if (unread(kinds, view))
        return `${plurals(kinds)} were not read, which show how ${idOf(object)} does`;
    }
  }
  return undefined;
}

/** True for a CronJob whose status says itself that its last run succeeded. */
function hasSucceeded(object: KubernetesObject): boolean {
  const started = timeAt(object, "status", "lastScheduleTime");
  const succeeded = timeAt(object, "status", "lastSuccessfulTime");
  return started !== undefined && succeeded !== undefined && succeeded >= started;
}

/** True for a Job that says itself that it is complete. */
function hasCompleted(object: KubernetesObject): boolean {
  return (
    object.kind === "Job" &&
    listAt(object, "status", "conditions").some(
      (one) => textAt(one, "type") === "Complete" && textAt(one, "status") === "True",
    )
  );
}

/** True for a Job that has started nothing and ended nothing, and is not asked to wait. */
function isIdleJob(object: KubernetesObject): boolean {
  const counts = ["active", "ready", "succeeded", "failed"].map((key) =>
    numberAt(object, "status", key),
  );
  return (
    object.kind === "Job" &&
    counts.every((count) => (count ?? 0) === 0) &&
    listAt(object, "status", "conditions").length === 0
  );
}

/** What a question without a name rests on. */
function ofScope({ target, view, kindsAsked }: Investigation): string | undefined {
  if (target.kind === "objects") return undefined;
  const isNone = kindsAsked.length > 0 && kindsAsked.every((kind) => view.list(kind).length === 0);
  if (isNone && !unread(kindsAsked, view))
    return `there are no ${kindsAsked.map((kind) => kindOf(kind).plural).join(", ")} in what was read`;
  const needed =
    kindsAsked.includes("Pod") || kindsAsked.length === 0 ? (["Pod"] as const) : kindsAsked;
  return unread(needed, view) ? `${plurals(needed)} were not read` : ofKinds(kindsAsked, view);
}

/** What a kind that the question names rests on, where no other kind than it was read. */
function ofKinds(kindsAsked: readonly KindName[], view: ClusterView): string | undefined {
  const lacking = kindsAsked
    .flatMap((kind) => neededBy[kind] ?? [])
    .find((kinds) => unread(kinds, view));
  return lacking === undefined
    ? undefined
    : `${plurals(lacking)} were not read, which show how ${plurals(kindsAsked)} do`;
}
