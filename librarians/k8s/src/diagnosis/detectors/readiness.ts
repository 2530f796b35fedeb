import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { conditionText, listConditions } from "../conditions.js";
import { type ContainerState, describeContainer, readContainers } from "../container-state.js";
import type { Detector, Sightings } from "../detector.js";
import { clause, type Shown } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { containerValues, logWish, siblingKey } from "../pod-finding.js";
import { isReady } from "../ready.js";
import { countEvents, describeRecurrence } from "../recurrence.js";

/** A pod that runs and is not ready: a probe says so, or nothing says why. */
export const readiness: Detector = (pod, view) => {
  const phase = textAt(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") return [];
  if (textAt(pod, "metadata", "deletionTimestamp") !== undefined) return [];
  const containers = readContainers(pod);
  const unready = containers.filter(
    ({ isInit, ready, waiting, terminated }) =>
      !isInit && ready === false && waiting === undefined && terminated === undefined,
  );
  const condition = listConditions(pod).find(
    ({ type, status }) => type === "Ready" && status !== "True",
  );
  if (phase === "Pending" || phase === "Unknown") return idle(pod, view, phase, containers);
  if (unready.length === 0 && condition === undefined) return [];
  // A kubelet that does not report any more leaves the containers ready and the pod not.
  const [container] = unready;
  const event = probeEvent(view, pod, container);
  const runs =
    container !== undefined &&
    container.started !== false &&
    container.restarts === 0 &&
    phase === "Running";
  const isProbe =
    event !== undefined || (runs && containers.every(({ waiting }) => waiting === undefined));
  const said = condition?.message || condition?.reason || "";
  const counts = unready
    .filter(({ restarts }) => restarts > 0)
    .map(({ name, restarts }) => `, ${name || "a container"} restarted ${restarts} times`);
  // Containers that are ready leave the conditions of the pod's own readiness gates.
  const gates = listConditions(pod).filter(
    ({ type, status }) =>
      container === undefined && status !== "True" && !/^(?:Ready|ContainersReady)$/.test(type),
  );
  const isGated = container === undefined && /readiness gate/i.test(said);
  const what = isGated
    ? `: ${said}`
    : container === undefined
      ? gates.map((one) => `: ${conditionText(one)}${clause(": ", one.message)}`).join("")
      : `: ${unready.map((one) => `${describeContainer(one)} has ready=false`).join(", ")}`;
  const isExplained = gates.length > 0 || isGated;
  return {
    signal: isProbe ? "ReadinessProbeFailed" : "PodNotReady",
    severity: "high",
    summary: `pod ${pod.metadata.name} is not ready${what}${counts.join("")}${clause(": ", event?.message) || (isExplained ? "" : "; no event says why")}`,
    message: event?.message ?? (gates[0]?.message || said),
    evidence: [
      event,
      ...unready.map((one) => [one.path, `ready false, restartCount ${one.restarts}`] as const),
      condition,
      ...gates,
      ...probeEvidence(container, event),
    ],
    next: [
      ...describeCommand(pod),
      ...kubectl`get events --field-selector involvedObject.name=${pod.metadata.name}${option("-n", pod.metadata.namespace)}`,
    ],
    values: {
      ...(container === undefined ? { phase } : containerValues(container, pod)),
      ready: false,
    },
    logs: container === undefined ? [] : logWish(pod, { ...container, restarts: 0 }),
    key: siblingKey(view, pod, "readiness", container?.name ?? ""),
  };
};

/** How long an init container may run before it is taken to wait for something, in milliseconds. */
const waitMs = 300_000;

/** Pending or Unknown, and no other detector knows more. */
function idle(
  pod: KubernetesObject,
  view: ClusterView,
  phase: string,
  containers: readonly ContainerState[],
): Sightings {
  const { name } = pod.metadata;
  const waiting = containers.map(
    ({ path, waiting: why }) =>
      [
        `${path}.state.waiting`,
        why && `${why.reason || "no reason"}${clause(": ", why.message)}`,
      ] as const,
  );
  const place = textAt(pod, "spec", "nodeName");
  // A container with a status has been seen by a kubelet.
  const isUnseen = containers.length === 0 && view.list("Node").length > 0;
  if (place !== undefined && isUnseen && view.presence("Node", undefined, place) === "missing")
    return {
      signal: "FailedScheduling",
      severity: "high",
      summary: `pod ${name} is in phase ${phase}: its nodeName is ${place}, and no node of that name exists, so no kubelet starts it and no scheduler looks at it`,
      evidence: [["spec.nodeName", `${place}, which does not exist`], ...waiting],
      next: [...describeCommand(pod), ...kubectl`get nodes`],
      values: { phase, node: place },
      key: siblingKey(view, pod, "no-node", place),
    };
  const init = containers.find(
    ({ isInit, isRunning, runningSince, started, path }) =>
      // A sidecar holds the others back until it has started.
      (isInit || (path.includes("init") && started === false)) &&
      isRunning &&
      runningSince !== undefined &&
      view.now - runningSince > waitMs,
  );
  if (init !== undefined) {
    const since = new Date(init.runningSince ?? 0).toISOString();
    const event = probeEvent(view, pod, init);
    const state = init.isInit ? "does not end" : "has not started, as its startup probe sees it";
    return {
      signal: "InitContainerFailed",
      severity: "high",
      summary: `${describeContainer(init)} of pod ${name} has been running since ${since} and ${state}, so the others do not start${clause(": ", event?.message)}`,
      message: event?.message,
      evidence: [[`${init.path}.state.running`, `since ${since}`], event, ...waiting],
      values: containerValues(init, pod),
      logs: logWish(pod, { ...init, restarts: 0 }),
      key: siblingKey(view, pod, "init", init.name),
    };
  }
  const reasons = [...new Set(containers.map((one) => one.waiting?.reason ?? ""))].join(", ");
  return {
    signal: "PodNotReady",
    severity: "medium",
    summary: `pod ${name} is in phase ${phase}${clause(" (", reasons, ")")}; nothing that was read says why`,
    evidence: [["status.phase", phase], ...waiting],
    values: { phase, node: place },
    key: siblingKey(view, pod, "idle", phase),
  };
}

/** The newest probe failure, readiness before the others, unless it is from an earlier time of being unready. */
function probeEvent(
  view: ClusterView,
  pod: KubernetesObject,
  container: ContainerState | undefined,
): ClusterEvent | undefined {
  const all = view
    .events(pod)
    .filter(
      ({ reason, message, involved }) =>
        reason === "Unhealthy" &&
        /probe/i.test(message) &&
        (container === undefined ||
          container.name === "" ||
          involved.fieldPath === undefined ||
          involved.fieldPath.includes(`{${container.name}}`)),
    );
  return all.find(({ message }) => /^readiness/i.test(message)) ?? all[0];
}

/** The probe, and the ports the container says it has, when they differ. */
function probeEvidence(
  container: ContainerState | undefined,
  event: ClusterEvent | undefined,
): readonly Shown[] {
  const which = /^(liveness|startup)/i.exec(event?.message ?? "")?.[1]?.toLowerCase();
  const name = `${which ?? "readiness"}Probe`;
  const probe = recordAt(container?.spec, name);
  if (container === undefined || Object.keys(probe).length === 0) return [];
  const port = ["httpGet", "tcpSocket", "grpc"]
    .map((kind) => recordAt(probe, kind).port)
    .find((one) => one !== undefined);
  const ports = listAt(container.spec, "ports").map((one) => recordAt(one));
  const listed = ports
    .map((one) => [one.name, one.containerPort].filter((part) => part !== undefined).join(" "))
    .join(", ");
  const differs =
    port !== undefined &&
    ports.length > 0 &&
    !ports.some((one) => one.name === port || String(one.containerPort) === String(port));
  const path = clause(" GET ", textAt(probe, "httpGet", "path"));
  const text = `${name}${path}${port === undefined ? "" : ` on port ${String(port)}`}${differs ? `; the container declares only ${listed}` : ""}`;
  return [[`spec.containers{${container.name}}.${name}`, text]];
}

/** Failures of a probe, or of a node, that make one fall in and out of its state. */
const minProbeFailures = 10;
const minNodeFailures = 2;

/** What is ready now, and by its events is not ready again and again. */
export const flapping: Detector = (object, view) => {
  const isNode = object.kind === "Node";
  if (!isNode && !isReady(object)) return [];
  const events = view
    .events(object)
    .filter(({ reason, message }) =>
      isNode ? reason === "NodeNotReady" : reason === "Unhealthy" && /^readiness/i.test(message),
    );
  const counted = countEvents(events);
  const [newest] = events;
  const why =
    counted && describeRecurrence(counted, view.now, isNode ? minNodeFailures : minProbeFailures);
  if (why === undefined || newest === undefined) return [];
  const { name } = object.metadata;
  return {
    signal: isNode ? "NodeNotReady" : "ReadinessProbeFailed",
    severity: isNode ? "high" : "medium",
    summary: isNode
      ? `node ${name} is ready now, and was not ready ${why}`
      : `pod ${name} is ready now, and its readiness probe failed ${why}: ${newest.message}`,
    message: newest.message,
    evidence: [newest],
    standing: { kind: "recurring", why },
    key: isNode ? undefined : `flapping|${view.owner(object)?.metadata.name ?? name}`,
  };
};
