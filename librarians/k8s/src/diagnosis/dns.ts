import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { booleanAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { blockingPolicies } from "./network-rules.js";

/** Why a pod asks the resolver of its node, which has no names of the cluster. */
export function nodeResolver(pod: KubernetesObject): string | undefined {
  const policy = textAt(pod, "spec", "dnsPolicy") ?? "ClusterFirst";
  if (policy === "Default") return "its dnsPolicy is Default, so it asks the resolver of its node";
  const isHost = booleanAt(pod, "spec", "hostNetwork") === true;
  return isHost && policy === "ClusterFirst"
    ? "it is on the host network with dnsPolicy ClusterFirst, so it asks the resolver of its node, which has no names of the cluster (ClusterFirstWithHostNet asks the cluster's DNS)"
    : undefined;
}

/** Egress policies of a pod that leave out the cluster's DNS. */
export function blockedDns(pod: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const servers = view
    .list("Pod")
    .filter(
      ({ metadata }) =>
        metadata.labels?.["k8s-app"] === "kube-dns" ||
        metadata.labels?.["dns.operator.openshift.io/daemonset-dns"] !== undefined,
    );
  const peers = servers.length === 0 ? [undefined] : servers.slice(0, 1);
  return peers.flatMap((peer) =>
    blockingPolicies({ pod, direction: "egress", peer, port: 53, protocol: "UDP" }, view),
  );
}
