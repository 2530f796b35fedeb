import type { ContainerDetector } from "../container-detector.js";
import { describeContainer } from "../container-state.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { containerValues, podEvent, siblingKey } from "../pod-finding.js";

/** Reasons to wait that are no failure by themselves, or that say what other detectors know more of. */
const others = new Set(["", "ContainerCreating", "PodInitializing", "CrashLoopBackOff"]);

/**
 * A container that cannot be made, for whatever reason it waits: something it names is missing, its
 * configuration is refused, or the kubelet says what else.
 */
export const containerConfig: ContainerDetector = (container, pod, view) => {
  const { waiting, path, isInit } = container;
  if (waiting === undefined || others.has(waiting.reason)) return undefined;
  const failed = podEvent(view, pod, ["Failed"], container.name);
  const message = waiting.message || (failed[0]?.text ?? "");
  const isMissing =
    /(?:configmap|secret|serviceaccount)s? "[^"]{0,300}" not found|couldn't find key|references non-existent/i.test(
      message,
    );
  return finding({
    signal: isMissing ? "MissingReference" : isInit ? "InitContainerFailed" : "PodFailed",
    severity: "high",
    object: pod,
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} cannot be created (${waiting.reason})${message === "" ? "" : `: ${message}`}`,
    message: message === "" ? undefined : message,
    evidence: [
      fieldEvidence(pod, `${path}.state.waiting`, `${waiting.reason}: ${message}`),
      ...failed,
    ],
    next: describeCommand(pod),
    values: containerValues(container, pod),
    key: siblingKey(view, pod, waiting.reason, container.name, message),
  });
};
