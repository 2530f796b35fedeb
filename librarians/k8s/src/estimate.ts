import type { CanAnswer } from "@constellation/core";
import {
  createEntityIndex,
  type EntityIndex,
  findNames,
  kindOfKinds,
  readContentWords,
} from "@constellation/nlu";
import { estimateAnswers, keepRows } from "@constellation/retrieval";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import type { KindName } from "./cluster/kinds.js";
import { isInDomain } from "./question/domain.js";
import { fieldsIn } from "./question/field-words.js";
import { kindEntities, kindsIn } from "./question/kind-words.js";
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

/**
 * How much of a question is read where it asks for a kind of object, or for a property of an object that it names; names a kind or an object; or only speaks of a state.
 */
const readWhole = 1;
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
  let indexed: { readonly rows: readonly string[]; readonly index: EntityIndex } | undefined;
  const isNamedIn = (query: string): boolean => {
    const rows = names() ?? [];
    if (indexed?.rows !== rows) indexed = { rows, index: indexNames(rows) };
    return findNames(query, indexed.index).some(
      ({ candidates: [best] }) => best?.entity.kind !== kindOfKinds,
    );
  };
  const byNames = estimateAnswers(names, { about: about.join("\n") });
  return async (probe) => {
    const estimate = await byNames(probe);
    if (estimate === undefined) return undefined;
    const { least, isNamed } = readShare(probe.query, {
      isMostlyNames: estimate.matches > 0,
      names: () => isNamedIn(probe.query),
    });
    return {
      ...estimate,
      coverage: Math.max(estimate.coverage, least),
      chance: Math.max(estimate.chance, least),
      isNamed,
    };
  };
}

function indexNames(rows: readonly string[]): EntityIndex {
  const entities = rows.map((row) => {
    const [kind = "", , name = ""] = row.split(" ");
    return { kind, name };
  });
  return createEntityIndex([...kindEntities, ...entities], { wholeNamesOnly: true });
}

interface NamesInQuestion {
  /** Its words are above all names of the cluster. */
  readonly isMostlyNames: boolean;
  /** Whether it names an object of the cluster. */
  readonly names: () => boolean;
}

/** How much of a question is read at least, and whether it asks for a property of an object that it names. */
function readShare(query: string, { isMostlyNames, names }: NamesInQuestion) {
  const question = parseQuestion(query);
  if (question.isHowTo) return { least: 0, isNamed: false };
  const { kinds, images, resource } = question;
  if (fieldsIn(query).length > 0 && names()) return { least: readWhole, isNamed: true };
  // "Which pods are not ready?" asks for Pods, "which workflow mends the pods?" names them.
  const [asked] = readContentWords(query);
  const isOfKind = asked !== undefined && kindsIn(asked.lower).length > 0;
  if (isOfKind) return { least: readWhole, isNamed: false };
  const isMentioned =
    isMostlyNames || kinds.length > 0 || images.length > 0 || resource !== undefined;
  if (isMentioned) return { least: readByName, isNamed: false };
  const isOfCluster = isInDomain({ ...question, namespace: undefined });
  return { least: isOfCluster ? readByState : 0, isNamed: false };
}
