import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { type ContainerState, describeContainer, readContainers } from "./container-state.js";
import { isReady } from "./ready.js";
import { isLeaving, podsUnder, readPodCounts } from "./superseded.js";

/** How long a thing may take to begin where it sets no limit of its own, in milliseconds. */
const startMs = 60_000;
/** How long an init container may run before it is taken to wait for something, in milliseconds. */
const initMs = 300_000;
/** How long an issuer may take for a certificate, in milliseconds. */
const issueMs = 300_000;

/**
 * Why it is too early to say that an object fails: it has begun a moment ago, and is within the limits that it, or
 * Kubernetes, sets for that. Undefined where a limit has passed, or where something says that it fails.
 */
export function describeStarting(object: KubernetesObject, view: ClusterView): string | undefined {
  switch (object.kind) {
    case "Pod":
      return describeStartingPod(object, view);
    case "Deployment":
    case "ReplicaSet":
    case "StatefulSet":
    case "DaemonSet":
      return describeStartingWorkload(object, view);
    case "Certificate":
      return describeStartingCertificate(object, view);
    case "CertificateRequest":
    case "Order":
    case "Challenge":
      return hasFailed(object, view) ? undefined : describeAge(object, view.now, issueMs);
    case "PersistentVolumeClaim":
      return hasFailed(object, view) ? undefined : describeAge(object, view.now, startMs);
    case "HorizontalPodAutoscaler":
      return describeAge(object, view.now, startMs);
    default:
      return undefined;
  }
}

function describeAge(object: KubernetesObject, now: number, limitMs: number): string | undefined {
  const born = timeAt(object, "metadata", "creationTimestamp");
  return born !== undefined && now - born < limitMs
    ? `${object.kind} ${object.metadata.name} was made ${seconds(now - born)} ago`
    : undefined;
}

/** True for what a warning, or a reason or state of its own, calls failed. */
function hasFailed(object: KubernetesObject, view: ClusterView): boolean {
  const words = [
    textAt(object, "status", "state"),
    textAt(object, "status", "phase"),
    ...listAt(object, "status", "conditions").map((one) => textAt(one, "reason")),
  ];
  return (
    words.some((word) => /fail|error|denied|invalid|lost|expired/i.test(word ?? "")) ||
    view.events(object).some(({ type }) => type === "Warning")
  );
}

function describeStartingCertificate(
  object: KubernetesObject,
  view: ClusterView,
): string | undefined {
  const issuing = listAt(object, "status", "conditions").find(
    (one) => textAt(one, "type") === "Issuing" && textAt(one, "status") === "True",
  );
  const since = timeAt(issuing, "lastTransitionTime");
  const isFailing = recordAt(object, "status").lastFailureTime !== undefined;
  if (since === undefined || isFailing || view.now - since >= issueMs || hasFailed(object, view))
    return undefined;
  return `Certificate ${object.metadata.name} was asked for ${seconds(view.now - since)} ago and is being issued (Issuing is True)`;
}

/** A pod whose containers begin for the first time, with nothing that says that one fails. */
function describeStartingPod(pod: KubernetesObject, view: ClusterView): string | undefined {
  const { now } = view;
  const phase = textAt(pod, "status", "phase");
  const born = timeAt(pod, "metadata", "creationTimestamp");
  if (born === undefined || (phase !== "Pending" && phase !== "Running")) return undefined;
  const containers = readContainers(pod);
  if (containers.some(hasTrouble) || isKept(pod, view)) return undefined;
  const init = containers.find(({ isInit, isRunning }) => isInit && isRunning);
  if (init !== undefined) {
    const since = init.runningSince ?? born;
    return now - since < initMs
      ? `${describeContainer(init)} of pod ${pod.metadata.name} runs for ${seconds(now - since)}`
      : undefined;
  }
  const waited = containers.filter(({ isInit, ready }) => !isInit && ready !== true);
  const limits = waited.map((one) => getStartLimit(one, born));
  if (limits.length === 0) limits.push({ since: born, ms: startMs, text: "" });
  const late = limits.some(({ since, ms }) => now - since >= ms);
  const [longest] = [...limits].sort((a, b) => b.ms - a.ms);
  return late || longest === undefined
    ? undefined
    : `pod ${pod.metadata.name} began ${seconds(now - longest.since)} ago${longest.text}`;
}

/** True for a pod that no node takes, or that a warning says something else of than that a probe failed. */
function isKept(pod: KubernetesObject, view: ClusterView): boolean {
  const isUnscheduled = listAt(pod, "status", "conditions").some(
    (one) => textAt(one, "type") === "PodScheduled" && textAt(one, "status") === "False",
  );
  // One that has a node has left behind what kept it from one.
  const isOther = (reason: string) => reason !== "Unhealthy" && reason !== "FailedScheduling";
  return (
    isUnscheduled ||
    view.events(pod).some(({ type, reason }) => type === "Warning" && isOther(reason))
  );
}

function hasTrouble({ restarts, last, terminated, waiting }: ContainerState): boolean {
  return (
    restarts > 0 ||
    last !== undefined ||
    (terminated !== undefined && terminated.exitCode !== 0) ||
    !/^(?:ContainerCreating|PodInitializing|)$/.test(waiting?.reason ?? "")
  );
}

/** How long a container may take to be ready: what its probes allow before they fail for good. */
function getStartLimit({ spec, started, runningSince }: ContainerState, born: number) {
  const since = runningSince ?? born;
  const name =
    "startupProbe" in spec && started !== true
      ? "startupProbe"
      : "readinessProbe" in spec && runningSince !== undefined
        ? "readinessProbe"
        : undefined;
  if (name === undefined || runningSince === undefined) return { since, ms: startMs, text: "" };
  const probe = recordAt(spec, name);
  const delay = numberAt(probe, "initialDelaySeconds") ?? 0;
  const period = numberAt(probe, "periodSeconds") ?? 10;
  const failures = numberAt(probe, "failureThreshold") ?? 3;
  const ms = Math.max(startMs, (delay + period * failures) * 1_000);
  const given = `initialDelaySeconds ${delay}, ${failures} failures ${period} s apart`;
  return { since, ms, text: `, and its ${name} gives it ${seconds(ms)} (${given})` };
}

/** A workload of which each pod that is not ready has only just begun, and none is missing. */
function describeStartingWorkload(object: KubernetesObject, view: ClusterView): string | undefined {
  const conditions = listAt(object, "status", "conditions");
  const isFailing = conditions.some(
    (one) =>
      (textAt(one, "type") === "Progressing" && textAt(one, "status") === "False") ||
      (textAt(one, "type") === "ReplicaFailure" && textAt(one, "status") === "True"),
  );
  const { wanted } = readPodCounts(object);
  if (isFailing || wanted === undefined) return undefined;
  const pods = podsUnder(object, view).filter((pod) => !isLeaving(pod, view.owner(pod)));
  const waited = pods.filter((pod) => !isReady(pod)).map((pod) => describeStartingPod(pod, view));
  if (waited.includes(undefined)) return undefined;
  if (pods.length >= wanted && waited.length > 0) return waited[0];
  const progressing = conditions.find((one) => textAt(one, "type") === "Progressing");
  const at = timeAt(progressing, "lastUpdateTime");
  return at !== undefined && view.now - at < startMs
    ? `the rollout of ${object.kind} ${object.metadata.name} moved ${seconds(view.now - at)} ago`
    : undefined;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
