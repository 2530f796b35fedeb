import { MeshError } from "@constellation/core";
import type { KubernetesObject, ListResult } from "../cluster/cluster-reader.js";
import type { ClusterReading } from "../diagnosis/cluster-view.js";
import type { Question } from "./question.js";
import { ignoredWords, toWords } from "./words.js";

/** The namespaces of a question that names several of them. */
export function placesIn(question: Question, names: ReadonlySet<string>): readonly string[] {
  const places = new Set([...toWords(question.query)].filter((word) => names.has(word)));
  return places.size > 1 ? [...places] : [];
}

/** True for a namespace that no word in front of it makes one: `keda` may be what a question is about. */
export function isBare(question: Question, names: ReadonlySet<string>): boolean {
  return resolveNamespace({ ...question, names: [] }, names) === undefined;
}

/** The namespace a question names: with the word for it, or one that exists. */
export function resolveNamespace(
  question: Question,
  names: ReadonlySet<string>,
): string | undefined {
  if (question.namespace !== undefined) return question.namespace;
  if (question.resource?.namespace !== undefined) return question.resource.namespace;
  const after = [
    ...question.query.matchAll(
      /\b(?:in|of|from|inside|within|on)\s+(?:the\s+)?["`']?([a-z0-9][a-z0-9-]*)\b/gi,
    ),
  ].map(([, name]) => name?.toLowerCase() ?? "");
  return (
    after.find((name) => names.has(name)) ??
    question.names.find((name) => names.has(name) && name !== question.demanded) ??
    after.flatMap((name) => byPart(name, names) ?? [])[0]
  );
}

/** What people call a stage of their own, and how a name says it. */
const stages: readonly RegExp[] = [/^prod(?:uction)?$/, /^stag(?:e|ing)$/, /^dev(?:elopment)?$/];

/** The only namespace that has a word as a part of its name: `uat` is `mobile-uat`. */
function byPart(word: string, names: ReadonlySet<string>): string | undefined {
  if (ignoredWords.has(word)) return undefined;
  const stage = stages.find((one) => one.test(word));
  const found = [...names].filter((name) =>
    name.split("-").some((part) => part === word || stage?.test(part) === true),
  );
  return found.length === 1 ? found[0] : undefined;
}

/** @throws MeshError `NOT_FOUND` for a namespace that does not exist. */
export function requireNamespace(
  namespace: string | undefined,
  { items, problem }: ListResult,
  reading: ClusterReading,
): void {
  if (
    namespace === undefined ||
    (problem !== undefined && items.length === 0 && reading.problems.size > 0)
  )
    return;
  if (toNames(items).has(namespace) || namespacesIn(reading).has(namespace)) return;
  const known = [...(items.length > 0 ? toNames(items) : namespacesIn(reading))];
  throw new MeshError(
    "NOT_FOUND",
    `Nothing was found in namespace ${JSON.stringify(namespace)}: it does not exist, was not recorded, or may not be read.`,
    {
      reason: "no-information",
      suggestion:
        known.length === 0
          ? "Name a namespace of this cluster."
          : `Name a namespace of this cluster: ${known.slice(0, 8).join(", ")}.`,
    },
  );
}

/** Names of what was listed. */
export function toNames(namespaces: readonly KubernetesObject[]): ReadonlySet<string> {
  return new Set(namespaces.map(({ metadata }) => metadata.name));
}

/** Namespaces of everything that was read. */
export function namespacesIn({ objects }: ClusterReading): ReadonlySet<string> {
  return new Set(
    [...objects.values()].flatMap((items) =>
      items.flatMap(({ metadata }) => metadata.namespace ?? []),
    ),
  );
}

/** What was read of one namespace, and of the whole cluster. */
export function onlyIn(reading: ClusterReading, namespace: string): ClusterReading {
  const objects = new Map(
    [...reading.objects].map(
      ([kind, items]) =>
        [
          kind,
          items.filter(
            ({ metadata }) => metadata.namespace === undefined || metadata.namespace === namespace,
          ),
        ] as const,
    ),
  );
  return {
    ...reading,
    namespace,
    objects,
    events: reading.events.filter(
      (event) => event.namespace === undefined || event.namespace === namespace,
    ),
  };
}

/** A namespace's name is not an object's, unless it stands right beside a kind. */
export function withoutName(question: Question, namespace: string | undefined): Question {
  const isFree = (name: string) =>
    name.toLowerCase() !== namespace?.toLowerCase() || name === question.demanded;
  return { ...question, names: question.names.filter(isFree) };
}
