import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { hostIn } from "../diagnosis/call.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import type { Dependency } from "../diagnosis/failed-dependency.js";
import { type Evidence, type Finding, finding } from "../diagnosis/finding.js";
import { describeCommand } from "../diagnosis/kubectl.js";
import { meshPoliciesFor, printMeshPolicy } from "../diagnosis/mesh-policy.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { matchesSelector } from "../diagnosis/selector.js";

/** A call that a policy of the service mesh refused: which ones apply to what was called. */
export function deniedByMesh(
  one: Finding,
  pod: KubernetesObject,
  line: Evidence,
  view: ClusterView,
): Finding {
  const host = hostIn(line.text);
  const services = view.list("Service");
  const [name = "", place = pod.metadata.namespace] = host?.split(".") ?? [];
  const service =
    services.find(({ metadata }) => metadata.name === name && metadata.namespace === place) ??
    // If the Service was not read, the workload of the same name represents it.
    view
      .list("Deployment")
      .find(({ metadata }) => metadata.name === name && metadata.namespace === place);
  const called = service ?? pod;
  const asService =
    called.kind === "Service"
      ? called
      : {
          ...called,
          spec: {
            selector:
              called.kind === "Pod"
                ? called.metadata.labels
                : recordAt(called, "spec", "template", "metadata", "labels"),
          },
        };
  const policies = meshPoliciesFor(asService, view);
  const [policy] = policies;
  const text =
    policy === undefined
      ? "a policy of the service mesh refuses it; which one was not recorded"
      : `AuthorizationPolicy ${policies.map(({ metadata }) => metadata.name).join(", ")} applies to it (${printMeshPolicy(policy)})`;
  return {
    ...one,
    signal: "MeshPolicyDenied",
    object: policy ?? one.object,
    summary: `a call of pod ${pod.metadata.name}${host === undefined ? "" : ` to ${host}`} is denied by the service mesh: ${text}; its log: ${line.text}`,
    confidence: policy === undefined ? 0.7 : 0.8,
    evidence: [
      line,
      ...policies.slice(0, 3).map((each) => fieldEvidence(each, "spec", printMeshPolicy(each))),
      ...one.evidence.filter((item) => item !== line),
    ],
    affects: [toObjectId(pod)],
    symptoms: [{ ...one, symptoms: [] }, ...one.symptoms],
    next: describeCommand(policy ?? pod),
  };
}

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
