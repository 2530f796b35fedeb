import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt, timeAt } from "../cluster/fields.js";
import { kindIs } from "../cluster/kind-traits.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { newestRevision } from "../diagnosis/revision.js";

/** One change of the desired state of a cluster. */
export interface Change {
  readonly object: KubernetesObject;
  /** Epoch milliseconds. */
  readonly at: number;
  /** `was created`: what happened to the object. */
  readonly text: string;
}

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
    revised.add(toObjectId(object));
    changes.push(revision);
  }
  for (const object of objects) {
    if (isTrace(object) || kindIs(object.kind, "madeByController")) continue;
    const created = timeAt(object, "metadata", "creationTimestamp");
    const edited = timeAt(object, "metadata", "lastEdit", "at");
    const by = textAt(object, "metadata", "lastEdit", "by");
    if (created !== undefined && created >= since) {
      changes.push({ object, at: created, text: "was created" });
    }
    const isLater = edited !== undefined && edited - (created ?? 0) > 60_000;
    if (isLater && edited >= since && !revised.has(toObjectId(object))) {
      changes.push({
        object,
        at: edited,
        text: `was edited${by === undefined ? "" : ` by ${quote(by, 60)}`}`,
      });
    }
    const deleted = timeAt(object, "metadata", "deletionTimestamp");
    if (deleted !== undefined && deleted >= since) {
      changes.push({ object, at: deleted, text: "is being deleted" });
    }
  }
  for (const object of objects) {
    for (const { reason, message, lastSeen } of view.events(object)) {
      if (lastSeen === undefined || lastSeen < since || !eventReasons.has(reason)) continue;
      changes.push({
        object,
        at: lastSeen,
        text: `${reason}: ${quote(message, 120)}`,
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
  const newest = newestRevision(object, view);
  if (newest === undefined || newest.at < since) return undefined;
  return { object, at: newest.at, text: newest.text };
}
