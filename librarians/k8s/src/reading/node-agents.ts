import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterReading, ClusterView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import type { Finding } from "../diagnosis/finding.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { isReady } from "../diagnosis/ready.js";
import { hasTrait } from "../diagnosis/signal-type.js";
import { findCausesOn, underCause } from "./causes.js";
import { withOtherNamespaces } from "./elsewhere.js";

/** Where clusters run such drivers. */
const systems = /^kube-system$|csi|storage|rook|longhorn|calico|cilium|tigera|flannel|network|cni/i;
/** Maximum number of namespaces with drivers that are read. */
const maxNamespaces = 3;

/** True for a finding that a driver on the node may be behind. */
export function needsAgents({ signal, object }: Finding): boolean {
  return hasTrait(signal, "ofNodeDriver") && object.kind === "Pod";
}

/** Adds the namespaces in which drivers run to what was read. */
export async function withAgents(
  reading: ClusterReading,
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<ClusterReading> {
  if (reading.namespace === undefined) return reading;
  const names = (reading.objects.get("Namespace") ?? []).map(({ metadata }) => metadata.name);
  const places = ["kube-system", ...names.filter((name) => systems.test(name))];
  return withOtherNamespaces(reading, [...new Set(places)].slice(0, maxNamespaces), reader, {
    signal,
    kinds: ["Pod", "DaemonSet"],
  });
}

/**
 * Puts a failed mount or network under the driver on the same node that is itself not ready, where the
 * kubelet's text and the driver's pod have a word in common.
 */
export function withAgentCause(one: Finding, view: ClusterView, interest: Interest): Finding {
  if (!needsAgents(one)) return one;
  const node = textAt(one.object, "spec", "nodeName");
  const said = [one.message ?? "", ...one.evidence.map(({ text }) => text)].join(" ");
  const isNetwork = one.signal === "FailedCreatePodSandBox";
  const agents = view
    .list("Pod")
    .filter(
      (pod) =>
        node !== undefined &&
        pod !== one.object &&
        textAt(pod, "spec", "nodeName") === node &&
        !isReady(pod) &&
        bearsOn(pod, said, isNetwork),
    );
  const [cause] = findCausesOn(agents, view, interest);
  return cause === undefined ? one : underCause(one, cause);
}

/** Words of drivers that say only what kind of thing they are. */
const plain = new Set([
  "node",
  "plugin",
  "driver",
  "agent",
  "kube",
  "system",
  "daemon",
  "controller",
]);

/** True for a pod of which a telling word stands in the text: `ebs` of `ebs-csi-node`, `calico`. */
function bearsOn(pod: KubernetesObject, said: string, isNetwork: boolean): boolean {
  const text = said.toLowerCase();
  const words = [
    pod.metadata.name.split("-").slice(0, -1).join("-"),
    ...listAt(findPodSpec(pod), "containers").flatMap((one) => textAt(one, "name") ?? []),
  ].flatMap((name) => name.toLowerCase().split(/[-.]/));
  const isDriver = words.some((word) => word === (isNetwork ? "cni" : "csi"));
  return words.some(
    (word) =>
      word.length >= (isDriver ? 3 : 4) &&
      !plain.has(word) &&
      word !== "csi" &&
      text.includes(word),
  );
}
