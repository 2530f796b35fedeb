import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";

/** Kinds that answer for hosts. */
const routing = ["Ingress", "HTTPRoute", "VirtualService", "CustomResource"] as const;

/** Hosts that an Ingress or a route of any kind answers for. */
export function hostsOfRoute(object: KubernetesObject): readonly string[] {
  const { spec } = object;
  return [
    ...[...listAt(spec, "rules"), spec].flatMap((part) => textAt(part, "host") ?? []),
    ...[spec, ...listAt(spec, "tls")].flatMap((part) => listAt(part, "hosts")),
    ...listAt(spec, "hostnames"),
  ].filter((host) => typeof host === "string");
}

/** `tv.example.com/guide`: the host of an address without its path. Undefined for a word that is not one. */
export function hostOfUrl(word: string): string | undefined {
  const [host = "", path] = word.replace(/^https?:\/\//i, "").split("/");
  const isHost = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/i.test(host) && /[a-z]$/i.test(host);
  return path !== undefined && isHost ? host : undefined;
}

/** What answers under a host name: an Ingress or a route, or a Service as `name.namespace`. */
export function findObjectsByHost(name: string, view: ClusterView): readonly KubernetesObject[] {
  const host = name.toLowerCase();
  const fits = (pattern: string) =>
    pattern === host ||
    (pattern.startsWith("*.") && host.endsWith(pattern.slice(1)) && pattern !== "*.");
  const routes = routing
    .flatMap((kind) => view.list(kind))
    .filter((one) => hostsOfRoute(one).some(fits));
  if (routes.length > 0) return routes;
  const [service = "", namespace = "", svc = "svc"] = host.split(".");
  const found = svc === "svc" ? view.get("Service", namespace, service) : undefined;
  return found === undefined ? [] : [found];
}
