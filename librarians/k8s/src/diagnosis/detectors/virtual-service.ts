import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { idFrom, toObjectId } from "../object-id.js";
import { emptySubset } from "../subset.js";

/** A route of a service mesh to a Service or a subset that does not exist. */
export const virtualService: Detector = (object, view) => {
  const own = object.metadata.namespace;
  const bad = (["http", "tcp", "tls"] as const).flatMap((protocol) =>
    listAt(object, "spec", protocol).flatMap((route, index) =>
      listAt(route, "route").flatMap((one) => {
        const destination = recordAt(one, "destination");
        const host = textAt(destination, "host") ?? "";
        const subset = textAt(destination, "subset");
        const [name = "", place = own] = host.split(".");
        const path = `spec.${protocol}[${index}].route.destination`;
        const service = idFrom("Service", place, name);
        const isInside = !host.includes(".") || /\.svc(?:\.|$)/.test(host);
        if (isInside && view.presence("Service", place, name) === "missing")
          return [
            {
              path,
              service,
              workloads: [],
              text: `host ${host} has no Service in namespace ${place ?? ""}`,
            },
          ];
        if (subset === undefined) return [];
        const rules = view.list("DestinationRule").filter((rule) => {
          const [target = "", where = rule.metadata.namespace] = (
            textAt(rule, "spec", "host") ?? ""
          ).split(".");
          return target === name && where === place;
        });
        const known = rules.flatMap((rule) =>
          listAt(rule, "spec", "subsets").flatMap((each) => textAt(each, "name") ?? []),
        );
        const isRead = view.presence("DestinationRule", own, "\0") === "missing";
        if (known.includes(subset))
          return withoutPods({ subset, name, place, host, path }, rules, view);
        if (rules.length === 0 && !isRead) return [];
        return [
          {
            path,
            service,
            workloads: [],
            text: `subset ${subset} of ${host} is not defined by a DestinationRule (${rules.map(({ metadata }) => `${metadata.name} has ${known.join(", ") || "none"}`).join("; ") || "there is none"})`,
          },
        ];
      }),
    ),
  );
  if (bad.length === 0) return [];
  const texts = [...new Set(bad.map(({ text }) => text))];
  return [
    finding({
      signal: "ServiceNoEndpoints",
      severity: "high",
      object,
      confidence: 0.85,
      summary: `VirtualService ${object.metadata.name} routes to nothing: ${texts.join("; ")}`,
      evidence: bad.map(({ path, text }) => fieldEvidence(object, path, text)),
      next: describeCommand(object),
      affects: bad.map(({ service }) => service),
      waitsFor: bad.flatMap(({ workloads }) => workloads),
    }),
  ];
};

interface Destination {
  readonly subset: string;
  readonly name: string;
  readonly place: string | undefined;
  readonly host: string;
  readonly path: string;
}

/** A subset that is defined, and that no pod belongs to; with the workloads whose pods it would be. */
function withoutPods(
  { subset, name, place, host, path }: Destination,
  rules: readonly KubernetesObject[],
  view: ClusterView,
) {
  const service = view.get("Service", place, name);
  if (service === undefined || view.presence("Pod", place, "\0") !== "missing") return [];
  const defined = rules
    .flatMap((rule) => listAt(rule, "spec", "subsets"))
    .find((each) => textAt(each, "name") === subset);
  const empty = emptySubset(defined, service, view);
  if (empty === undefined) return [];
  const text = `subset ${subset} of ${host} has no pods (${empty.printed})`;
  return [{ path, service: toObjectId(service), text, workloads: empty.workloads }];
}
