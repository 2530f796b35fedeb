import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, textAt, valueAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isReady } from "../diagnosis/ready.js";
import { findPods } from "./pods-of.js";

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
