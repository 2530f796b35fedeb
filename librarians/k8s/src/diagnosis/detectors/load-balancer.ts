import { listAt, textAt, timeAt } from "../../cluster/fields.js";
import { type Detector, recentMs } from "../detector.js";
import { eventEvidence, fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";

const reasons = ["SyncLoadBalancerFailed", "CreatingLoadBalancerFailed", "UnAvailableLoadBalancer"];

/** A Service that waits for an address of a load balancer. */
export const loadBalancer: Detector = (object, view) => {
  if (textAt(object, "spec", "type") !== "LoadBalancer") return [];
  if (listAt(object, "status", "loadBalancer", "ingress").length > 0) return [];
  if (textAt(object, "metadata", "deletionTimestamp") !== undefined) return [];
  const event = view.events(object).find(({ reason }) => reasons.includes(reason));
  const created = timeAt(object, "metadata", "creationTimestamp");
  if (event === undefined && (created === undefined || view.now - created < recentMs / 4))
    return [];
  return [
    finding({
      signal: "ServiceNoEndpoints",
      severity: "high",
      object,
      confidence: event === undefined ? 0.7 : 0.9,
      summary: `Service ${object.metadata.name} has no external address: its load balancer is pending${event === undefined ? "; no event says why, so no controller may have taken it" : `: ${event.message}`}`,
      message: event?.message,
      evidence: [
        ...(event === undefined ? [] : [eventEvidence(event)]),
        fieldEvidence(object, "status.loadBalancer", "no ingress"),
      ],
      next: describeCommand(object),
      values: { service_type: "LoadBalancer" },
    }),
  ];
};
