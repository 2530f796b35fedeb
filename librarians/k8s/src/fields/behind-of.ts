import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { findPods } from "./pods-of.js";

/** Finds objects one reference away that share the properties of an object: pods, volume, class, Service. */
export function findBackingObjects(
  object: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  const { namespace } = object.metadata;
  const get = (kind: string, place: string | undefined, name: string | undefined) => {
    const found = name === undefined ? undefined : view.get(kind, place, name);
    return found === undefined ? [] : [found];
  };
  const services = listAt(object, "spec", "rules").flatMap((rule) =>
    listAt(rule, "http", "paths").flatMap((path) =>
      get("Service", namespace, textAt(path, "backend", "service", "name")),
    ),
  );
  const { spec } = object;
  const secrets = listAt(spec, "tls").flatMap((one) => textAt(one, "secretName") ?? []);
  const certificates = view
    .list("Certificate")
    .filter(
      (one) =>
        one.metadata.namespace === namespace &&
        secrets.includes(textAt(one, "spec", "secretName") ?? ""),
    );
  return [
    ...new Set([
      ...findPods(object, view).filter((pod) => pod !== object),
      ...get("PersistentVolume", undefined, textAt(spec, "volumeName")),
      ...get("StorageClass", undefined, textAt(spec, "storageClassName")),
      ...certificates,
      ...services,
      ...services.flatMap((service) => findPods(service, view)),
      ...get(
        textAt(spec, "scaleTargetRef", "kind") ?? "",
        namespace,
        textAt(spec, "scaleTargetRef", "name"),
      ),
      ...get("Node", undefined, textAt(spec, "nodeName")),
      ...listAt(spec, "volumes").flatMap((volume) =>
        get(
          "PersistentVolumeClaim",
          namespace,
          textAt(volume, "persistentVolumeClaim", "claimName"),
        ),
      ),
    ]),
  ];
}
