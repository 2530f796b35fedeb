import type { ContainerDetector } from "../container-detector.js";
import { endOf, nameOf } from "../container-state.js";
import { recentMs } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { containerValues, defined, endEvidence, quantity, siblingKey } from "../pod-finding.js";

/** A container that was killed for its memory: `reason` says so, not the exit code, which others share. */
export const oomKilled: ContainerDetector = (container, pod, view, { history }) => {
  const { terminated, last, isRunning, ready, runningSince, path, restarts } = container;
  const ended = [terminated, last].find((one) => one?.reason === "OOMKilled");
  if (ended === undefined) return undefined;
  const limit = quantity(container, "limits", "memory");
  const since = runningSince ?? ended.finishedAt;
  const isOver = isRunning && ready !== false && since !== undefined && view.now - since > recentMs;
  if (isOver && !history) return undefined;
  const usage = view.usage.find(
    (one) =>
      one.kind === "Pod" &&
      one.name === pod.metadata.name &&
      one.namespace === pod.metadata.namespace &&
      one.container === container.name,
  )?.memory;
  const of = limit === undefined ? "" : `, its memory limit is ${limit}`;
  return finding({
    signal: "OOMKilled",
    severity: isOver ? "low" : "critical",
    object: pod,
    current: !isOver,
    confidence: 0.95,
    summary: `${nameOf(container)} of pod ${pod.metadata.name} was OOMKilled (${endOf(ended)})${of}${restarts > 0 ? `, restarted ${restarts} times` : ""}`,
    message: ended.message === "" ? undefined : ended.message,
    evidence: [
      endEvidence(pod, container, ended),
      ...(limit === undefined
        ? []
        : [
            fieldEvidence(pod, `spec.containers{${container.name}}.resources.limits.memory`, limit),
          ]),
      ...(usage === undefined
        ? []
        : [fieldEvidence(pod, `usage{${container.name}}.memory`, `uses ${usage} now`)]),
      ...(container.waiting === undefined
        ? []
        : [fieldEvidence(pod, `${path}.state.waiting`, `now ${container.waiting.reason}`)]),
    ],
    next: [
      ...kubectl`top pod ${pod.metadata.name}${option("-n", pod.metadata.namespace)} --containers`,
      ...describeCommand(pod),
    ],
    values: {
      ...containerValues(container, pod),
      ...defined({
        memory_usage: usage,
        termination_reason: "OOMKilled",
        exit_code: ended.exitCode,
      }),
    },
    logs: [],
    key: siblingKey(view, pod, "OOMKilled", container.name),
  });
};
