import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { matchesSelector } from "./selector.js";

/** What the proxy of a service mesh answers when a policy refuses a call. */
export const meshDenial = /rbac: access denied|rbac_access_denied/i;

/** Policies of the mesh that apply to pods of a Service, the narrowest first. */
export function meshPoliciesFor(
  service: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  const { namespace } = service.metadata;
  const labels = recordAt(service, "spec", "selector");
  return view
    .list("AuthorizationPolicy")
    .filter(
      (one) => one.metadata.namespace === namespace || one.metadata.namespace === "istio-system",
    )
    .filter((one) => {
      const selector = recordAt(one, "spec", "selector");
      return Object.keys(selector).length === 0 || matchesSelector(selector, labels);
    })
    .sort(
      (a, b) =>
        Number("selector" in recordAt(b, "spec")) - Number("selector" in recordAt(a, "spec")),
    );
}

/** What a policy allows or denies, for people. */
export function printMeshPolicy(policy: KubernetesObject): string {
  const action = textAt(policy, "spec", "action") ?? "ALLOW";
  const sources = listAt(policy, "spec", "rules")
    .flatMap((rule) => listAt(rule, "from"))
    .flatMap((from) =>
      ["principals", "namespaces", "ipBlocks"].flatMap((field) =>
        listAt(from, "source", field).map(String),
      ),
    );
  const rules = listAt(policy, "spec", "rules").length;
  if (action === "ALLOW" && rules === 0) return "allows nothing";
  return `${action}${sources.length === 0 ? `, ${rules} rules` : ` from ${sources.slice(0, 5).join(", ")}`}`;
}
