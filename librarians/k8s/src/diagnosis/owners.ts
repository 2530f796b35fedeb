import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { matchesSelector } from "./selector.js";

/** An owner as an object names it. */
export interface OwnerName {
  readonly kind: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** The owner that an object's references name: its controller, else the first. */
export function findControllerReference(object: KubernetesObject): OwnerName | undefined {
  const references = listAt(object, "metadata", "ownerReferences");
  const reference = references.find((one) => recordAt(one).controller === true) ?? references[0];
  const kind = textAt(reference, "kind");
  const name = textAt(reference, "name");
  if (kind === undefined || name === undefined) return undefined;
  return { kind, name, uid: textAt(reference, "uid") };
}

type Find = (kind: string, name: string) => KubernetesObject | undefined;

/**
 * The owner of an object whose owner was not recorded, by name: a ReplicaSet is named after its
 * Deployment, a Job after its CronJob, and a pod after whatever made it.
 *
 * @param find - Looks up an object in the same namespace.
 * @returns Undefined where nothing fits, or the selector of what fits by name does not.
 */
export function ownerByName(object: KubernetesObject, find: Find): KubernetesObject | undefined {
  const reference = findControllerReference(object);
  if (reference !== undefined) {
    const [above] = stems(reference.name);
    if (above === undefined) return undefined;
    if (reference.kind === "ReplicaSet") return find("Deployment", above);
    return reference.kind === "Job" ? find("CronJob", above) : undefined;
  }
  const { name } = object.metadata;
  const [short, long] = stems(name);
  if (object.kind === "ReplicaSet")
    return short === undefined ? undefined : find("Deployment", short);
  if (object.kind !== "Pod" || short === undefined) return undefined;
  const candidates = [
    ...(/-\d+$/.test(name) ? [find("StatefulSet", short)] : []),
    ...["ReplicaSet", "Job", "DaemonSet", "ReplicationController"].map((kind) => find(kind, short)),
    ...(long === undefined ? [] : [find("Deployment", long), find("CronJob", long)]),
  ];
  return candidates.find((one) => one !== undefined && mayOwn(one, object));
}

/** A name without its last part, and without its last two. */
function stems(name: string): readonly string[] {
  const parts = name.split("-");
  return [1, 2]
    .filter((count) => parts.length > count)
    .map((count) => parts.slice(0, -count).join("-"));
}

/** False when both sides are known, and the labels do not meet the selector. */
function mayOwn(owner: KubernetesObject, pod: KubernetesObject): boolean {
  const selector = recordAt(owner, "spec", "selector");
  const labels = pod.metadata.labels;
  if (labels === undefined || Object.keys(selector).length === 0) return true;
  const isPlain = !("matchLabels" in selector) && !("matchExpressions" in selector);
  const wanted = isPlain ? { matchLabels: selector } : selector;
  // Its template's hash is not part of what a Deployment selects by.
  return matchesSelector(wanted, labels);
}
