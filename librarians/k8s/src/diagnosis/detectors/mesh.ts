import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { workloadsWith } from "../dependents.js";
import type { Detector } from "../detector.js";
import { printMeshPolicy } from "../mesh-policy.js";
import { idFrom, toObjectId } from "../object-id.js";
import { matchesSelector, printLabels } from "../selector.js";

/** A subset to which no pod belongs, with the workloads whose pods would. Undefined where one does, or pods were not read. */
function emptySubset(subset: unknown, service: KubernetesObject | undefined, view: ClusterView) {
  if (service === undefined || !view.isKnown("Pod", service.metadata.namespace)) return undefined;
  const { namespace } = service.metadata;
  const labels = { ...recordAt(service, "spec", "selector"), ...recordAt(subset, "labels") };
  if (view.podsMatching(namespace, { matchLabels: labels }).length > 0) return undefined;
  const workloads = workloadsWith(labels, namespace, view).map(toObjectId);
  return { printed: printLabels(labels), workloads };
}

/** A rule of a service mesh with a subset that no pod belongs to: calls routed to it find no host. */
export const destinationRule: Detector = (object, view) => {
  const host = textAt(object, "spec", "host") ?? "";
  const [name = "", place = object.metadata.namespace] = host.split(".");
  const service = view.get("Service", place, name);
  const empty = listAt(object, "spec", "subsets").flatMap((subset, index) => {
    const found = emptySubset(subset, service, view);
    const labels = printLabels(recordAt(subset, "labels"));
    return found === undefined
      ? []
      : [{ ...found, index, labels, text: `${textAt(subset, "name") ?? "?"} (${labels})` }];
  });
  if (empty.length === 0) return [];
  return {
    signal: "ServiceNoEndpoints",
    severity: "medium",
    summary: `DestinationRule ${object.metadata.name} has ${empty.length === 1 ? "a subset" : "subsets"} without pods for ${host}: ${empty.map(({ text }) => text).join(", ")}`,
    evidence: empty.map(({ index, labels }) => [`spec.subsets[${index}].labels`, labels] as const),
    waitsFor: empty.flatMap(({ workloads }) => workloads),
    affects: [`${place ?? ""}/Service/${name}`],
  };
};

/** A route of a service mesh to a Service or a subset that does not exist, or that has no pods. */
export const virtualService: Detector = (object, view) => {
  const own = object.metadata.namespace;
  const destinations = (["http", "tcp", "tls"] as const).flatMap((protocol) =>
    listAt(object, "spec", protocol).flatMap((route, index) =>
      listAt(route, "route").map((one) => ({
        destination: recordAt(one, "destination"),
        path: `spec.${protocol}[${index}].route.destination`,
      })),
    ),
  );
  const bad = destinations.flatMap(({ destination, path }) => {
    const host = textAt(destination, "host") ?? "";
    const subset = textAt(destination, "subset");
    const [name = "", place = own] = host.split(".");
    const base = { path, service: idFrom("Service", place, name), workloads: [] };
    const isInside = !host.includes(".") || /\.svc(?:\.|$)/.test(host);
    if (isInside && view.presence("Service", place, name) === "missing")
      return [{ ...base, text: `host ${host} has no Service in namespace ${place ?? ""}` }];
    if (subset === undefined) return [];
    const rules = view.list("DestinationRule").filter((rule) => {
      const [target, where = rule.metadata.namespace] = (textAt(rule, "spec", "host") ?? "").split(
        ".",
      );
      return target === name && where === place;
    });
    const subsets = rules.flatMap((rule) => listAt(rule, "spec", "subsets"));
    const defined = subsets.find((each) => textAt(each, "name") === subset);
    if (defined !== undefined) {
      const empty = emptySubset(defined, view.get("Service", place, name), view);
      const text = `subset ${subset} of ${host} has no pods (${empty?.printed ?? ""})`;
      return empty === undefined ? [] : [{ ...base, text, workloads: empty.workloads }];
    }
    if (rules.length === 0 && !view.isKnown("DestinationRule", own)) return [];
    const known = subsets.flatMap((each) => textAt(each, "name") ?? []).join(", ") || "none";
    const there = rules.map(({ metadata }) => `${metadata.name} has ${known}`).join("; ");
    return [
      {
        ...base,
        text: `subset ${subset} of ${host} is not defined by a DestinationRule (${there || "there is none"})`,
      },
    ];
  });
  if (bad.length === 0) return [];
  return {
    signal: "ServiceNoEndpoints",
    severity: "high",
    summary: `VirtualService ${object.metadata.name} routes to nothing: ${[...new Set(bad.map(({ text }) => text))].join("; ")}`,
    evidence: bad.map(({ path, text }) => [path, text] as const),
    affects: bad.map((one) => one.service),
    waitsFor: bad.flatMap(({ workloads }) => workloads),
  };
};

/** A policy of a service mesh that refuses calls, where the question says that calls are refused. */
export const meshPolicy: Detector = (object, view, { signals }) => {
  if (!signals.has("MeshPolicyDenied")) return [];
  const { name, namespace } = object.metadata;
  const selector = recordAt(object, "spec", "selector");
  const isWhole = Object.keys(selector).length === 0;
  const rules = listAt(object, "spec", "rules");
  const isAllow = (textAt(object, "spec", "action") ?? "ALLOW") === "ALLOW";
  // An empty rule fits every call.
  if (isAllow && rules.some((rule) => Object.keys(recordAt(rule)).length === 0)) return [];
  const services = view
    .list("Service")
    .filter(
      (one) =>
        one.metadata.namespace === namespace &&
        (isWhole || matchesSelector(selector, recordAt(one, "spec", "selector"))),
    );
  const to = isWhole
    ? `every workload of namespace ${namespace ?? ""}`
    : `workloads with ${printLabels(recordAt(selector, "matchLabels"))}`;
  return {
    signal: "MeshPolicyDenied",
    severity: "high",
    summary: `AuthorizationPolicy ${name} applies to ${to} and ${printMeshPolicy(object)}; other calls to them are refused with "RBAC: access denied"`,
    evidence: [["spec", printMeshPolicy(object)]],
    affects: [...view.podsMatching(namespace, selector), ...services].slice(0, 200).map(toObjectId),
  };
};
