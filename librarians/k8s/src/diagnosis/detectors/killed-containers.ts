import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { findCondition } from "../conditions.js";
import {
  type ContainerState,
  describeContainer,
  describeTermination,
  type Termination,
} from "../container-state.js";
import { type ContainerDetector, recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { clause } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { containerValues, endEvidence, quantity, siblingKey } from "../pod-finding.js";
import { parseQuantity } from "../quantity.js";
import { describeRestarts, overSince } from "../recurrence.js";

/** A container that was killed for its memory: `reason` says so, not the exit code, which others share. */
export const oomKilled: ContainerDetector = (container, pod, view, { history }) => {
  const { terminated, last, isRunning, ready, runningSince, path, restarts, name } = container;
  const ends = [terminated, last];
  const own = ends.find((one) => one?.reason === "OOMKilled");
  const killed = ends.find((one) => one?.exitCode === 137);
  const onNode = own === undefined && killed !== undefined ? nodeOom(killed, pod, view) : undefined;
  const ended = own ?? (onNode === undefined ? undefined : killed);
  if (ended === undefined) return undefined;
  const limit = quantity(container, "limits", "memory");
  const since = runningSince ?? ended.finishedAt;
  const runs = isRunning && ready !== false && since !== undefined && view.now - since > recentMs;
  const again = runs ? describeRestarts(container, pod, view.now) : undefined;
  const isOver = runs && again === undefined;
  if (isOver && !history) return undefined;
  const usage = view.usage.find(
    (one) =>
      one.kind === "Pod" &&
      one.name === pod.metadata.name &&
      one.namespace === pod.metadata.namespace &&
      one.container === name,
  )?.memory;
  const heap = onNode === undefined ? findHeapLimit(container, limit) : undefined;
  const how =
    onNode === undefined
      ? `OOMKilled (${describeTermination(ended)})${clause(", its memory limit is ", limit)}`
      : `killed as node ${textAt(pod, "spec", "nodeName") ?? "?"} ran out of memory (${describeTermination(ended)}): ${eventEvidence(onNode).text}`;
  return {
    signal: "OOMKilled",
    severity: isOver ? "low" : "critical",
    current: !isOver,
    standing:
      again === undefined
        ? overSince(isOver, since === undefined ? undefined : view.now - since)
        : { kind: "recurring", why: again },
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} was ${how}${restarts > 0 ? `, restarted ${again ?? `${restarts} times`}` : ""}${clause("; ", heap?.text)}`,
    message: ended.message,
    evidence: [
      endEvidence(pod, container, ended),
      onNode,
      [`spec.containers{${name}}.resources.limits.memory`, limit],
      [`spec.containers{${name}}.${heap?.at ?? ""}`, heap?.flag],
      [`usage{${name}}.memory`, usage && `uses ${usage} now`],
      [`${path}.state.waiting`, container.waiting && `now ${container.waiting.reason}`],
    ],
    next: [
      ...kubectl`top pod ${pod.metadata.name}${option("-n", pod.metadata.namespace)} --containers`,
      ...describeCommand(pod),
    ],
    values: {
      ...containerValues(container, pod),
      memory_usage: usage,
      termination_reason: "OOMKilled",
      exit_code: ended.exitCode,
    },
    key: siblingKey(view, pod, "OOMKilled", name),
  };
};

/** Share of a memory limit from which a heap leaves too little for threads, classes and buffers. */
const muchOfLimit = 0.75;

/** The largest heap that a Java program was given, where it is most of the memory limit or more. */
function findHeapLimit({ spec }: ContainerState, limit: string | undefined) {
  const limitBytes = parseQuantity(limit);
  const texts = [
    ...listAt(spec, "env").map((one) => ({
      at: `env{${textAt(one, "name") ?? "?"}}`,
      text: textAt(one, "value"),
    })),
    ...(["command", "args"] as const).flatMap((at) =>
      listAt(spec, at).map((one) => ({ at, text: typeof one === "string" ? one : undefined })),
    ),
  ];
  for (const { at, text = "" } of texts) {
    // The last one counts, as in the JVM.
    const last = [
      ...text.slice(0, 10_000).matchAll(/(?:^|\s)(-Xmx(\d{1,15})([kmgt]?))(?=\s|$)/gi),
    ].at(-1);
    if (last === undefined || limitBytes === undefined) continue;
    const [, flag = "", digits = "", unit = ""] = last;
    const bytes = Number(digits) * 1_024 ** " kmgt".indexOf(unit.toLowerCase() || " ");
    if (bytes < muchOfLimit * limitBytes) continue;
    const share =
      bytes >= limitBytes
        ? `as much as the limit of ${limit ?? "?"} or more`
        : `${Math.round((bytes / limitBytes) * 100)} % of the limit of ${limit ?? "?"}`;
    return {
      at,
      flag,
      text: `its JVM may use a heap of ${share} (${flag} in ${at.replace(/[{}]/g, " ").trim()}), beside which threads, classes and buffers need memory`,
    };
  }
  return undefined;
}

/** How far a kill and the node's report of it may lie apart, in milliseconds. */
const nearKillMs = 300_000;

/** The node's own report that it ran out of memory, about the time of a kill. */
function nodeOom(
  { finishedAt }: Termination,
  pod: KubernetesObject,
  view: ClusterView,
): ClusterEvent | undefined {
  const node = view.nodeOf(pod);
  if (node === undefined) return undefined;
  return view
    .events(node)
    .find(
      ({ reason, lastSeen = finishedAt }) =>
        /^(?:SystemOOM|OOMKilling)$/.test(reason) &&
        Math.abs((lastSeen ?? 0) - (finishedAt ?? lastSeen ?? 0)) < nearKillMs,
    );
}

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
  const ownFailure = ![undefined, 0, 137, 255].includes(ended?.exitCode);
  if (!isLost && (notReady === undefined || ownFailure || ended?.reason === "OOMKilled"))
    return undefined;
  const isOver = container.isRunning && container.ready !== false;
  if (!isLost && container.restarts === 0 && isOver) return undefined;
  const node = view.nodeOf(pod);
  const ready = findCondition(node, "Ready");
  const rebooted = node && view.event(node, "Rebooted");
  const isDown =
    (ready !== undefined && ready.status !== "True") ||
    (node === undefined && notReady !== undefined);
  const age = end === undefined ? undefined : view.now - end;
  if (isOver && !history && age !== undefined && age > recentMs) return undefined;
  const why =
    rebooted !== undefined
      ? `, which was restarted: ${rebooted.message}`
      : notReady !== undefined
        ? `, which was not ready (${notReady.reason}: ${notReady.message})`
        : "; the node or its runtime was restarted, probably";
  return {
    signal: isDown ? "NodeNotReady" : "NodeRestart",
    severity: isOver ? "medium" : "high",
    current: !isOver || (history && (age === undefined || age < dayMs)),
    standing: overSince(isOver, age),
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} was lost with ${clause("node ", textAt(pod, "spec", "nodeName")) || "its node"}${why}${ended === undefined ? "" : `; it ended with ${describeTermination(ended)}`}, ${container.restarts} restarts${isOver ? "; it runs again" : ""}`,
    message: rebooted?.message ?? notReady?.message,
    evidence: [
      endEvidence(pod, container, ended),
      ...events.slice(0, 2),
      rebooted,
      node && ready
        ? fieldEvidence(
            node,
            "status.conditions",
            `Ready ${ready.status}, reason ${ready.reason}`,
            // Since when it is ready again says nothing of when the container was lost.
            isDown ? ready.at : undefined,
          )
        : undefined,
    ],
    next: describeCommand(node ?? pod),
    values: containerValues(container, pod),
    key: siblingKey(view, pod, "node-loss", container.name),
  };
};
