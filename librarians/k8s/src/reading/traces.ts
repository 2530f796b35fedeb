import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName, type KindName } from "../cluster/kinds.js";
import type { ClusterReading } from "../diagnosis/cluster-view.js";
import { idFrom, toObjectId } from "../diagnosis/object-id.js";

/** Maximum number of objects that are known by their traces only. */
const maxTraces = 500;

/**
 * Adds objects that were not read and left events or logs: a pod that is gone, or that a recording does
 * not hold. Of a kind that was read whole only those a question names are added, since the others are
 * gone, and the outcome of them is over.
 *
 * @param names - Words of the question that may be names.
 */
export function withTraces(
  reading: ClusterReading,
  reader: ClusterReader,
  names: readonly string[],
): ClusterReading {
  const known = new Set([...reading.objects.values()].flatMap((all) => all.map(toObjectId)));
  const added = new Map<KindName, KubernetesObject[]>();
  let left = maxTraces;
  const add = (kind: string, namespace: string | undefined, name: string, uid?: string) => {
    if (!isKindName(kind) || !reading.objects.has(kind) || left === 0) return;
    const id = idFrom(kind, namespace, name);
    if (known.has(id)) return;
    if (!reading.problems.has(kind) && !isNamed(name, names)) return;
    known.add(id);
    left--;
    added.set(kind, [...(added.get(kind) ?? []), createTrace(kind, namespace, name, uid)]);
  };
  for (const { involved, namespace } of reading.events) {
    const isWide = involved.kind === "Node" || involved.kind === "PersistentVolume";
    const where = isWide ? undefined : (involved.namespace ?? namespace);
    add(involved.kind, where, involved.name, involved.uid);
  }
  const namespaces = toNamespaceSet(reading);
  for (const { namespace, pod } of reader.recordedLogs?.() ?? []) {
    if (namespaces === undefined || namespaces.has(namespace)) add("Pod", namespace, pod);
  }
  if (added.size === 0) return reading;
  const objects = new Map(reading.objects);
  for (const [kind, some] of added) objects.set(kind, [...(objects.get(kind) ?? []), ...some]);
  return { ...reading, objects };
}

/** The only namespace that was read, where it was one. */
function toNamespaceSet({ namespace }: ClusterReading): ReadonlySet<string> | undefined {
  return namespace === undefined ? undefined : new Set([namespace]);
}

function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((wanted) => name === wanted || name.startsWith(`${wanted}-`));
}

function createTrace(
  kind: string,
  namespace: string | undefined,
  name: string,
  uid: string | undefined,
): KubernetesObject {
  return {
    apiVersion: "",
    kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && kind !== "Node" && { uid }),
    },
    isTrace: true,
  };
}
