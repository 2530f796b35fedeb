import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { emptySubset } from "../subset.js";

/** A rule of a service mesh with a subset that no pod belongs to: calls routed to it find no host. */
export const destinationRule: Detector = (object, view) => {
  const host = textAt(object, "spec", "host") ?? "";
  const [name = "", place = object.metadata.namespace] = host.split(".");
  const service = view.get("Service", place, name);
  if (service === undefined || view.presence("Pod", place, "\0") !== "missing") return [];
  const empty = listAt(object, "spec", "subsets").flatMap((subset, index) => {
    const found = emptySubset(subset, service, view);
    const labels = Object.entries(recordAt(subset, "labels")).map(
      ([key, value]) => `${key}=${String(value)}`,
    );
    return found === undefined
      ? []
      : [
          {
            subset: textAt(subset, "name") ?? "?",
            labels: labels.join(","),
            workloads: found.workloads,
            index,
          },
        ];
  });
  if (empty.length === 0) return [];
  return [
    finding({
      signal: "ServiceNoEndpoints",
      severity: "medium",
      object,
      confidence: 0.75,
      summary: `DestinationRule ${object.metadata.name} has ${empty.length === 1 ? "a subset" : "subsets"} without pods for ${host}: ${empty.map(({ subset, labels }) => `${subset} (${labels})`).join(", ")}`,
      evidence: empty.map(({ index, labels }) =>
        fieldEvidence(object, `spec.subsets[${index}].labels`, labels),
      ),
      next: describeCommand(object),
      waitsFor: empty.flatMap(({ workloads }) => workloads),
      affects: [`${place ?? ""}/Service/${name}`],
    }),
  ];
};
