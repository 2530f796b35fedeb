import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { signalOfEvent } from "../event-signals.js";
import { clause } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { siblingKey } from "../pod-finding.js";

/** What is known of an object that was not read itself: what its events report. */
export const trace: Detector = (object, view) => {
  const reported = view.events(object).flatMap((event) => {
    const said = signalOfEvent(event);
    return said === undefined ? [] : [{ event, ...said }];
  });
  const [deepest] = [...reported].sort((a, b) => a.place - b.place);
  if (deepest === undefined) return [];
  const { event, signal } = deepest;
  const { namespace, name } = object.metadata;
  const others = reported.filter((one) => one.event.reason !== event.reason);
  return {
    signal,
    severity: "high",
    summary: `${object.kind} ${name}, which is gone or was not recorded, had ${event.reason}: ${event.message}${describePreemptor(event, view)}`,
    message: event.message,
    evidence: [event, ...others.slice(0, 2).map((one) => one.event)],
    next: kubectl`get events --field-selector involvedObject.name=${name}${option("-n", namespace)}`,
    values: { reason: event.reason, event_count: event.count, is_recorded: false },
    logs:
      object.kind === "Pod" && namespace !== undefined
        ? [{ namespace, pod: name, previous: false }]
        : [],
    key: siblingKey(view, object, "trace", signal),
  };
};

/** True for an object that is known by its events or logs only. */
export function isTrace(object: KubernetesObject): boolean {
  return object.isTrace === true;
}

/** Which pod preempted another, and with which priority, as far as the pod that an event names by its uid was read. */
export function describePreemptor({ reason, message }: ClusterEvent, view: ClusterView): string {
  if (reason !== "Preempted") return "";
  const uid = /by (?:a )?pod ([0-9a-f-]{8,40})/i.exec(message)?.[1];
  const pod = view.list("Pod").find(({ metadata }) => uid !== undefined && metadata.uid === uid);
  if (pod === undefined) return "";
  const { namespace = "", name } = pod.metadata;
  return `; that is pod ${namespace}/${name}${clause(", of priority class ", textAt(pod, "spec", "priorityClassName"))}`;
}
