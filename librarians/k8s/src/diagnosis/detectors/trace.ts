import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import type { Detector } from "../detector.js";
import { signalOfEvent } from "../event-signals.js";
import { eventEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { siblingKey } from "../pod-finding.js";
import { describePreemptor } from "../preemptor.js";

/** What is known of an object that was not read itself: what its events report. */
export const trace: Detector = (object, view) => {
  const reported = view.events(object).flatMap((event) => {
    const said = signalOfEvent(event);
    return said === undefined ? [] : [{ event, ...said }];
  });
  const [deepest] = [...reported].sort((a, b) => a.place - b.place);
  if (deepest === undefined) return [];
  const { event, signal } = deepest;
  const others = reported.filter((one) => one.event.reason !== event.reason);
  return [
    finding({
      signal,
      severity: "high",
      object,
      confidence: 0.7,
      summary: `${object.kind} ${object.metadata.name}, which is gone or was not recorded, had ${event.reason}: ${event.message}${describePreemptor(event, view)}`,
      message: event.message,
      evidence: [event, ...others.slice(0, 2).map((one) => one.event)].map(eventEvidence),
      next: kubectl`get events --field-selector involvedObject.name=${object.metadata.name}${option("-n", object.metadata.namespace)}`,
      values: { reason: event.reason, event_count: event.count, is_recorded: false },
      logs: object.kind === "Pod" ? requestLogs(object) : [],
      key: siblingKey(view, object, "trace", signal),
    }),
  ];
};

function requestLogs({ metadata: { namespace, name } }: KubernetesObject) {
  return namespace === undefined ? [] : [{ namespace, pod: name, previous: false }];
}

/** True for an object that is known by its events or logs only. */
export function isTrace(object: KubernetesObject): boolean {
  return object.isTrace === true;
}
