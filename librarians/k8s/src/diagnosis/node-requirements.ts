import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { matchesExpression, printExpression } from "./selector.js";

/** Terms of which a pod's node must meet one, each with all of its expressions. */
function listAffinityTerms(spec: unknown): readonly unknown[] {
  return listAt(
    spec,
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  );
}

/**
 * Names of the only nodes that a pod of this spec may run on, as a DaemonSet's pod has one. Undefined for a pod that is
 * not tied to nodes by their names.
 */
export function pinnedNodes(spec: unknown): readonly string[] | undefined {
  const host = textAt(spec, "nodeSelector", "kubernetes.io/hostname");
  if (host !== undefined) return [host];
  const terms = listAffinityTerms(spec).map((term) =>
    [...listAt(term, "matchFields"), ...listAt(term, "matchExpressions")].find(
      (one) =>
        /^(?:metadata\.name|kubernetes\.io\/hostname)$/.test(textAt(one, "key") ?? "") &&
        textAt(one, "operator") === "In",
    ),
  );
  if (terms.length === 0 || terms.includes(undefined)) return undefined;
  return [...new Set(terms.flatMap((one) => listAt(one, "values").map(String)))];
}

/** What a pod of this spec asks of a node's labels and name, and the node does not have. Empty when it has all of it. */
export function listUnmetRequirements(spec: unknown, node: KubernetesObject): readonly string[] {
  const { name, labels = {} } = node.metadata;
  const selector = Object.entries(recordAt(spec, "nodeSelector")).flatMap(([key, value]) =>
    labels[key] === value ? [] : [`the label ${key}=${String(value)} of the nodeSelector`],
  );
  const terms = listAffinityTerms(spec).map((term) => [
    ...listAt(term, "matchExpressions").filter((one) => !matchesExpression(one, labels)),
    ...listAt(term, "matchFields").filter(
      (one) => !matchesExpression(one, { "metadata.name": name }),
    ),
  ]);
  const isMet = terms.length === 0 || terms.some((unmet) => unmet.length === 0);
  const [closest = []] = [...terms].sort((a, b) => a.length - b.length);
  return isMet
    ? selector
    : [
        ...selector,
        `${closest.map(printExpression).join(" and ")}, which the required node affinity asks for`,
      ];
}
