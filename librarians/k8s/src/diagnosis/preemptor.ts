import type { ClusterEvent } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";

/** Which pod preempted another, and with which priority, as far as the pod that an event names by its uid was read. */
export function describePreemptor({ reason, message }: ClusterEvent, view: ClusterView): string {
  if (reason !== "Preempted") return "";
  const uid = /by (?:a )?pod ([0-9a-f-]{8,40})/i.exec(message)?.[1];
  const pod = view.list("Pod").find(({ metadata }) => uid !== undefined && metadata.uid === uid);
  if (pod === undefined) return "";
  const { namespace = "", name } = pod.metadata;
  const priority = textAt(pod, "spec", "priorityClassName");
  return `; that is pod ${namespace}/${name}${priority === undefined ? "" : `, of priority class ${priority}`}`;
}
