import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt, valueAt } from "../cluster/fields.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import {
  describeContainer,
  describeTermination,
  readContainers,
} from "../diagnosis/container-state.js";
import { isolates, printRules } from "../diagnosis/network-rules.js";
import { isReady } from "../diagnosis/ready.js";
import { matchesSelector, printSelector } from "../diagnosis/selector.js";
import { findPods } from "./pods-of.js";
import { describeState } from "./state-of.js";
import { unread } from "./unread.js";

/** When something ran, and how it ended: of a workload its pods, of a CronJob its runs too. */
export function runLines(object: KubernetesObject, view: ClusterView): readonly string[] {
  switch (object.kind) {
    case "Job":
      return [describeState(object, view)];
    case "CronJob":
      return [
        describeState(object, view),
        ...view
          .owned(object)
          .filter(({ kind }) => kind === "Job")
          .sort((a, b) => getStartTime(b) - getStartTime(a))
          .map((job) => `job ${job.metadata.name}: ${describeState(job, view)}`),
      ];
    case "Deployment":
    case "StatefulSet":
    case "DaemonSet":
    case "ReplicaSet":
    case "Pod":
      return findPods(object, view).flatMap((pod) => podLines(pod, view));
    default:
      return [];
  }
}

function getStartTime(object: KubernetesObject): number {
  return timeAt(object, "status", "startTime") ?? 0;
}

/** A line for the pod, and one for each container with a run that ended. */
function podLines(pod: KubernetesObject, view: ClusterView): readonly string[] {
  const started = timeAt(pod, "status", "startTime");
  const { name } = pod.metadata;
  return [
    started === undefined
      ? `pod ${name} has not started`
      : `pod ${name} started ${printMoment(started, view.now)} UTC, ${printDuration(view.now - started)} ago`,
    ...readContainers(pod).flatMap((container) => {
      const end = container.terminated ?? container.last;
      if (end === undefined) return [];
      const { startedAt, finishedAt } = end;
      const took =
        startedAt === undefined || finishedAt === undefined
          ? ""
          : ` after ${printDuration(finishedAt - startedAt)}`;
      const at = finishedAt === undefined ? "" : ` ${printMoment(finishedAt, view.now)} UTC`;
      const now =
        container.runningSince === undefined || end === container.terminated
          ? ""
          : `, running since ${printMoment(container.runningSince, view.now)} UTC`;
      return [
        `${describeContainer(container)} of pod ${name}: its last run ended${at}${took} with ${describeTermination(end)}, ${container.restarts} restarts${now}`,
      ];
    }),
  ];
}

/** What answers for an object: the Services of an Ingress, the pods of a Service or a workload. */
export function backendLines(object: KubernetesObject, view: ClusterView): readonly string[] {
  if (object.kind === "Ingress") return routeLines(object, view);
  const pods = findPods(object, view);
  return pods.length === 0
    ? object.kind === "Service"
      ? ["no pod that was read matches its selector"]
      : []
    : pods.map((pod) => `pod ${pod.metadata.name}, ${isReady(pod) ? "ready" : "not ready"}`);
}

/** Where the rules of an Ingress lead: a line for each path, with the Service, its port and that of its pods. */
export function routeLines(object: KubernetesObject, view: ClusterView): readonly string[] {
  if (object.kind !== "Ingress") return [];
  const rules = listAt(object, "spec", "rules").flatMap((rule) =>
    listAt(rule, "http", "paths").map((path) => ({
      from: `${textAt(rule, "host") ?? "any host"}${textAt(path, "path") ?? "/"}`,
      backend: valueAt(path, "backend"),
    })),
  );
  const rest = valueAt(object, "spec", "defaultBackend");
  return [...rules, ...(rest === undefined ? [] : [{ from: "anything else", backend: rest }])].map(
    ({ from, backend }) => `${from} goes to ${printTarget(object, backend, view)}`,
  );
}

function printTarget(object: KubernetesObject, backend: unknown, view: ClusterView): string {
  const name = textAt(backend, "service", "name");
  if (name === undefined) return `${textAt(backend, "resource", "kind") ?? "no service"}`;
  const number = numberAt(backend, "service", "port", "number");
  const named = textAt(backend, "service", "port", "name");
  const service = view.get("Service", object.metadata.namespace, name);
  const port = listAt(service, "spec", "ports").find(
    (one) => numberAt(one, "port") === number || textAt(one, "name") === named,
  );
  const target = valueAt(port, "targetPort");
  return `Service ${name} port ${number ?? named ?? "?"}${target === undefined ? "" : `, which is targetPort ${String(target)} of its pods`}`;
}

/** What network policies let reach an object, or what a policy itself allows. */
export function policyLines(object: KubernetesObject, view: ClusterView): readonly string[] {
  if (object.kind === "NetworkPolicy") return printPolicyRules(object);
  const pods = findPods(object, view);
  if (pods.length === 0) return [];
  if (unread(["NetworkPolicy"], view)) return ["network policies were not read"];
  const selecting = view
    .list("NetworkPolicy")
    .filter(
      (policy) =>
        policy.metadata.namespace === object.metadata.namespace &&
        pods.some((pod) =>
          matchesSelector(recordAt(policy, "spec", "podSelector"), pod.metadata.labels ?? {}),
        ),
    );
  return selecting.length === 0
    ? ["no NetworkPolicy that was read selects its pods, so policies keep no call back"]
    : selecting.flatMap((policy) =>
        printPolicyRules(policy).map((line) => `NetworkPolicy ${policy.metadata.name} ${line}`),
      );
}

function printPolicyRules(policy: KubernetesObject): readonly string[] {
  const selector = printSelector(recordAt(policy, "spec", "podSelector"));
  return (["ingress", "egress"] as const)
    .filter((direction) => isolates(policy, direction))
    .map(
      (direction) => `allows ${direction} ${printRules(policy, direction)}, for pods ${selector}`,
    );
}
