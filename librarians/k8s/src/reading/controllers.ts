import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt } from "../cluster/fields.js";
import { actorsFor, findActors, listExtendedResources } from "../diagnosis/actors.js";
import type { ClusterReading, ClusterView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findControllerReference } from "../diagnosis/owners.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { isReady } from "../diagnosis/ready.js";
import { podsUnder } from "../diagnosis/superseded.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { findCauses, findCausesOn, underCause } from "./causes.js";
import { withOtherNamespaces } from "./elsewhere.js";
import { gather } from "./gather.js";

/** Maximum number of other namespaces that are read for controllers. */
const maxNamespaces = 3;
const workloads = ["Pod", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet"] as const;

/** Words of names that say only what kind of thing something is, or whose network name it has. */
const plain = new Set([
  ..."com io org net dev sh cloud local cluster k8s kubernetes sigs csi driver plugin storage".split(
    " ",
  ),
  ..."controller manager provisioner operator system kube the app resources finalizer finalizers".split(
    " ",
  ),
]);

/** What may act for something, by the names of {@link actorsFor}. */
interface Actor {
  readonly workload: KubernetesObject;
  readonly score: number;
}

/** Adds the namespaces in which something of these names may run to what was read. */
export async function withControllers(
  reading: ClusterReading,
  names: readonly string[],
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<ClusterReading> {
  if (names.length === 0) return reading;
  if (reading.namespace === undefined) return withAll(reading, reader, signal);
  const known = (reading.objects.get("Namespace") ?? []).map(({ metadata }) => metadata.name);
  const scored = known
    .map((name) => ({ name, score: Math.max(...names.map((one) => scoreName(one, name))) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const places = [...scored.map(({ name }) => name).slice(0, maxNamespaces - 1), "kube-system"];
  return withOtherNamespaces(reading, places, reader, { signal, kinds: workloads });
}

/** Adds the workloads of the whole cluster, where what was read is of the whole cluster and of other kinds. */
async function withAll(
  reading: ClusterReading,
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<ClusterReading> {
  const { objects, events, usage, partly, problems } = reading;
  if (partly !== undefined || workloads.every((kind) => objects.has(kind))) return reading;
  const kinds = [...workloads];
  const options = { kinds, namespace: undefined, signal, withUsage: false };
  const wider = await gather(reader, { ...options, before: objects, events });
  return { ...wider, usage, problems: new Map([...problems, ...wider.problems]) };
}

/** Puts what waits for a controller under what is wrong with that controller, where none of its pods is ready. */
export function withControllerCause(one: Finding, view: ClusterView, interest: Interest): Finding {
  if (!one.current) return one;
  if (one.signal === "FailedScheduling") return withPluginCause(one, view, interest);
  const [cause] = brokenActors(findActors(one, view), one.object, view, interest);
  if (cause === undefined) return one;
  return underCause(one, cause, waitsFor(one.object));
}

/** Puts a pod that lacks a resource under the plugin that is not ready on a node which offers none of it. */
function withPluginCause(one: Finding, view: ClusterView, interest: Interest): Finding {
  for (const resource of listExtendedResources(one)) {
    const empty = view.list("Node").flatMap(({ metadata, status }) => {
      const offered = recordAt(status, "allocatable")[resource];
      return offered === undefined || String(offered) === "0" ? [metadata.name] : [];
    });
    const pods = closest([resource], view, true)
      .filter(({ workload }) => workload.kind === "DaemonSet")
      .flatMap(({ workload }) => view.owned(workload))
      .filter((pod) => !isReady(pod) && empty.includes(textAt(pod, "spec", "nodeName") ?? "\0"));
    const [cause] = findCausesOn(pods, view, interest);
    if (cause === undefined) continue;
    const node = textAt(cause.object, "spec", "nodeName") ?? "?";
    return underCause(
      one,
      cause,
      `; node ${node} offers no ${resource} without it, and pod ${one.object.metadata.name} waits for one`,
    );
  }
  return one;
}

function waitsFor({ kind, metadata }: KubernetesObject): string {
  return `; ${kind} ${metadata.name} waits for it`;
}

/** What is wrong with the controllers of things that show nothing wrong themselves. */
export function brokenControllers(
  objects: readonly KubernetesObject[],
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  const found = objects.flatMap((object) =>
    brokenActors(actorsFor(object, view), object, view, interest)
      .slice(0, 1)
      .map((cause) => ({
        ...cause,
        summary: `${cause.summary}${waitsFor(object)}`,
        affects: objects.map(toObjectId),
      })),
  );
  return [
    ...new Map(found.map((one) => [`${one.signal} ${toObjectId(one.object)}`, one])).values(),
  ];
}

function brokenActors(
  names: readonly string[],
  waiting: KubernetesObject,
  view: ClusterView,
  interest: Interest,
): readonly Finding[] {
  if (names.length === 0) return [];
  const broken = closest(names, view)
    .map(({ workload }) => workload)
    .filter((one) => toObjectId(one) !== toObjectId(waiting) && isDown(one, view));
  return broken.flatMap((workload) => findCauses([workload], view, interest).slice(0, 1));
}

/**
 * The workloads whose names fit best. What runs on each node acts there only.
 *
 * @param onNodes - True for what acts on each node.
 */
function closest(names: readonly string[], view: ClusterView, onNodes = false): readonly Actor[] {
  const all = [
    ...new Map(
      workloads
        .flatMap((kind) => view.list(kind))
        .map((object) => findTopOwner(object, view))
        // What runs once acts for nothing.
        .filter((object) => object.kind !== "Job" && object.kind !== "CronJob" && !hasEnded(object))
        .map((object) => [toObjectId(object), object]),
    ).values(),
  ];
  for (const name of names) {
    const scored = all
      .map((workload) => ({ workload, score: scoreName(name, toSearchText(workload)) }))
      .filter(({ score }) => score > 0);
    const central = scored.filter(({ workload }) => (workload.kind === "DaemonSet") === onNodes);
    const some = central.length > 0 ? central : scored;
    const best = Math.max(...some.map(({ score }) => score));
    if (some.length > 0) return some.filter(({ score }) => score === best);
  }
  return [];
}

/** True for a pod that has ended, whatever made it. */
function hasEnded(object: KubernetesObject): boolean {
  const owner = findControllerReference(object)?.kind;
  return (
    object.kind === "Pod" &&
    (owner === "Job" || /^(?:Succeeded|Failed)$/.test(textAt(object, "status", "phase") ?? ""))
  );
}

/** What a workload says of itself: its place, its name, its containers and their arguments. */
function toSearchText(workload: KubernetesObject): string {
  const { namespace = "", name } = workload.metadata;
  const containers = listAt(findPodSpec(workload), "containers").flatMap((one) => [
    textAt(one, "name") ?? "",
    textAt(one, "image") ?? "",
    ...listAt(one, "args").map(String),
    ...listAt(one, "env").map((variable) => textAt(variable, "value") ?? ""),
  ]);
  return [namespace, name, ...containers].join(" ");
}

/** How well a text fits a name such as `rook-ceph.rbd.csi.ceph.com`: the whole of it, or how many of its telling words. */
function scoreName(name: string, text: string): number {
  const lower = text.toLowerCase();
  const whole = name.toLowerCase().replace(/\.(?:io|com|org|net|dev|sh)$/, "");
  const words = [
    ...new Set(whole.split(/[^a-z0-9]/).filter((word) => word.length > 2 && !plain.has(word))),
  ];
  const met = words.filter((word) => lower.includes(word)).length;
  return met + (lower.includes(whole) ? words.length + 1 : 0);
}

/** True for a workload of which no pod is ready. */
function isDown(workload: KubernetesObject, view: ClusterView): boolean {
  if (workload.kind === "Pod") return !isReady(workload);
  const pods = podsUnder(workload, view);
  if (pods.some(isReady)) return false;
  return (
    pods.length > 0 ||
    (numberAt(workload, "status", "readyReplicas") ??
      numberAt(workload, "status", "numberReady") ??
      0) === 0
  );
}
