import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import type { Draft } from "../finding.js";
import { describeCommand } from "../kubectl.js";

/** Classes that clouds handle without an object. */
const withoutObject = new Set(["gce", "gce-internal", "alb"]);

/** An Ingress whose class is not there, or whose load balancer reports an error. */
export const ingress: Detector = (object, view) =>
  [missingClass(object, view), balancerErrors(object)].filter((one) => one !== undefined);

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

function balancerErrors(object: KubernetesObject): Draft | undefined {
  const errors = listAt(object, "status", "loadBalancer", "ingress").flatMap((one, index) =>
    listAt(one, "ports").flatMap((port, place) => {
      const error = textAt(port, "error");
      const at = `status.loadBalancer.ingress[${index}].ports[${place}].error`;
      return error === undefined ? [] : [[at, error] as const];
    }),
  );
  const [first] = errors;
  if (first === undefined) return undefined;
  return {
    signal: "IngressBackendMissing",
    severity: "high",
    summary: `Ingress ${object.metadata.name} cannot route: its load balancer reports: ${first[1]}`,
    message: first[1],
    evidence: errors,
  };
}
