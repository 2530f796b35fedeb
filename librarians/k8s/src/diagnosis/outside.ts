import { isIP } from "node:net";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import type { FailedCall } from "./call.js";
import type { ClusterView } from "./cluster-view.js";
import { isClusterName } from "./dns.js";
import { fieldEvidence } from "./evidence.js";
import type { Dependency } from "./failed-dependency.js";
import { blockingPolicies, printRules } from "./network-rules.js";

/** A call to a host outside the cluster that did not come through: egress policies of the pod bear on it. */
export function findEgressBlock(
  { failure, host, port }: FailedCall,
  pod: KubernetesObject,
  view: ClusterView,
): Dependency | undefined {
  const isOutside = host?.includes(".") === true && !isClusterName(host);
  if (!isOutside || failure !== "timeout") return undefined;
  const address = isIP(host) === 0 ? undefined : host;
  const peer = view
    .list("Pod")
    .find((one) => address !== undefined && textAt(one, "status", "podIP") === address);
  const policies = blockingPolicies(
    { pod, direction: "egress", peer, address, port, protocol: "TCP" },
    view,
  );
  const [first] = policies;
  if (first === undefined) return undefined;
  const text = `NetworkPolicy ${first.metadata.name} allows egress ${printRules(first, "egress")}, not to ${host}${port === undefined ? "" : `:${port}`}${peer === undefined ? " outside the cluster" : `, which is pod ${peer.metadata.name}`}`;
  return {
    text,
    evidence: policies.map((one) =>
      fieldEvidence(one, "spec.egress", `allows ${printRules(one, "egress")}`),
    ),
    service: undefined,
    pods: [],
    policies,
    isDns: false,
  };
}
