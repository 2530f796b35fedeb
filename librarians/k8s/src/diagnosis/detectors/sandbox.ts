import { textAt } from "../../cluster/fields.js";
import { containersOf } from "../container-state.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { defined, siblingKey } from "../pod-finding.js";

const reasons = [
  "FailedCreatePodSandBox",
  "FailedMount",
  "FailedAttachVolume",
  "FailedMapVolume",
  "NetworkNotReady",
];

/** A pod with a node whose containers are still being created, and an event that says what fails. */
export const sandbox: Detector = (pod, view) => {
  if (textAt(pod, "status", "phase") !== "Pending") return [];
  const containers = containersOf(pod);
  const creating = containers.find(({ waiting }) =>
    /^(ContainerCreating|PodInitializing|)$/.test(waiting?.reason ?? "none"),
  );
  if (containers.length > 0 && creating === undefined) return [];
  const event = view.events(pod).find(({ reason }) => reasons.includes(reason));
  if (event === undefined) return [];
  const { reason, message } = event;
  const isMissing =
    /(?:configmap|secret|persistentvolumeclaim)[^:]{0,300}not found|references non-existent/i.test(
      message,
    );
  return [
    finding({
      signal: isMissing ? "MissingReference" : "FailedCreatePodSandBox",
      severity: "high",
      object: pod,
      summary: `pod ${pod.metadata.name} cannot start: ${reason}: ${message}`,
      message,
      evidence: [
        eventEvidence(event),
        ...(creating?.waiting === undefined
          ? []
          : [fieldEvidence(pod, `${creating.path}.state.waiting`, creating.waiting.reason)]),
      ],
      next: describeCommand(pod),
      values: defined({
        phase: "Pending",
        reason,
        node: textAt(pod, "spec", "nodeName"),
        event_count: event.count,
      }),
      key: siblingKey(view, pod, reason, message.slice(0, 60)),
    }),
  ];
};
