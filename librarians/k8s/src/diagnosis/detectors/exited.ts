import type { ContainerDetector } from "../container-detector.js";
import { describeContainer, describeTermination } from "../container-state.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { containerValues, endEvidence, logCommand, logWish, siblingKey } from "../pod-finding.js";

/** A container that ended with an error and is not running. */
export const exited: ContainerDetector = (container, pod, view) => {
  const { terminated, isInit } = container;
  const code = terminated?.exitCode;
  if (terminated === undefined || code === undefined || code === 0) return undefined;
  return finding({
    signal: isInit ? "InitContainerFailed" : "PodFailed",
    severity: "high",
    object: pod,
    confidence: 0.85,
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} ended with ${describeTermination(terminated)}`,
    message: terminated.message || undefined,
    evidence: [endEvidence(pod, container, terminated)],
    next: [...logCommand(pod, container), ...describeCommand(pod)],
    values: containerValues(container, pod),
    logs: logWish(pod, container),
    key: siblingKey(view, pod, "exited", container.name, String(code)),
  });
};
