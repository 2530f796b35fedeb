import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";

/** Certificates of a Service's namespace that are for the name a call was made to, or for the Service. */
export function servedCertificates(
  host: string | undefined,
  service: KubernetesObject | undefined,
  view: ClusterView,
): readonly KubernetesObject[] {
  if (service === undefined) return [];
  const { name, namespace = "" } = service.metadata;
  const names = new Set([
    ...(host === undefined ? [] : [host]),
    ...["", ".svc", ".svc.cluster.local"].map((end) => `${name}.${namespace}${end}`),
  ]);
  return view
    .list("Certificate")
    .filter(
      (one) =>
        one.metadata.namespace === namespace &&
        listAt(one, "spec", "dnsNames").some((each) => typeof each === "string" && names.has(each)),
    );
}
