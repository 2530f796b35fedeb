import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import { fieldEvidence } from "../evidence.js";
import { type Evidence, type Finding, finding } from "../finding.js";
import { describeCommand, kubectl } from "../kubectl.js";

/** How late a lease may be, in milliseconds: a kubelet renews it every ten seconds. */
const leaseMs = 300_000;
/** How late a heartbeat may be, in milliseconds: a kubelet writes one every five minutes at least. */
const heartbeatMs = 900_000;

/** When a kubelet last reported, and whether that is too long ago. */
interface Report {
  readonly at: number;
  readonly isLate: boolean;
  readonly evidence: Evidence;
}

/**
 * A node that is Ready by its status, and whose kubelet did not report for long before the time of the reading:
 * then the status is what it was. Sure only where another node reports in time, as clocks may differ.
 */
export function silentNode(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const report = findLastReport(object, view);
  if (report?.isLate !== true) return [];
  const { name } = object.metadata;
  const others = view.list("Node").filter((one) => one !== object);
  const isAlone = others.some((one) => findLastReport(one, view)?.isLate === false);
  const minutes = Math.round((view.now - report.at) / 60_000);
  const when = new Date(report.at).toISOString();
  return [
    finding({
      signal: "NodeNotReady",
      severity: "high",
      object,
      confidence: isAlone ? 0.8 : 0.5,
      verified: isAlone,
      summary: `the status of node ${name} says Ready, but its kubelet last reported at ${when}, ${minutes} min before this was read: whether it is ready now is not known${isAlone ? "; other nodes report in time" : ""}`,
      message: `kubelet last reported ${minutes} min ago`,
      evidence: [report.evidence],
      next: [...describeCommand(object), ...kubectl`get lease -n kube-node-lease ${name} -o yaml`],
    }),
  ];
}

/** The lease tells first; the heartbeat in the status where no lease was read. */
function findLastReport(object: KubernetesObject, view: ClusterView): Report | undefined {
  const lease = view.get("Lease", "kube-node-lease", object.metadata.name);
  const renewed = timeAt(lease, "spec", "renewTime");
  if (lease !== undefined && renewed !== undefined)
    return {
      at: renewed,
      isLate: view.now - renewed > leaseMs,
      evidence: fieldEvidence(
        lease,
        "spec.renewTime",
        `last renewed ${new Date(renewed).toISOString()}`,
        renewed,
      ),
    };
  const conditions = listAt(object, "status", "conditions");
  const index = conditions.findIndex((one) => textAt(one, "type") === "Ready");
  const beat = timeAt(conditions[index], "lastHeartbeatTime");
  if (beat === undefined) return undefined;
  return {
    at: beat,
    isLate: view.now - beat > heartbeatMs,
    evidence: fieldEvidence(
      object,
      `status.conditions[${index}].lastHeartbeatTime`,
      `last heartbeat ${new Date(beat).toISOString()}`,
      beat,
    ),
  };
}
