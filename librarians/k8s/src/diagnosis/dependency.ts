import { isIP } from "node:net";
import { editDistance } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt } from "../cluster/fields.js";
import type { FailedCall } from "./call.js";
import type { ClusterView } from "./cluster-view.js";
import { blockedDns, dnsDown, hostAlias, isClusterName, otherResolver } from "./dns.js";
import { fieldEvidence } from "./evidence.js";
import type { Dependency } from "./failed-dependency.js";
import { blockingPolicies, printRules, targetPort } from "./network-rules.js";
import { findEgressBlock } from "./outside.js";
import { isReady } from "./ready.js";
import { printLabels } from "./selector.js";

/** Follows a failed call of a pod: host, Service, endpoints, pods, and the policies on the way. */
export function findDependency(
  call: FailedCall,
  pod: KubernetesObject,
  view: ClusterView,
): Dependency | undefined {
  const none = { evidence: [], service: undefined, pods: [], policies: [], isDns: false };
  const places = [call, ...(call.others ?? [])];
  // An address is called without a name.
  const needsName = places.some(({ host = "", port }) => isIP(host) === 0 || port === 53);
  const dns =
    call.failure === "name" || (call.failure === "timeout" && needsName)
      ? blockedDns(pod, view)
      : [];
  for (const { host = "" } of places) {
    const ip = hostAlias(pod, host);
    if (ip === undefined) continue;
    const text = `it calls ${host}, and hostAliases of its spec send that to ${ip}, whatever DNS has`;
    return { ...none, text, evidence: [fieldEvidence(pod, "spec.hostAliases", `${ip} ${host}`)] };
  }
  const found = places.flatMap(({ host, port }) => {
    const target = host === undefined ? undefined : findTarget(host, pod, view);
    return target === undefined ? [] : [{ target, host, port }];
  });
  const best = found.find(({ target }) => target.service !== undefined) ?? found[0];
  const { target } = best ?? {};
  const isInternal = target?.service !== undefined || target?.isMissing === true;
  if (
    dns.length > 0 &&
    !(isInternal && call.failure === "timeout" && target?.service === undefined)
  ) {
    const names = dns.map((one) => one.metadata.name).join(", ");
    return {
      ...none,
      isDns: true,
      policies: dns,
      text: `NetworkPolicy ${names} allows egress ${dns.map((one) => printRules(one, "egress")).join("; ")}, so not to DNS (UDP and TCP port 53)`,
      evidence: dns.map((one) =>
        fieldEvidence(
          one,
          "spec.egress",
          `allows ${printRules(one, "egress")}; not DNS on port 53`,
        ),
      ),
    };
  }
  const lost = call.failure === "name" || /:53\b/.test(call.host ?? "") ? dnsDown(view) : undefined;
  if (lost !== undefined && !(target?.isMissing === true && lost.ready > 0)) {
    return { ...none, pods: lost.pods, isDns: true, text: lost.text, evidence: lost.evidence };
  }
  const own = call.failure === "name" ? otherResolver(pod) : undefined;
  const isNone = textAt(pod, "spec", "dnsPolicy") === "None";
  if (own !== undefined && target?.service === undefined && (isNone || isClusterName(call.host))) {
    return {
      ...none,
      text: `it asks for ${call.host ?? "names"}${isClusterName(call.host) ? ", a name of the cluster" : ""}; ${own}`,
      evidence: [fieldEvidence(pod, "spec.dnsPolicy", own)],
    };
  }
  if (best === undefined || target === undefined) return findEgressBlock(call, pod, view);
  const { host } = best;
  if (target.service === undefined) {
    if (!target.isMissing) return undefined;
    return {
      ...none,
      text: `it calls ${host}, and there is no Service ${target.name} in namespace ${target.namespace}${target.near === undefined ? "" : ` (there is ${target.near})`}`,
      evidence: [],
    };
  }
  const dependency = behindService({ ...call, ...best }, pod, target.service, view);
  return own === undefined
    ? dependency
    : {
        ...dependency,
        text: `it calls ${host}, which exists; ${own}`,
        pods: [],
        evidence: [fieldEvidence(pod, "spec.dnsPolicy", own), ...dependency.evidence],
      };
}

interface Target {
  readonly name: string;
  readonly namespace: string;
  readonly service: KubernetesObject | undefined;
  /** True when all Services of that namespace were read, and it is not one. */
  readonly isMissing: boolean;
  readonly near: string | undefined;
}

/** Letters that may differ between a host name and the Service that was meant. */
const maxTypos = 3;

/** The Service that a host name or a cluster address represents. */
function findTarget(host: string, pod: KubernetesObject, view: ClusterView): Target | undefined {
  const services = view.list("Service");
  const byAddress = services.find(
    (one) =>
      textAt(one, "spec", "clusterIP") === host || listAt(one, "spec", "clusterIPs").includes(host),
  );
  if (byAddress !== undefined) {
    const { name, namespace = "" } = byAddress.metadata;
    return { name, namespace, service: byAddress, isMissing: false, near: undefined };
  }
  if (/^[\d.]+$/.test(host) || host === "localhost") return undefined;
  const labels = host.split(".");
  // A pod of a headless service: `db-0.db.shop.svc`.
  const isPodName =
    labels.length > 1 &&
    /-\d+$/.test(labels[0] ?? "") &&
    (labels[2] === "svc" || labels[3] === "svc" || labels.length === 2);
  const [name = "", place, svc] = isPodName ? labels.slice(1) : labels;
  const own = pod.metadata.namespace ?? "";
  const namespace = place ?? own;
  const service = view.get("Service", namespace, name);
  if (service !== undefined) return { name, namespace, service, isMissing: false, near: undefined };
  const isOurs =
    place === undefined || svc === "svc" || view.get("Namespace", undefined, place) !== undefined;
  if (!isOurs) return undefined;
  const isMissing = view.presence("Service", namespace, name) === "missing";
  const near = services.find(
    (one) =>
      (one.metadata.name === name && one.metadata.namespace !== namespace) ||
      (one.metadata.namespace === namespace &&
        (one.metadata.name.startsWith(name) ||
          name.startsWith(one.metadata.name) ||
          editDistance(one.metadata.name, name, maxTypos) <= maxTypos)),
  );
  return {
    name,
    namespace,
    service: undefined,
    isMissing,
    near: near === undefined ? undefined : `${near.metadata.namespace}/${near.metadata.name}`,
  };
}

function behindService(
  { host, port }: FailedCall,
  pod: KubernetesObject,
  service: KubernetesObject,
  view: ClusterView,
): Dependency {
  const { name, namespace } = service.metadata;
  const outside = textAt(service, "spec", "externalName");
  if (outside !== undefined)
    return {
      text: `it calls ${host}; Service ${name} is only another name (ExternalName) for ${outside}`,
      evidence: [fieldEvidence(service, "spec.externalName", outside)],
      service,
      pods: [],
      policies: [],
      isDns: false,
    };
  const selector = recordAt(service, "spec", "selector");
  const pods = view.behind(service);
  const ports = listAt(service, "spec", "ports");
  const listed = ports.map((one) => String(numberAt(one, "port") ?? "?")).join(", ");
  const used =
    ports.find((one) => numberAt(one, "port") === port) ??
    (port === undefined ? ports[0] : undefined);
  const evidence = [
    fieldEvidence(
      service,
      "spec",
      `port ${listed || "none"}, selector ${printLabels(selector) || "none"}`,
    ),
  ];
  const base = { service, pods, policies: [], isDns: false, evidence };
  if (
    port !== undefined &&
    ports.length > 0 &&
    used === undefined &&
    textAt(service, "spec", "clusterIP") !== "None"
  ) {
    return {
      ...base,
      text: `it calls ${host}:${port}, and Service ${name} has no port ${port} (it has ${listed})`,
    };
  }
  const ready = pods.filter(isReady);
  const arePodsKnown = view.isKnown("Pod", namespace);
  if (pods.length === 0 && arePodsKnown && Object.keys(selector).length > 0) {
    return {
      ...base,
      text: `it calls ${host}, and no pod matches the selector of Service ${name}`,
    };
  }
  if (pods.length > 0 && ready.length === 0) {
    return {
      ...base,
      text: `it calls ${host}, and none of the ${pods.length} pods behind Service ${name} is ready`,
    };
  }
  const policies = ready.slice(0, 3).flatMap((peer) => {
    const target = targetPort(used, peer);
    return [
      ...blockingPolicies(
        { pod, direction: "egress", peer, port: target, protocol: "TCP" },
        view,
      ).map((one) => ({ one, direction: "egress" as const })),
      ...blockingPolicies(
        { pod: peer, direction: "ingress", peer: pod, port: target, protocol: "TCP" },
        view,
      ).map((one) => ({ one, direction: "ingress" as const })),
    ];
  });
  const [first] = policies;
  if (first !== undefined) {
    return {
      ...base,
      policies: [...new Set(policies.map(({ one }) => one))],
      text: `it calls ${host}, and NetworkPolicy ${first.one.metadata.name} of namespace ${first.one.metadata.namespace ?? ""} allows ${first.direction} ${printRules(first.one, first.direction)}, not this connection`,
      evidence: [
        ...evidence,
        fieldEvidence(
          first.one,
          `spec.${first.direction}`,
          `allows ${printRules(first.one, first.direction)}`,
        ),
      ],
    };
  }
  return {
    ...base,
    text: `it calls ${host}; Service ${name} has ${ready.length} ready ${ready.length === 1 ? "pod" : "pods"}`,
  };
}
