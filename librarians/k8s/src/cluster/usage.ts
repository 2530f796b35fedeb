import { cleanRecord } from "./clean.js";
import type { Usage } from "./cluster-reader.js";
import { isRecord, listAt, textAt, timeAt } from "./fields.js";

/**
 * Reads a `PodMetrics` or `NodeMetrics` object of metrics.k8s.io.
 *
 * @returns One entry per container of a pod, or one for a node, with clean names; none for anything else.
 */
export function parseUsage(given: unknown, kind = textAt(given, "kind")): readonly Usage[] {
  if (kind !== "NodeMetrics" && kind !== "PodMetrics") return [];
  const value = isRecord(given) ? cleanRecord(given) : given;
  const name = textAt(value, "metadata", "name");
  if (name === undefined) return [];
  const at = timeAt(value, "timestamp");
  const measured = at === undefined ? {} : { at };
  if (kind === "NodeMetrics") return [{ kind: "Node", name, ...amounts(value), ...measured }];
  const namespace = textAt(value, "metadata", "namespace");
  return listAt(value, "containers").map((container) => ({
    kind: "Pod",
    name,
    ...(namespace !== undefined && { namespace }),
    container: textAt(container, "name") ?? "",
    ...amounts(container),
    ...measured,
  }));
}

function amounts(value: unknown): { cpu?: string; memory?: string } {
  const cpu = textAt(value, "usage", "cpu");
  const memory = textAt(value, "usage", "memory");
  return { ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
}
