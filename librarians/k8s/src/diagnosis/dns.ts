import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { type Evidence, fieldEvidence } from "./evidence.js";
import { blockingPolicies } from "./network-rules.js";
import { isReady } from "./ready.js";

/** Why a pod asks another resolver than the DNS of the cluster, which alone has the names of Services. */
export function otherResolver(pod: KubernetesObject): string | undefined {
  const policy = textAt(pod, "spec", "dnsPolicy") ?? "ClusterFirst";
  if (policy === "Default") return "its dnsPolicy is Default, so it asks the resolver of its node";
  if (policy === "None") {
    const servers = listAt(pod, "spec", "dnsConfig", "nameservers").join(", ") || "no nameserver";
    return `its dnsPolicy is None, so it asks what its dnsConfig names (${servers}) and not the cluster's DNS`;
  }
  const isHost = booleanAt(pod, "spec", "hostNetwork") === true;
  return isHost && policy === "ClusterFirst"
    ? "it is on the host network with dnsPolicy ClusterFirst, so it asks the resolver of its node, which has no names of the cluster (ClusterFirstWithHostNet asks the cluster's DNS)"
    : undefined;
}

/** The address that a pod's own spec gives for a host, whatever the DNS of the cluster has. */
export function hostAlias(pod: KubernetesObject, host: string): string | undefined {
  const alias = listAt(pod, "spec", "hostAliases").find((one) =>
    listAt(one, "hostnames").includes(host),
  );
  return textAt(alias, "ip");
}

/** Egress policies of a pod that leave out the cluster's DNS. */
export function blockedDns(pod: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const servers = dnsPods(view);
  const peers = servers.length === 0 ? [undefined] : servers.slice(0, 1);
  return peers.flatMap((peer) =>
    blockingPolicies({ pod, direction: "egress", peer, port: 53, protocol: "UDP" }, view),
  );
}

/** True for a name that only the cluster's DNS knows. */
export function isClusterName(host: string | undefined): boolean {
  return host !== undefined && (/\.svc(?:\.|$)/.test(host) || host.endsWith(".cluster.local"));
}

/** The cluster's DNS, where none or not all of its pods are ready. */
export interface DnsDown {
  readonly pods: readonly KubernetesObject[];
  readonly ready: number;
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** What is wrong with the cluster's DNS. Undefined when its pods are ready, or were not read. */
export function dnsDown(view: ClusterView): DnsDown | undefined {
  const pods = dnsPods(view);
  const broken = pods.filter((pod) => !isReady(pod));
  if (broken.length === 0) return undefined;
  const ready = pods.length - broken.length;
  const services = dnsServices(view);
  return {
    pods: broken,
    ready,
    text: `the cluster's DNS has ${ready} of ${pods.length} pods ready (not ready: ${broken
      .slice(0, 3)
      .map(({ metadata }) => metadata.name)
      .join(", ")})`,
    evidence: services
      .slice(0, 1)
      .map((service) => fieldEvidence(service, "spec", `${ready} of ${pods.length} pods ready`)),
  };
}

/** Pods of the cluster's DNS: by their labels, and those behind its Service. */
export function dnsPods(view: ClusterView): readonly KubernetesObject[] {
  const labelled = view
    .list("Pod")
    .filter(
      ({ metadata }) =>
        metadata.labels?.["k8s-app"] === "kube-dns" ||
        metadata.labels?.["dns.operator.openshift.io/daemonset-dns"] !== undefined,
    );
  return [...new Set([...labelled, ...dnsServices(view).flatMap((one) => view.behind(one))])];
}

function dnsServices(view: ClusterView): readonly KubernetesObject[] {
  return view
    .list("Service")
    .filter(({ metadata }) => metadata.name === "kube-dns" || metadata.name === "dns-default");
}
