import { listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ContainerDetector } from "../container-detector.js";
import { describeContainer, describeTermination } from "../container-state.js";
import { recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { containerValues, endEvidence, siblingKey } from "../pod-finding.js";

/** How far an event of the node and the end of a container may lie apart, in milliseconds. */
const nearMs = 2 * recentMs;
/** How long what is over is still what a question about restarts means, in milliseconds. */
const dayMs = 24 * recentMs;
const nodeReasons = ["NodeNotReady", "NodeStatusUnknown", "TaintManagerEviction", "SandboxChanged"];

/** A container that its node lost: nothing in it failed, and its runtime cannot say how it ended. */
export const nodeLoss: ContainerDetector = (container, pod, view, { history }) => {
  const ended = container.terminated ?? container.last;
  const isLost =
    ended !== undefined &&
    ((ended.exitCode === 255 && /^(?:Unknown|)$/.test(ended.reason)) ||
      ended.reason === "ContainerStatusUnknown");
  const end = ended?.finishedAt ?? container.runningSince;
  const events = view
    .events(pod)
    .filter(
      ({ reason, lastSeen }) =>
        nodeReasons.includes(reason) &&
        (end === undefined || lastSeen === undefined || Math.abs(lastSeen - end) < nearMs),
    );
  const notReady = events.find(({ reason }) => reason !== "SandboxChanged");
  const ownFailure =
    ended?.exitCode !== undefined && ended.exitCode !== 0 && ended.exitCode !== 255;
  const isKilled = ended?.exitCode === 137 && ended.reason !== "OOMKilled";
  if (
    !isLost &&
    (notReady === undefined || (ownFailure && !isKilled) || ended?.reason === "OOMKilled")
  )
    return undefined;
  if (!isLost && container.restarts === 0 && container.isRunning && container.ready !== false)
    return undefined;
  const nodeName = textAt(pod, "spec", "nodeName");
  const node = nodeName === undefined ? undefined : view.get("Node", undefined, nodeName);
  const ready = listAt(node, "status", "conditions").find((one) => textAt(one, "type") === "Ready");
  const rebooted =
    node === undefined ? undefined : view.events(node).find(({ reason }) => reason === "Rebooted");
  const isDown =
    (ready !== undefined && textAt(ready, "status") !== "True") ||
    (node === undefined && notReady !== undefined);
  const isOver = container.isRunning && container.ready !== false;
  if (isOver && !history && end !== undefined && view.now - end > recentMs) return undefined;
  const where = nodeName === undefined ? "its node" : `node ${nodeName}`;
  const why =
    rebooted !== undefined
      ? `, which was restarted: ${rebooted.message}`
      : notReady !== undefined
        ? `, which was not ready (${notReady.reason}: ${notReady.message})`
        : "; the node or its runtime was restarted, probably";
  const since = timeAt(ready, "lastTransitionTime");
  return finding({
    signal: isDown ? "NodeNotReady" : "NodeRestart",
    severity: isOver ? "medium" : "high",
    object: pod,
    current: !isOver || (history && (end === undefined || view.now - end < dayMs)),
    confidence: rebooted !== undefined || notReady !== undefined ? 0.85 : 0.7,
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} was lost with ${where}${why}${ended === undefined ? "" : `; it ended with ${describeTermination(ended)}`}, ${container.restarts} restarts${isOver ? "; it runs again" : ""}`,
    message: rebooted?.message ?? notReady?.message,
    evidence: [
      ...(ended === undefined ? [] : [endEvidence(pod, container, ended)]),
      ...events.slice(0, 2).map(eventEvidence),
      ...(rebooted === undefined ? [] : [eventEvidence(rebooted)]),
      ...(node === undefined || ready === undefined
        ? []
        : [
            fieldEvidence(
              node,
              "status.conditions",
              `Ready ${textAt(ready, "status") ?? "?"}, reason ${textAt(ready, "reason") ?? ""}`,
              // Since when it is ready again says nothing of when the container was lost.
              isDown ? since : undefined,
            ),
          ]),
    ],
    next: node === undefined ? describeCommand(pod) : describeCommand(node),
    values: containerValues(container, pod),
    key: siblingKey(view, pod, "node-loss", container.name),
  });
};
