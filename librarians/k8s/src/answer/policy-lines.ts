import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { isolates, printRules } from "../diagnosis/network-rules.js";
import { matchesSelector, printSelector } from "../diagnosis/selector.js";
import { findPods } from "./pods-of.js";
import { unread } from "./unread.js";

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
