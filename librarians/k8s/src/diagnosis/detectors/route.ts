import { listAt, numberAt, timeAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { isRoute, listBackends, listParents } from "../routes.js";

/** How long a gateway has to answer a route, in milliseconds. */
const patienceMs = 300_000;

/** A route of the Gateway API to a Service, a port or a Gateway that does not exist, or that no gateway has taken. */
export const route: Detector = (object, view) => {
  if (!isRoute(object)) return [];
  const { name } = object.metadata;
  const bad = [...listParents(object), ...listBackends(object)].flatMap((target) => {
    const { kind, namespace, port, at } = target;
    if (view.presence(kind, namespace, target.name) === "missing")
      return [
        { at, text: `${kind} ${target.name} of namespace ${namespace ?? ""} does not exist` },
      ];
    if (kind !== "Service" || port === undefined) return [];
    const found = view.get("Service", namespace, target.name);
    const ports = listAt(found, "spec", "ports").map((one) => numberAt(one, "port"));
    return ports.length === 0 || ports.includes(port)
      ? []
      : [{ at, text: `Service ${target.name} has no port ${port} (it has ${ports.join(", ")})` }];
  });
  const born = timeAt(object, "metadata", "creationTimestamp");
  const isUntaken =
    "status" in object &&
    listAt(object, "status", "parents").length === 0 &&
    (born === undefined || view.now - born > patienceMs);
  if (bad.length === 0 && !isUntaken) return [];
  const asked = listParents(object)
    .map((one) => `${one.namespace ?? ""}/${one.name}`)
    .join(", ");
  const texts = [
    ...bad.map(({ text }) => text),
    ...(isUntaken ? [`no gateway has taken it (it asks for ${asked || "none"})`] : []),
  ];
  return [
    finding({
      signal: "IngressBackendMissing",
      severity: "high",
      object,
      confidence: bad.length > 0 ? 0.9 : 0.75,
      summary: `${object.kind} ${name} is not served: ${texts.join("; ")}`,
      evidence: [
        ...bad.map(({ at, text }) => fieldEvidence(object, at, text)),
        ...(isUntaken ? [fieldEvidence(object, "status.parents", "none")] : []),
      ],
      next: describeCommand(object),
    }),
  ];
};
