import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";

/** What runs in an object: its containers' names and the last parts of their images' names. */
export function listPrograms(object: KubernetesObject): readonly string[] {
  return listAt(findPodSpec(object), "containers").flatMap((container) => [
    textAt(container, "name")?.toLowerCase() ?? "",
    getProgram(container),
  ]);
}

/** The last part of the name of a container's image, in lower case; empty where it has none. */
export function getProgram(container: unknown): string {
  return textAt(container, "image")?.split("/").at(-1)?.split(/[:@]/)[0]?.toLowerCase() ?? "";
}
