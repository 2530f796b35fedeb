import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { type Evidence, type Finding, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";

/** Classes that clouds handle without an object. */
const withoutObject = new Set(["gce", "gce-internal", "alb"]);

/** An Ingress whose class, backend service, port or load balancer is not there. */
export const ingress: Detector = (object, view) => [
  ...detectMissingClass(object, view),
  ...backends(object, view),
];

function detectMissingClass(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const named = textAt(object, "spec", "ingressClassName");
  const annotated = recordAt(object, "metadata", "annotations")["kubernetes.io/ingress.class"];
  const { name } = object.metadata;
  const base = {
    signal: "IngressClassMissing",
    severity: "high",
    object,
    next: [...describeCommand(object), "kubectl get ingressclass"],
  } as const;
  if (named !== undefined && !withoutObject.has(named)) {
    if (view.presence("IngressClass", undefined, named) !== "missing") return [];
    // Where there is no class at all, the state may only be a part of a cluster.
    const verified = view.list("IngressClass").length > 0;
    return [
      finding({
        ...base,
        verified,
        confidence: verified ? 0.9 : 0.6,
        summary: `Ingress ${name} names the class ${named}, which does not exist`,
        evidence: [fieldEvidence(object, "spec.ingressClassName", named)],
        values: { ingress_class: named },
      }),
    ];
  }
  if (named !== undefined || annotated !== undefined) return [];
  const isKnown = view.presence("IngressClass", undefined, "\0") === "missing";
  const hasDefault = view
    .list("IngressClass")
    .some(
      (one) =>
        recordAt(one, "metadata", "annotations")["ingressclass.kubernetes.io/is-default-class"] ===
        "true",
    );
  if (!isKnown || hasDefault) return [];
  return [
    finding({
      ...base,
      severity: "medium",
      confidence: 0.7,
      summary: `Ingress ${name} names no class, and no class is the default`,
      evidence: [fieldEvidence(object, "spec.ingressClassName", "none")],
    }),
  ];
}

function backends(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const { name, namespace } = object.metadata;
  const paths = listAt(object, "spec", "rules").flatMap((rule, ruleIndex) =>
    listAt(rule, "http", "paths").map((path, index) => ({
      backend: recordAt(path, "backend"),
      at: `spec.rules[${ruleIndex}].http.paths[${index}].backend`,
    })),
  );
  const all = [
    ...paths,
    { backend: recordAt(object, "spec", "defaultBackend"), at: "spec.defaultBackend" },
  ];
  const wrong: {
    readonly text: string;
    readonly evidence: Evidence;
    readonly verified: boolean;
  }[] = [];
  for (const { backend, at } of all) {
    const target = textAt(backend, "service", "name") ?? textAt(backend, "serviceName");
    if (target === undefined) continue;
    const presence = view.presence("Service", namespace, target);
    // Of what was not read, nothing is known to be wrong.
    if (presence === "unread") continue;
    if (presence === "missing") {
      wrong.push({
        text: `service ${target} does not exist`,
        evidence: fieldEvidence(object, at, `service ${target}`),
        verified: true,
      });
      continue;
    }
    const service = view.get("Service", namespace, target);
    const port = recordAt(backend, "service", "port");
    const wanted = port.number ?? port.name ?? backend.servicePort;
    const ports = listAt(service, "spec", "ports").map((one) => recordAt(one));
    const isThere =
      wanted === undefined || ports.some((one) => one.port === wanted || one.name === wanted);
    if (isThere) continue;
    wrong.push({
      text: `service ${target} has no port ${String(wanted)} (it has ${ports.map((one) => String(one.port)).join(", ") || "none"})`,
      evidence: fieldEvidence(object, at, `service ${target} port ${String(wanted)}`),
      verified: true,
    });
  }
  const errors = listAt(object, "status", "loadBalancer", "ingress").flatMap((one, index) =>
    listAt(one, "ports").flatMap((port, place) => {
      const error = textAt(port, "error");
      return error === undefined
        ? []
        : [
            {
              text: `its load balancer reports: ${error}`,
              evidence: fieldEvidence(
                object,
                `status.loadBalancer.ingress[${index}].ports[${place}].error`,
                error,
              ),
              verified: true,
            },
          ];
    }),
  );
  const found = [...wrong, ...errors];
  if (found.length === 0) return [];
  return [
    finding({
      signal: "IngressBackendMissing",
      severity: "high",
      object,
      confidence: found.some(({ verified }) => verified) ? 0.92 : 0.65,
      verified: found.some(({ verified }) => verified),
      summary: `Ingress ${name} cannot route: ${[...new Set(found.map(({ text }) => text))].join("; ")}`,
      message: errors[0]?.evidence.text,
      evidence: found.map(({ evidence }) => evidence),
      next: describeCommand(object),
      values: {
        backends: [
          ...new Set(all.flatMap(({ backend }) => textAt(backend, "service", "name") ?? [])),
        ],
      },
    }),
  ];
}
