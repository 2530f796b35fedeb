import type { CanAnswer } from "@constellation/core";
import { readContentWords } from "@constellation/nlu";
import { estimateAnswers, keepRows } from "@constellation/retrieval";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import type { KindName } from "./cluster/kinds.js";
import { isInDomain } from "./question/domain.js";
import { kindsIn } from "./question/kind-words.js";
import { parseQuestion } from "./question/question.js";

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

/** How much of a question is read where it asks for a kind of object, names one or an object of the cluster, or only a state. */
const readByKind = 1;
const readByName = 0.8;
const readByState = 0.5;

/**
 * Estimates how well it could answer: by the names of the cluster, which are read in the background and compared with the
 * words of a query, beside the words of the librarian's own description; and by how the question is read. The first
 * estimate waits for the names, as long as the caller does.
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
  const byNames = estimateAnswers(names, { about: about.join("\n") });
  return async (probe) => {
    const estimate = await byNames(probe);
    if (estimate === undefined) return undefined;
    const least = shareRead(probe.query, estimate.matches > 0);
    return {
      ...estimate,
      coverage: Math.max(estimate.coverage, least),
      chance: Math.max(estimate.chance, least),
    };
  };
}

/** @param isNamed - Whether it names an object of the cluster. */
function shareRead(query: string, isNamed: boolean): number {
  const question = parseQuestion(query);
  if (question.isHowTo) return 0;
  const { kinds, images, resource } = question;
  // "Which pods are not ready?" asks for Pods, "which workflow mends the pods?" names them.
  const [asked] = readContentWords(query);
  if (asked !== undefined && kindsIn(asked.lower).length > 0) return readByKind;
  if (isNamed || kinds.length > 0 || images.length > 0 || resource !== undefined) return readByName;
  return isInDomain({ ...question, namespace: undefined }) ? readByState : 0;
}
