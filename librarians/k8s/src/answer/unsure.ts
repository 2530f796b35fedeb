import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import { kindIs, kindsNeededBy } from "../cluster/kind-traits.js";
import { getKind, type KindName } from "../cluster/kinds.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { plurals, unread } from "../fields/unread.js";
import type { Investigation } from "../investigation.js";
import { isOpenQuestion, readClaims } from "../question/claims.js";
import { reportsPast } from "../question/lookup.js";
import { asksLogs, measuresIn } from "../question/measures.js";
import { explainUnreadWords } from "./unsure-of-words.js";

/**
 * Explains why an object cannot be called "Healthy" although no failure was found: evidence was not read, or something
 * around it fails. Undefined when it can.
 */
export function explainUncertainty(found: Investigation): string | undefined {
  return (
    explainUnreadTarget(found) ??
    explainUnreadNames(found) ??
    explainUnreadWords(found) ??
    explainMixedBackends(found) ??
    explainUndeniableClaims(found) ??
    explainUnreadScope(found)
  );
}

/** Explains names in the question that match nothing, where matching objects may not have been read. */
function explainUnreadNames({
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
    // If only nodes are named, what stays pending is a pod.
    const areNodes = objects.every(({ kind }) => kind === "Node");
    if (areNodes && question.signals.has("FailedScheduling") && unread(["Pod"], view))
      return "pods were not read, so it is unknown which of them wait for a node";
    const resting = kindsAsked.includes("NetworkPolicy")
      ? explainUnreadKinds(kindsAsked, view)
      : undefined;
    if (resting !== undefined) return resting;
    const isPassive = objects.every(({ kind }) => kindIs(kind, "runsNothing"));
    const isExact = objects.some(({ metadata }) => question.names.includes(metadata.name));
    return isPassive && !isExact && unread(["Pod"], view)
      ? "no pods were read; the name matches only objects that pods use"
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

/**
 * Explains a Service among what is asked about whose selector is so wide that it takes the pods of another application,
 * which one of them answers is left to chance. Versions of one application share the label of its name.
 */
function explainMixedBackends({ objects, scope, view }: Investigation): string | undefined {
  for (const service of new Set([...objects, ...scope])) {
    const selector = recordAt(service, "spec", "selector");
    if (service.kind !== "Service" || Object.keys(selector).length === 0) continue;
    const pods = view.podsMatching(service.metadata.namespace, { matchLabels: selector });
    const apps = new Map(
      pods.flatMap((pod) => {
        const labels = pod.metadata.labels ?? {};
        const app = labels["app.kubernetes.io/name"] ?? labels.app ?? labels["k8s-app"];
        return app === undefined ? [] : [[app, findTopOwner(pod, view)] as const];
      }),
    );
    if (apps.size < 2) continue;
    const text = Object.entries(selector).map(([key, value]) => `${key}=${String(value)}`);
    return `the selector of ${toObjectId(service)}, ${text.join(",")}, matches pods of ${apps.size} applications, ${[...apps.values()].map(toObjectId).join(" and ")}: any of them answers`;
  }
  return undefined;
}

/** Words for what goes on, whatever was before. */
const isGoingOn = /\b(?:is|are|still|since|now|currently|at the moment|again|today)\b/i;

/** Explains claims of the question that nothing in the reading can refute. */
function explainUndeniableClaims({
  question,
  objects,
  view,
  withLogs,
  withoutEvents,
  allowed,
  setAside,
}: Investigation): string | undefined {
  const claims = readClaims(question.query);
  if (objects.length === 0) return undefined;
  if (claims.reach && allowed.length === 0 && objects.length > 1 && unread(["Service"], view))
    return "the Service of that call was not read, so the call could not be evaluated";
  const happened = /\bhappen/i.test(question.query);
  const isPast = question.history && (happened || !isOpenQuestion(question.query));
  if (isPast && withoutEvents && objects.some(({ kind }) => kind === "Node"))
    return "its events, which would show what happened, could not be read";
  if (happened && unread(["Pod"], view))
    return "pods were not read, so it is unknown what happened";
  if (claims.names && unread(["Pod"], view)) return "the pods of the cluster's DNS were not read";
  if (claims.names && unread(["Service"], view)) return "services were not read";
  if (claims.reach && unread(["NetworkPolicy"], view)) return "network policies were not read";
  if (claims.reach && unread(["Pod"], view)) return "the pods that policies select were not read";
  if (reportsPast(question.query) && !isGoingOn.test(question.query))
    return "nothing that was read shows that failure; what happened before the oldest event, and who did it, is not recorded";
  // The state of a run shows its failure. Here it does, and the failure is over.
  if (setAside.over.some(({ object }) => object.kind === "Job")) return undefined;
  if (!claims.calls && !claims.names && !claims.behaviour) return undefined;
  return withLogs
    ? "neither its state nor the end of its logs shows what fails"
    : "its state shows no failure, and its logs, which would show what fails, could not be read";
}

/** Explains unread evidence of the health of named objects. */
function explainUnreadTarget({
  target,
  objects,
  view,
  question,
}: Investigation): string | undefined {
  if (target.kind !== "objects") return undefined;
  if (objects.every(isTrace)) return "only its events or logs were read, not the object itself";
  const judged = objects.filter(({ kind }) => kindIs(kind, "hasStatus"));
  if (judged.length > 0 && judged.every(({ status }) => status === undefined))
    return "its status was not read";
  const idle = objects.find(isIdleJob);
  if (idle !== undefined) return `the status of ${toObjectId(idle)} shows neither pods nor an end`;
  // One run says nothing about later runs that its CronJob should have started.
  const run = objects.find(
    ({ kind, metadata }) =>
      kind === "Job" &&
      !question.names.includes(metadata.name) &&
      metadata.ownerReferences?.some((owner) => owner.kind === "CronJob"),
  );
  if (run !== undefined && unread(["CronJob"], view))
    return `cronjobs were not read; they start runs such as ${toObjectId(run)}`;
  const alias = objects.find((one) => textAt(one, "spec", "externalName") !== undefined);
  if (alias !== undefined)
    return `${toObjectId(alias)} is only another name (ExternalName) for ${textAt(alias, "spec", "externalName") ?? ""}, and it is unknown whether that host answers`;
  for (const object of objects) {
    if (hasSucceeded(object) || hasCompleted(object)) continue;
    for (const kinds of kindsNeededBy(object.kind)) {
      if (unread(kinds, view))
        return `${plurals(kinds)} were not read; they show the health of ${toObjectId(object)}`;
    }
  }
  return undefined;
}

/** True for a CronJob whose status reports that its last run succeeded. */
function hasSucceeded(object: KubernetesObject): boolean {
  const started = timeAt(object, "status", "lastScheduleTime");
  const succeeded = timeAt(object, "status", "lastSuccessfulTime");
  return started !== undefined && succeeded !== undefined && succeeded >= started;
}

/** True for a Job that reports itself complete. */
function hasCompleted(object: KubernetesObject): boolean {
  return (
    object.kind === "Job" &&
    listAt(object, "status", "conditions").some(
      (one) => textAt(one, "type") === "Complete" && textAt(one, "status") === "True",
    )
  );
}

/** True for a Job that has neither started nor finished a pod and is not suspended. */
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

/** Explains unread evidence for a question that names no object. */
function explainUnreadScope({
  target,
  view,
  kindsAsked,
  namespace,
  scope,
}: Investigation): string | undefined {
  if (target.kind === "objects") return undefined;
  // "Volumes" are claims and volumes: of what was not read, nothing is known.
  const gaps = kindsAsked.filter((kind) => unread([kind], view));
  if (gaps.length > 0 && gaps.length < kindsAsked.length) return `${plurals(gaps)} were not read`;
  const isNone = kindsAsked.length > 0 && kindsAsked.every((kind) => view.list(kind).length === 0);
  if (isNone && !unread(kindsAsked, view))
    return `there are no ${kindsAsked.map((kind) => getKind(kind).plural).join(", ")} in what was read`;
  const needed =
    kindsAsked.includes("Pod") || kindsAsked.length === 0 ? (["Pod"] as const) : kindsAsked;
  if (unread(needed, view)) return `${plurals(needed)} were not read`;
  const isEmpty = !scope.some((one) => findPodSpec(one) !== undefined);
  return namespace !== undefined && kindsAsked.length === 0 && isEmpty
    ? `nothing that runs in namespace ${namespace} is in what was read`
    : explainUnreadKinds(kindsAsked, view);
}

/** Explains kinds that are needed to judge a kind that the question names, and were not read. */
function explainUnreadKinds(
  kindsAsked: readonly KindName[],
  view: ClusterView,
): string | undefined {
  const lacking = kindsAsked
    .flatMap((kind) => kindsNeededBy(kind))
    .find((kinds) => unread(kinds, view));
  return lacking === undefined
    ? undefined
    : `${plurals(lacking)} were not read; they show the health of ${plurals(kindsAsked)}`;
}

/**
 * Explains why a question about measurements or logs cannot be answered with "Healthy": the state of objects
 * shows neither.
 */
export function unmeasured({ question, view, withLogs }: Investigation): string | undefined {
  const lacking = measuresIn(question.query).filter(
    ({ isUsage }) => !isUsage || view.usage.length === 0,
  );
  if (lacking.length > 0)
    return `its state shows no failure, but ${lacking.map(({ name }) => name).join(" and ")} was not read (see ${lacking.map(({ metric }) => metric).join(", ")})`;
  return asksLogs(question.query) && !withLogs
    ? "its state shows no failure, and its logs, which would show errors, were not read"
    : undefined;
}
