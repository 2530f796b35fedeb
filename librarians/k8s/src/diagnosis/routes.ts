import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt } from "../cluster/fields.js";

/** What a route of the Gateway API names, and where. */
export interface RouteTarget {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly port: number | undefined;
  /** Path of the reference in the route. */
  readonly at: string;
}

/** True for a route of the Gateway API: `HTTPRoute`, `GRPCRoute`, `TLSRoute`. */
export function isRoute({ kind, apiVersion }: KubernetesObject): boolean {
  return /Route$/.test(kind) && (apiVersion ?? "").startsWith("gateway.networking.k8s.io/");
}

/** Services, and what else, that a route sends to. */
export function listBackends(route: KubernetesObject): readonly RouteTarget[] {
  return listAt(route, "spec", "rules").flatMap((rule, index) =>
    listAt(rule, "backendRefs").flatMap((one, place) =>
      targetFrom(one, route, "Service", `spec.rules[${index}].backendRefs[${place}]`),
    ),
  );
}

/** Gateways that a route asks to be served by. */
export function listParents(route: KubernetesObject): readonly RouteTarget[] {
  return listAt(route, "spec", "parentRefs").flatMap((one, index) =>
    targetFrom(one, route, "Gateway", `spec.parentRefs[${index}]`),
  );
}

function targetFrom(
  reference: unknown,
  route: KubernetesObject,
  kind: string,
  at: string,
): readonly RouteTarget[] {
  const name = textAt(reference, "name");
  if (name === undefined) return [];
  return [
    {
      kind: textAt(reference, "kind") ?? kind,
      name,
      namespace: textAt(reference, "namespace") ?? route.metadata.namespace,
      port: numberAt(reference, "port"),
      at,
    },
  ];
}

/** A Service behind an Ingress. */
export interface IngressBackend {
  readonly name: string;
  /** Number or name of the port, as it is written. */
  readonly port: unknown;
  readonly at: string;
}

/** Services that an Ingress sends to: those of its paths, then the default one. */
export function listIngressBackends(ingress: unknown): readonly IngressBackend[] {
  const paths = listAt(ingress, "spec", "rules").flatMap((rule, index) =>
    listAt(rule, "http", "paths").map((path, place) => ({
      backend: recordAt(path, "backend"),
      at: `spec.rules[${index}].http.paths[${place}].backend`,
    })),
  );
  return [
    ...paths,
    { backend: recordAt(ingress, "spec", "defaultBackend"), at: "spec.defaultBackend" },
  ].flatMap(({ backend, at }) => {
    const name = textAt(backend, "service", "name") ?? textAt(backend, "serviceName");
    const port = recordAt(backend, "service", "port");
    return name === undefined
      ? []
      : [{ name, port: port.number ?? port.name ?? backend.servicePort, at }];
  });
}
