import type { Detector } from "../detector.js";
import { eventEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { isReady } from "../ready.js";
import { countEvents, describeRecurrence } from "../recurrence.js";

/** Failures of a probe, or of a node, that make one fall in and out of its state. */
const minProbeFailures = 10;
const minNodeFailures = 2;

/** What is ready now, and by its events is not ready again and again. */
export const flapping: Detector = (object, view) => {
  const isNode = object.kind === "Node";
  if (!isNode && !isReady(object)) return [];
  const events = view
    .events(object)
    .filter(({ reason, message }) =>
      isNode ? reason === "NodeNotReady" : reason === "Unhealthy" && /^readiness/i.test(message),
    );
  const counted = countEvents(events);
  const [newest] = events;
  const why =
    counted === undefined
      ? undefined
      : describeRecurrence(counted, view.now, isNode ? minNodeFailures : minProbeFailures);
  if (why === undefined || newest === undefined) return [];
  const { name } = object.metadata;
  return [
    finding({
      signal: isNode ? "NodeNotReady" : "ReadinessProbeFailed",
      severity: isNode ? "high" : "medium",
      object,
      confidence: 0.8,
      summary: isNode
        ? `node ${name} is ready now, and was not ready ${why}`
        : `pod ${name} is ready now, and its readiness probe failed ${why}: ${newest.message}`,
      message: newest.message,
      evidence: [eventEvidence(newest)],
      next: describeCommand(object),
      standing: { kind: "recurring", why },
      key: isNode ? undefined : `flapping|${view.owner(object)?.metadata.name ?? name}`,
    }),
  ];
};
