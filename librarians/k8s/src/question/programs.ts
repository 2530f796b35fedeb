import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { podSpecOf } from "../diagnosis/pod-spec.js";

/** What runs in an object: its containers' names and the last parts of their images' names. */
export function programsOf(object: KubernetesObject): readonly string[] {
  return listAt(podSpecOf(object), "containers").flatMap((container) => [
    textAt(container, "name")?.toLowerCase() ?? "",
    textAt(container, "image")?.split("/").at(-1)?.split(/[:@]/)[0]?.toLowerCase() ?? "",
  ]);
}
