import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { podsOf } from "./pods-of.js";

/** What has the properties of an object beside itself, one step along its references: pods, volume, class, Service. */
export function behindOf(object: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
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
  return [
    ...new Set([
      ...podsOf(object, view).filter((pod) => pod !== object),
      ...get("PersistentVolume", undefined, textAt(spec, "volumeName")),
      ...get("StorageClass", undefined, textAt(spec, "storageClassName")),
      ...services,
      ...services.flatMap((service) => podsOf(service, view)),
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
