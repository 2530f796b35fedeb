import type { ClusterEvent, KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { conditionEvidence, conditionText, listConditions } from "../conditions.js";
import { type ContainerState, describeContainer, readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { type Evidence, finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { containerValues, defined, logWish, siblingKey } from "../pod-finding.js";

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
  const index = listAt(pod, "status", "conditions").findIndex(
    (one) => textAt(one, "type") === "Ready" && textAt(one, "status") !== "True",
  );
  if (phase === "Pending" || phase === "Unknown") return idle(pod, view, phase, containers);
  if (unready.length === 0 && index < 0) return [];
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
  const condition = listAt(pod, "status", "conditions")[index];
  const said = textAt(condition, "message") ?? textAt(condition, "reason") ?? "";
  const counts = unready
    .filter(({ restarts }) => restarts > 0)
    .map(
      ({ name, restarts }) => `${name === "" ? "a container" : name} restarted ${restarts} times`,
    );
  // Containers that are ready leave the conditions of the pod's own readiness gates.
  const gates = listConditions(pod).filter(
    ({ type, status }) =>
      container === undefined && status !== "True" && !/^(?:Ready|ContainersReady)$/.test(type),
  );
  const isGated = container === undefined && /readiness gate/i.test(said);
  const what = isGated
    ? `: ${said}`
    : container === undefined
      ? gates
          .map((one) => `: ${conditionText(one)}${one.message === "" ? "" : `: ${one.message}`}`)
          .join("")
      : `: ${unready.map((one) => `${describeContainer(one)} has ready=false`).join(", ")}`;
  const since = timeAt(condition, "lastTransitionTime");
  return [
    finding({
      signal: isProbe ? "ReadinessProbeFailed" : "PodNotReady",
      severity: "high",
      object: pod,
      confidence: event === undefined ? 0.65 : 0.9,
      summary: `pod ${pod.metadata.name} is not ready${what}${counts.length === 0 ? "" : `, ${counts.join(", ")}`}${event === undefined ? (gates.length > 0 || isGated ? "" : "; no event says why") : `: ${event.message}`}`,
      message: event?.message ?? (gates[0]?.message || said || undefined),
      evidence: [
        ...(event === undefined ? [] : [eventEvidence(event)]),
        ...unready.map((one) =>
          fieldEvidence(pod, one.path, `ready false, restartCount ${one.restarts}`),
        ),
        ...(index < 0
          ? []
          : [
              fieldEvidence(
                pod,
                `status.conditions[${index}]`,
                `Ready ${textAt(condition, "status") ?? "unknown"}${said === "" ? "" : `: ${said}`}`,
                since,
              ),
            ]),
        ...gates.map((one) => conditionEvidence(pod, one)),
        ...probeEvidence(pod, container, event),
      ],
      next: [
        ...describeCommand(pod),
        ...kubectl`get events --field-selector involvedObject.name=${pod.metadata.name}${option("-n", pod.metadata.namespace)}`,
      ],
      values: {
        ...(container === undefined ? defined({ phase }) : containerValues(container, pod)),
        ready: false,
      },
      logs: container === undefined ? [] : logWish(pod, { ...container, restarts: 0 }),
      key: siblingKey(view, pod, "readiness", container?.name ?? ""),
    }),
  ];
};

/** How long an init container may run before it is taken to wait for something, in milliseconds. */
const waitMs = 300_000;

/** Pending or Unknown, and no other detector knows more. */
function idle(
  pod: KubernetesObject,
  view: ClusterView,
  phase: string,
  containers: readonly ContainerState[],
) {
  const waiting = containers.flatMap((one) =>
    one.waiting === undefined
      ? []
      : [
          fieldEvidence(
            pod,
            `${one.path}.state.waiting`,
            `${one.waiting.reason || "no reason"}${one.waiting.message === "" ? "" : `: ${one.waiting.message}`}`,
          ),
        ],
  );
  const place = textAt(pod, "spec", "nodeName");
  // A container with a status has been seen by a kubelet.
  const isUnseen = containers.length === 0 && view.list("Node").length > 0;
  if (place !== undefined && isUnseen && view.presence("Node", undefined, place) === "missing")
    return [
      finding({
        signal: "FailedScheduling",
        severity: "high",
        object: pod,
        confidence: 0.85,
        summary: `pod ${pod.metadata.name} is in phase ${phase}: its nodeName is ${place}, and no node of that name exists, so no kubelet starts it and no scheduler looks at it`,
        evidence: [
          fieldEvidence(pod, "spec.nodeName", `${place}, which does not exist`),
          ...waiting,
        ],
        next: [...describeCommand(pod), ...kubectl`get nodes`],
        values: defined({ phase, node: place }),
        key: siblingKey(view, pod, "no-node", place),
      }),
    ];
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
    return [
      finding({
        signal: "InitContainerFailed",
        severity: "high",
        object: pod,
        confidence: 0.8,
        summary: `${describeContainer(init)} of pod ${pod.metadata.name} has been running since ${since} and ${state}, so the others do not start${event === undefined ? "" : `: ${event.message}`}`,
        message: event?.message,
        evidence: [
          fieldEvidence(pod, `${init.path}.state.running`, `since ${since}`),
          ...(event === undefined ? [] : [eventEvidence(event)]),
          ...waiting,
        ],
        next: describeCommand(pod),
        values: containerValues(init, pod),
        logs: logWish(pod, { ...init, restarts: 0 }),
        key: siblingKey(view, pod, "init", init.name),
      }),
    ];
  }
  const reasons = [...new Set(containers.map((one) => one.waiting?.reason ?? ""))].join(", ");
  return [
    finding({
      signal: "PodNotReady",
      severity: "medium",
      object: pod,
      confidence: 0.5,
      summary: `pod ${pod.metadata.name} is in phase ${phase}${reasons === "" ? "" : ` (${reasons})`}; nothing that was read says why`,
      evidence: [fieldEvidence(pod, "status.phase", phase), ...waiting],
      next: describeCommand(pod),
      values: defined({ phase, node: textAt(pod, "spec", "nodeName") }),
      key: siblingKey(view, pod, "idle", phase),
    }),
  ];
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
  pod: KubernetesObject,
  container: ContainerState | undefined,
  event: ClusterEvent | undefined,
): readonly Evidence[] {
  if (container === undefined) return [];
  const which =
    event !== undefined && /^(liveness|startup)/i.exec(event.message)?.[1]?.toLowerCase();
  const name =
    which === "liveness"
      ? "livenessProbe"
      : which === "startup"
        ? "startupProbe"
        : "readinessProbe";
  const probe = recordAt(container.spec, name);
  const port = ["httpGet", "tcpSocket", "grpc"]
    .map((kind) => recordAt(probe, kind).port)
    .find((one) => one !== undefined);
  if (Object.keys(probe).length === 0) return [];
  const ports = listAt(container.spec, "ports").map((one) => recordAt(one));
  const listed = ports
    .map((one) => [one.name, one.containerPort].filter((part) => part !== undefined).join(" "))
    .join(", ");
  const differs =
    port !== undefined &&
    ports.length > 0 &&
    !ports.some(
      (one) =>
        one.containerPort === port ||
        one.name === port ||
        String(one.containerPort) === String(port),
    );
  const path = textAt(probe, "httpGet", "path");
  const text = `${name}${path === undefined ? "" : ` GET ${path}`}${port === undefined ? "" : ` on port ${String(port)}`}${differs ? `; the container declares only ${listed}` : ""}`;
  return [fieldEvidence(pod, `spec.containers{${container.name}}.${name}`, text)];
}
