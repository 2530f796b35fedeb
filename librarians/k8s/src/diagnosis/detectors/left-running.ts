import { readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { findControllerReference } from "../owners.js";
import { siblingKey } from "../pod-finding.js";

/** A pod of a Job whose work has ended while a container beside it still runs, so that the Job never completes. */
export const leftRunning: Detector = (pod, view) => {
  if (findControllerReference(pod)?.kind !== "Job") return [];
  const containers = readContainers(pod).filter(({ isInit }) => !isInit);
  const done = containers.filter(({ terminated }) => terminated?.exitCode === 0);
  const running = containers.filter(({ isRunning }) => isRunning);
  if (done.length === 0 || running.length === 0) return [];
  const names = (some: typeof containers) => some.map(({ name }) => name).join(", ");
  return [
    finding({
      signal: "PodNotReady",
      severity: "medium",
      object: pod,
      confidence: 0.85,
      summary: `container ${names(done)} of pod ${pod.metadata.name} has completed, and ${names(running)} still runs, so the pod and its Job do not complete`,
      evidence: [
        ...done.map(({ path }) => fieldEvidence(pod, `${path}.state.terminated`, "exit code 0")),
        ...running.map(({ name, path }) =>
          fieldEvidence(pod, `${path}.state.running`, `${name} is running`),
        ),
      ],
      next: describeCommand(pod),
      key: siblingKey(view, pod, "left-running"),
    }),
  ];
};
