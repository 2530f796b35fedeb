import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { idOf } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { code, escaped } from "./markdown.js";

/** One change of what a cluster was asked to be. */
export interface Change {
  readonly object: KubernetesObject;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** Kinds that controllers make and change all the time. */
const madeByOthers: ReadonlySet<string> = new Set([
  "Pod",
  "ReplicaSet",
  "Endpoints",
  "EndpointSlice",
  "Lease",
  "Node",
]);
const eventReasons: ReadonlySet<string> = new Set([
  "ScalingReplicaSet",
  "SuccessfulRescale",
  "DeploymentRollback",
  "NodeNotReady",
  "NodeReady",
  "Rebooted",
  "Preempted",
  "Evicted",
  "RemovingNode",
  "RegisteredNode",
  "NodeSchedulable",
  "NodeNotSchedulable",
]);

/** Changes since a moment, newest first: revisions with what differs, new and edited objects, scalings. */
export function changesSince(
  since: number,
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly Change[] {
  const changes: Change[] = [];
  const revised = new Set<string>();
  for (const object of objects) {
    if (object.kind !== "Deployment") continue;
    const revision = newRevision(object, view, since);
    if (revision === undefined) continue;
    revised.add(idOf(object));
    changes.push(revision);
  }
  for (const object of objects) {
    if (isTrace(object) || madeByOthers.has(object.kind)) continue;
    const created = timeAt(object, "metadata", "creationTimestamp");
    const edited = timeAt(object, "metadata", "lastEdit", "at");
    const by = textAt(object, "metadata", "lastEdit", "by");
    if (created !== undefined && created >= since) {
      changes.push({ object, at: created, text: `${code(idOf(object))} was created` });
    } else if (edited !== undefined && edited >= since && !revised.has(idOf(object))) {
      changes.push({
        object,
        at: edited,
        text: `${code(idOf(object))} was edited${by === undefined ? "" : ` by ${escaped(quote(by, 60))}`}`,
      });
    }
    const deleted = timeAt(object, "metadata", "deletionTimestamp");
    if (deleted !== undefined && deleted >= since) {
      changes.push({ object, at: deleted, text: `${code(idOf(object))} is being deleted` });
    }
  }
  for (const object of objects) {
    for (const { reason, message, lastSeen } of view.events(object)) {
      if (lastSeen === undefined || lastSeen < since || !eventReasons.has(reason)) continue;
      changes.push({
        object,
        at: lastSeen,
        text: `${code(idOf(object))}: ${reason}: ${escaped(quote(message, 120))}`,
      });
    }
  }
  return changes.sort((a, b) => b.at - a.at);
}

/** The newest revision of a Deployment, where it began since then, and what differs from the one before. */
function newRevision(
  object: KubernetesObject,
  view: ClusterView,
  since: number,
): Change | undefined {
  const sets = view
    .owned(object)
    .filter(({ kind }) => kind === "ReplicaSet")
    .map((set) => ({
      set,
      revision: Number(set.metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0),
    }))
    .sort((a, b) => b.revision - a.revision);
  const [newest, before] = sets;
  const at = timeAt(newest?.set, "metadata", "creationTimestamp");
  if (newest === undefined || at === undefined || at < since) return undefined;
  const differences = before === undefined ? [] : differencesOf(before.set, newest.set);
  return {
    object,
    at,
    text: `${code(idOf(object))}: revision ${newest.revision}${before === undefined ? "" : ` after ${before.revision}`}: ${differences.join("; ") || "the template differs in what was not compared"}`,
  };
}

/** Images, variables, arguments, probes and resources that differ between two templates, by container. */
function differencesOf(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  const containers = (set: KubernetesObject) =>
    listAt(set, "spec", "template", "spec", "containers");
  return containers(after).flatMap((container) => {
    const name = textAt(container, "name") ?? "a container";
    const old = containers(before).find((one) => textAt(one, "name") === name);
    if (old === undefined)
      return [`container ${name} is new, image ${code(textAt(container, "image") ?? "?")}`];
    const image = textAt(container, "image");
    const oldImage = textAt(old, "image");
    const fields = [
      "command",
      "args",
      "env",
      "envFrom",
      "resources",
      "ports",
      "readinessProbe",
      "livenessProbe",
      "startupProbe",
      "volumeMounts",
      "securityContext",
    ];
    const changed = fields.filter(
      (field) =>
        JSON.stringify(recordAt(container)[field]) !== JSON.stringify(recordAt(old)[field]),
    );
    return [
      ...(image === oldImage
        ? []
        : [`image of ${name} from ${code(oldImage ?? "?")} to ${code(image ?? "?")}`]),
      ...(changed.length === 0 ? [] : [`${changed.join(", ")} of ${name}`]),
    ];
  });
}
