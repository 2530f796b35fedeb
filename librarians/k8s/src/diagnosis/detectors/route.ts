import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import type { Draft } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { isRoute, listBackends, listIngressBackends, listParents } from "../routes.js";

/** Classes that clouds handle without an object. */
const withoutObject = new Set(["gce", "gce-internal", "alb"]);

/** An Ingress whose class, backend service, port or load balancer is not there. */
export const ingress: Detector = (object, view) =>
  [missingClass(object, view), missingBackend(object, view)].filter((one) => one !== undefined);

function missingClass(object: KubernetesObject, view: ClusterView): Draft | undefined {
  const named = textAt(object, "spec", "ingressClassName");
  const { name, annotations } = object.metadata;
  const classes = view.list("IngressClass");
  const base = {
    signal: "IngressClassMissing",
    next: [...describeCommand(object), "kubectl get ingressclass"],
  } as const;
  if (named !== undefined) {
    const isMissing = view.presence("IngressClass", undefined, named) === "missing";
    return withoutObject.has(named) || !isMissing
      ? undefined
      : {
          ...base,
          severity: "high",
          // Where there is no class at all, the state may only be a part of a cluster.
          verified: classes.length > 0,
          summary: `Ingress ${name} names the class ${named}, which does not exist`,
          evidence: [["spec.ingressClassName", named]],
          values: { ingress_class: named },
        };
  }
  const hasDefault = classes.some(
    ({ metadata }) =>
      metadata.annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true",
  );
  const isAnnotated = annotations?.["kubernetes.io/ingress.class"] !== undefined;
  if (isAnnotated || hasDefault || !view.isKnown("IngressClass", undefined)) return undefined;
  return {
    ...base,
    severity: "medium",
    summary: `Ingress ${name} names no class, and no class is the default`,
    evidence: [["spec.ingressClassName", "none"]],
  };
}

function missingBackend(object: KubernetesObject, view: ClusterView): Draft | undefined {
  const { name, namespace } = object.metadata;
  const backends = listIngressBackends(object);
  const wrong = backends.flatMap(({ name: target, port, at }) => {
    const presence = view.presence("Service", namespace, target);
    if (presence === "missing")
      return [
        { text: `service ${target} does not exist`, shown: [at, `service ${target}`] as const },
      ];
    const found = listAt(view.get("Service", namespace, target), "spec", "ports");
    const ports = found.map((one) => recordAt(one));
    const isThere =
      port === undefined || ports.some((one) => one.port === port || one.name === port);
    // Of what was not read, nothing is known to be wrong.
    if (presence === "unread" || isThere) return [];
    const listed = ports.map((one) => String(one.port)).join(", ") || "none";
    return [
      {
        text: `service ${target} has no port ${String(port)} (it has ${listed})`,
        shown: [at, `service ${target} port ${String(port)}`] as const,
      },
    ];
  });
  const errors = listAt(object, "status", "loadBalancer", "ingress").flatMap((one, index) =>
    listAt(one, "ports").flatMap((port, place) => {
      const error = textAt(port, "error");
      const at = `status.loadBalancer.ingress[${index}].ports[${place}].error`;
      return error === undefined
        ? []
        : [{ text: `its load balancer reports: ${error}`, shown: [at, error] as const }];
    }),
  );
  const found = [...wrong, ...errors];
  if (found.length === 0) return undefined;
  return {
    signal: "IngressBackendMissing",
    severity: "high",
    summary: `Ingress ${name} cannot route: ${[...new Set(found.map(({ text }) => text))].join("; ")}`,
    message: errors[0]?.shown[1],
    evidence: found.map(({ shown }) => shown),
    values: { backends: [...new Set(backends.map((one) => one.name))] },
  };
}

/** How long a gateway has to answer a route, in milliseconds. */
const patienceMs = 300_000;

/** A route of the Gateway API to a Service, a port or a Gateway that does not exist, or that no gateway has taken. */
export const route: Detector = (object, view) => {
  if (!isRoute(object)) return [];
  const bad = [...listParents(object), ...listBackends(object)].flatMap(
    (target): readonly { readonly at: string; readonly text: string }[] => {
      const { kind, namespace, name, port, at } = target;
      if (view.presence(kind, namespace, name) === "missing")
        return [{ at, text: `${kind} ${name} of namespace ${namespace ?? ""} does not exist` }];
      if (kind !== "Service" || port === undefined) return [];
      const found = view.get("Service", namespace, name);
      const ports = listAt(found, "spec", "ports").map((one) => numberAt(one, "port"));
      return ports.length === 0 || ports.includes(port)
        ? []
        : [{ at, text: `Service ${name} has no port ${port} (it has ${ports.join(", ")})` }];
    },
  );
  const born = timeAt(object, "metadata", "creationTimestamp");
  const isUntaken =
    "status" in object &&
    listAt(object, "status", "parents").length === 0 &&
    (born === undefined || view.now - born > patienceMs);
  if (bad.length === 0 && !isUntaken) return [];
  const asked = listParents(object).map((one) => `${one.namespace ?? ""}/${one.name}`);
  const texts = [
    ...bad.map(({ text }) => text),
    ...(isUntaken ? [`no gateway has taken it (it asks for ${asked.join(", ") || "none"})`] : []),
  ];
  return {
    signal: "IngressBackendMissing",
    severity: "high",
    summary: `${object.kind} ${object.metadata.name} is not served: ${texts.join("; ")}`,
    evidence: [
      ...bad.map(({ at, text }) => [at, text] as const),
      ["status.parents", isUntaken ? "none" : undefined],
    ],
  };
};
