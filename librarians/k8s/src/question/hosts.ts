import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";

/** What answers under a host name: an Ingress or a route, or a Service as `name.namespace`. */
export function hostsOf(name: string, view: ClusterView): readonly KubernetesObject[] {
  const host = name.toLowerCase();
  const fits = (pattern: unknown) =>
    typeof pattern === "string" &&
    (pattern === host ||
      (pattern.startsWith("*.") && host.endsWith(pattern.slice(1)) && pattern !== "*."));
  const routes = [
    ...view
      .list("Ingress")
      .filter((one) =>
        [...listAt(one, "spec", "rules"), ...listAt(one, "spec", "tls")].some(
          (rule) => fits(textAt(rule, "host")) || listAt(rule, "hosts").some(fits),
        ),
      ),
    ...view.list("HTTPRoute").filter((one) => listAt(one, "spec", "hostnames").some(fits)),
  ];
  if (routes.length > 0) return routes;
  const [service = "", namespace = "", svc = "svc"] = host.split(".");
  const found = svc === "svc" ? view.get("Service", namespace, service) : undefined;
  return found === undefined ? [] : [found];
}
