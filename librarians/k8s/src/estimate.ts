import type { CanAnswer } from "@constellation/core";
import { estimateAnswers, keepRows } from "@constellation/retrieval";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import type { KindName } from "./cluster/kinds.js";

/** Kinds whose names people ask by. */
const kinds: readonly KindName[] = [
  "Namespace",
  "Node",
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "CronJob",
  "Job",
  "Service",
  "Ingress",
];

/**
 * Estimates by the names of the cluster how well it could answer: names are read in the background, and compared with the
 * words of a query, beside the words of the librarian's own description. `undefined` until they are read.
 */
export function createEstimate(
  open: () => Promise<ClusterReader>,
  about: readonly string[],
): CanAnswer {
  const names = keepRows(async () => {
    const reader = await open();
    const lists = await Promise.all(kinds.map((kind) => reader.list(kind, {})));
    const objects = lists.flatMap(({ items }) => items);
    return [
      ...new Set(
        objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""} ${metadata.name}`),
      ),
    ];
  });
  return estimateAnswers(names, { about: about.join("\n") });
}
