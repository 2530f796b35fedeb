import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { type Evidence, fieldEvidence } from "../diagnosis/evidence.js";
import type { Dependency } from "../diagnosis/failed-dependency.js";
import { type Finding, finding } from "../diagnosis/finding.js";
import { describeCommand } from "../diagnosis/kubectl.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { matchesSelector } from "../diagnosis/selector.js";

/** A call that was cut off because what it was made to takes only calls from inside the mesh. */
export function refusedPlaintext(
  one: Finding,
  {
    pod,
    line,
    dependency,
  }: {
    readonly pod: KubernetesObject;
    readonly line: Evidence;
    readonly dependency: Dependency;
  },
  view: ClusterView,
): Finding | undefined {
  const { service } = dependency;
  if (service === undefined || isInMesh(pod)) return undefined;
  const labels = recordAt(service, "spec", "selector");
  const policy = view
    .list("PeerAuthentication")
    .filter(
      ({ metadata }) =>
        metadata.namespace === service.metadata.namespace || metadata.namespace === "istio-system",
    )
    .find((each) => {
      const selector = recordAt(each, "spec", "selector");
      return (
        textAt(each, "spec", "mtls", "mode") === "STRICT" &&
        (Object.keys(selector).length === 0 || matchesSelector(selector, labels))
      );
    });
  if (policy === undefined) return undefined;
  return finding({
    ...one,
    signal: "MeshPolicyDenied",
    object: policy,
    summary: `PeerAuthentication ${policy.metadata.name} is STRICT for Service ${service.metadata.name}, and pod ${pod.metadata.name} has no sidecar, so its calls are cut off; its log: ${line.text}`,
    evidence: [
      fieldEvidence(policy, "spec.mtls.mode", "STRICT"),
      line,
      ...one.evidence.filter((item) => item !== line),
    ],
    affects: [toObjectId(pod)],
    symptoms: [{ ...one, symptoms: [] }, ...one.symptoms],
    next: describeCommand(policy),
  });
}

/** True for a pod with a proxy of the mesh beside it. */
function isInMesh(pod: KubernetesObject): boolean {
  const annotations = recordAt(pod, "metadata", "annotations");
  const containers = [
    ...listAt(pod, "spec", "containers"),
    ...listAt(pod, "spec", "initContainers"),
  ];
  return (
    annotations["sidecar.istio.io/status"] !== undefined ||
    containers.some((one) => textAt(one, "name") === "istio-proxy")
  );
}
