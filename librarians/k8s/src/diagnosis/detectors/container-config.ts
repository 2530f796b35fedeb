import type { ContainerDetector } from "../container-detector.js";
import { nameOf } from "../container-state.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { containerValues, podEvent, siblingKey } from "../pod-finding.js";

const reasons = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
  "PreCreateHookError",
  "PreStartHookError",
  "PostStartHookError",
]);

/** A container that cannot be made: something it names is missing, or its configuration is refused. */
export const containerConfig: ContainerDetector = (container, pod, view) => {
  const { waiting, path, isInit } = container;
  if (waiting === undefined || !reasons.has(waiting.reason)) return undefined;
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
    summary: `${nameOf(container)} of pod ${pod.metadata.name} cannot be created (${waiting.reason})${message === "" ? "" : `: ${message}`}`,
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
