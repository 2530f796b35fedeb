import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, timeAt, valueAt } from "../cluster/fields.js";
import { printDuration, printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { findControllerReference } from "../diagnosis/owners.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { quote } from "../diagnosis/quote.js";
import { printSelector } from "../diagnosis/selector.js";
import { printLeaf, printVariable } from "../query/leaves.js";
import { getProgram } from "../question/images.js";
import type { Field } from "../question/question-words.js";
import { keyLines } from "./key-lines.js";
import { findPods } from "./pods-of.js";
import { policyLines } from "./policy-lines.js";
import { backendLines, routeLines } from "./route-lines.js";
import { runLines } from "./run-lines.js";
import { describeState } from "./state-of.js";

/** Maximum number of characters of a variable in a list of them. */
const maxVariable = 80;
/** Maximum number of characters of a command line. */
const maxCommand = 600;

/** Properties that are shown as the fields with these names, or with names that end so. */
const keys = { probes: "Probe", strategy: "Strategy", issuer: "issuerRef" } as const;

/**
 * What an object says about one property, a clause each. Empty where it does not have it, as a Service has
 * no node.
 */
export function fieldLines(
  field: Field,
  object: KubernetesObject,
  view: ClusterView,
): readonly string[] {
  const spec = findPodSpec(object);
  const containers = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")];
  const name = (container: unknown) => textAt(container, "name") ?? "a container";
  switch (field) {
    case "probes":
    case "strategy":
    case "issuer":
      return keyLines(keys[field], object);
    case "node":
      return findPods(object, view).map((pod) => {
        const node = textAt(pod, "spec", "nodeName");
        return `pod ${pod.metadata.name} ${node === undefined ? "has no node yet" : `runs on node ${node}`}`;
      });
    case "resources":
      if (object.kind === "ResourceQuota") return [describeState(object, view)];
      if (object.kind === "Node")
        return (["allocatable", "capacity"] as const).map(
          (which) => `${which} ${pairs(recordAt(object, "status", which)) || "not given"}`,
        );
      return containers.map(
        (container) =>
          `container ${name(container)}: ${["limits", "requests"]
            .map((which) => `${which} ${pairs(recordAt(container, "resources", which)) || "none"}`)
            .join(", ")}`,
      );
    case "policy":
      return policyLines(object, view);
    case "backend":
      return backendLines(object, view);
    case "ports":
      return [
        ...routeLines(object, view),
        ...listAt(object, "spec", "ports").map(
          (port) =>
            `port ${text(port, "port")} to targetPort ${text(port, "targetPort")} ${textAt(port, "protocol") ?? "TCP"}`,
        ),
        ...containers.flatMap((container) =>
          listAt(container, "ports").map(
            (port) =>
              `container ${name(container)}: ${textAt(port, "name") ?? "port"} ${text(port, "containerPort")} ${textAt(port, "protocol") ?? "TCP"}`,
          ),
        ),
      ];
    case "account":
      return spec === undefined
        ? listAt(object, "subjects").flatMap((one) =>
            textAt(one, "kind") === "ServiceAccount"
              ? [
                  `ServiceAccount ${textAt(one, "namespace") ?? object.metadata.namespace ?? ""}/${textAt(one, "name") ?? "?"}`,
                ]
              : [],
          )
        : [`ServiceAccount ${textAt(spec, "serviceAccountName") ?? "default"}`];
    case "schedule":
      return printSchedule(object, view);
    case "address":
      return printAddresses(object);
    case "storage":
      return printStorage(object);
    case "age": {
      const created = timeAt(object, "metadata", "creationTimestamp");
      return created === undefined
        ? []
        : [
            `created ${printMoment(created, view.now)} UTC, ${printDuration(view.now - created)} ago`,
            ...findPods(object, view).flatMap((pod) => {
              const started = timeAt(pod, "status", "startTime");
              return started === undefined
                ? []
                : [`pod ${pod.metadata.name} started ${printDuration(view.now - started)} ago`];
            }),
          ];
    }
    case "environment":
      return containers.map(
        (container) =>
          `container ${name(container)}: ${
            [
              ...listAt(container, "env").map(
                (one) => `${textAt(one, "name") ?? "?"}=${quote(printVariable(one), maxVariable)}`,
              ),
              ...listAt(container, "envFrom").map(
                (one) =>
                  `all of ${textAt(one, "configMapRef", "name") ?? textAt(one, "secretRef", "name") ?? "?"}`,
              ),
            ].join(", ") || "no variables"
          }`,
      );
    case "command":
      return containers.flatMap((container) => {
        const parts = [...listAt(container, "command"), ...listAt(container, "args")];
        return parts.length === 0
          ? [`container ${name(container)} runs what its image says`]
          : [
              `container ${name(container)} runs ${printLeaf(parts, maxCommand, getProgram(container))}`,
            ];
      });
    case "labels":
      return [
        `labels ${pairs(object.metadata.labels ?? {}) || "none"}`,
        ...(valueAt(object, "spec", "selector") === undefined
          ? []
          : [`selector ${printObjectSelector(object)}`]),
      ];
    case "expiry":
      return (["notAfter", "renewalTime"] as const).flatMap((key) => {
        const at = timeAt(object, "status", key);
        return at === undefined
          ? []
          : [
              `${key} ${new Date(at).toISOString()}${at < view.now ? ", which is over" : `, in ${printDuration(at - view.now)}`}`,
            ];
      });
    case "run":
      return runLines(object, view);
    case "version":
      return printVersions(object);
    case "image":
      return printImages(object, containers, view);
    case "owner": {
      const reference = findControllerReference(object);
      return [
        reference === undefined
          ? "it has no owner"
          : `owned by ${reference.kind} ${reference.name}`,
      ];
    }
  }
}

/** Images of its containers; where its pods run several versions of them, as in the middle of a rollout, those. */
function printImages(
  object: KubernetesObject,
  containers: readonly unknown[],
  view: ClusterView,
): readonly string[] {
  const running = new Map<string, number>();
  for (const pod of object.kind === "Pod" ? [] : findPods(object, view))
    for (const container of listAt(pod, "spec", "containers")) {
      const image = textAt(container, "image") ?? "?";
      running.set(image, (running.get(image) ?? 0) + 1);
    }
  const own = containers.flatMap((container) => textAt(container, "image") ?? []);
  if (own.length === 0) return [];
  return running.size > new Set(own).size
    ? [
        `runs ${running.size} images now: ${[...running].map(([image, pods]) => `${image} (${pods} ${pods === 1 ? "pod" : "pods"})`).join(", ")}`,
      ]
    : [`runs ${own.join(", ")}`];
}

/** What a node runs on: kubelet, runtime, operating system. */
function printVersions(object: KubernetesObject): readonly string[] {
  const info = recordAt(object, "status", "nodeInfo");
  const parts = [
    "kubeletVersion",
    "containerRuntimeVersion",
    "osImage",
    "kernelVersion",
    "architecture",
  ].flatMap((key) => (typeof info[key] === "string" ? [`${key} ${info[key]}`] : []));
  return parts.length === 0 ? [] : [parts.join(", ")];
}

function printSchedule(object: KubernetesObject, view: ClusterView): readonly string[] {
  const schedule = textAt(object, "spec", "schedule");
  if (schedule === undefined) return [];
  const moments = (["lastScheduleTime", "lastSuccessfulTime"] as const).flatMap((key) => {
    const at = timeAt(object, "status", key);
    const label = key === "lastScheduleTime" ? "last started" : "last succeeded";
    return at === undefined ? [] : [`${label} ${printMoment(at, view.now)} UTC`];
  });
  const zone = textAt(object, "spec", "timeZone");
  return [
    [
      `schedule ${schedule}${zone === undefined ? "" : ` (${zone})`}`,
      ...(valueAt(object, "spec", "suspend") === true ? ["suspended"] : []),
      ...moments,
    ].join(", "),
  ];
}

function printAddresses(object: KubernetesObject): readonly string[] {
  const lines = [
    ...(["clusterIP", "externalName"] as const).flatMap((key) => {
      const value = textAt(object, "spec", key);
      return value === undefined ? [] : [`${key} ${value}`];
    }),
    ...listAt(object, "status", "loadBalancer", "ingress").map(
      (one) => `external address ${textAt(one, "ip") ?? textAt(one, "hostname") ?? "?"}`,
    ),
    ...listAt(object, "status", "addresses").map(
      (one) =>
        `${textAt(one, "type") ?? "address"} ${textAt(one, "address") ?? textAt(one, "value") ?? "?"}`,
    ),
    ...listAt(object, "spec", "rules").flatMap((rule) => {
      const host = textAt(rule, "host");
      return host === undefined ? [] : [`host ${host}`];
    }),
    ...(["podIP", "hostIP"] as const).flatMap((key) => {
      const value = textAt(object, "status", key);
      return value === undefined ? [] : [`${key} ${value}`];
    }),
  ];
  return lines.length === 0 && object.kind === "Service" ? ["it has no address yet"] : lines;
}

function printObjectSelector(object: KubernetesObject): string {
  const selector = recordAt(object, "spec", "selector");
  const isPlain = !("matchLabels" in selector) && !("matchExpressions" in selector);
  return isPlain ? pairs(selector) : printSelector(selector);
}

function pairs(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(", ");
}

function text(value: unknown, key: string): string {
  const found = valueAt(value, key);
  return found === undefined ? "?" : String(found);
}

/** How big a claim or a volume is, of which class, and who may mount it. */
function printStorage(object: KubernetesObject): readonly string[] {
  const requested = valueAt(object, "spec", "resources", "requests", "storage");
  const capacity =
    valueAt(object, "status", "capacity", "storage") ??
    valueAt(object, "spec", "capacity", "storage");
  const storageClass = textAt(object, "spec", "storageClassName");
  const modes = listAt(object, "spec", "accessModes").map(String);
  const parts = [
    ...(requested === undefined ? [] : [`requests ${String(requested)}`]),
    ...(capacity === undefined ? [] : [`has ${String(capacity)}`]),
    ...(storageClass === undefined ? [] : [`storage class ${storageClass}`]),
    ...(modes.length === 0 ? [] : [modes.join(", ")]),
  ];
  return parts.length === 0 ? [] : [parts.join(", ")];
}
