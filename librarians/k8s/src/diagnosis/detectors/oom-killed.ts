import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { ContainerDetector } from "../container-detector.js";
import {
  type ContainerState,
  describeContainer,
  describeTermination,
  type Termination,
} from "../container-state.js";
import { recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Evidence, finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { containerValues, defined, endEvidence, quantity, siblingKey } from "../pod-finding.js";
import { parseQuantity } from "../quantity.js";
import { describeRestarts } from "../recurrence.js";

/** A container that was killed for its memory: `reason` says so, not the exit code, which others share. */
export const oomKilled: ContainerDetector = (container, pod, view, { history }) => {
  const { terminated, last, isRunning, ready, runningSince, path, restarts } = container;
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
      one.container === container.name,
  )?.memory;
  const of = limit === undefined ? "" : `, its memory limit is ${limit}`;
  const heap = onNode === undefined ? findHeapLimit(container, limit) : undefined;
  return finding({
    signal: "OOMKilled",
    severity: isOver ? "low" : "critical",
    object: pod,
    current: !isOver,
    ...(again !== undefined && { standing: { kind: "recurring" as const, why: again } }),
    confidence: 0.95,
    summary: `${describeContainer(container)} of pod ${pod.metadata.name} was ${onNode === undefined ? "OOMKilled" : `killed as node ${textAt(pod, "spec", "nodeName") ?? "?"} ran out of memory`} (${describeTermination(ended)})${onNode === undefined ? of : `: ${onNode.text}`}${restarts > 0 ? `, restarted ${again ?? `${restarts} times`}` : ""}${heap === undefined ? "" : `; ${heap.text}`}`,
    message: ended.message === "" ? undefined : ended.message,
    evidence: [
      endEvidence(pod, container, ended),
      ...(onNode === undefined ? [] : [onNode]),
      ...(limit === undefined
        ? []
        : [
            fieldEvidence(pod, `spec.containers{${container.name}}.resources.limits.memory`, limit),
          ]),
      ...(heap === undefined
        ? []
        : [fieldEvidence(pod, `spec.containers{${container.name}}.${heap.at}`, heap.flag)]),
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
const nearMs = 300_000;

/** The node's own report that it ran out of memory, about the time of a kill. */
function nodeOom(
  { finishedAt }: Termination,
  pod: KubernetesObject,
  view: ClusterView,
): Evidence | undefined {
  const name = textAt(pod, "spec", "nodeName");
  const node = name === undefined ? undefined : view.get("Node", undefined, name);
  if (node === undefined) return undefined;
  const event = view
    .events(node)
    .find(
      ({ reason, lastSeen }) =>
        /^(?:SystemOOM|OOMKilling)$/.test(reason) &&
        (finishedAt === undefined ||
          lastSeen === undefined ||
          Math.abs(lastSeen - finishedAt) < nearMs),
    );
  return event === undefined ? undefined : eventEvidence(event);
}
