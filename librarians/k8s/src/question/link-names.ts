import { createEntityIndex, findNames, kindOfKinds, type NamedEntity } from "@constellation/nlu";
import { type ClusterView, oncePerView } from "../diagnosis/cluster-view.js";
import { named } from "./hits.js";
import { hostsOfRoute } from "./hosts.js";
import { kindEntities } from "./kind-words.js";

/** One namespace is a place, and no kind that is asked for; it shows all the same that a name stands beside it. */
export const namespaceWord: NamedEntity = { kind: kindOfKinds, name: "namespace", aliases: ["ns"] };

const indexOf = oncePerView((view) =>
  createEntityIndex([...kindEntities, namespaceWord, ...entitiesIn(view)], {
    prepositions: { in: "Namespace", on: "Node" },
    wholeNamesOnly: true,
  }),
);

/**
 * Names of the cluster that a question has, likeliest first: also those that are plain words, such as `storage` or
 * `nightly`, where their place in the question shows that they name something.
 */
export function linkNames(query: string, view: ClusterView): readonly string[] {
  return findNames(query, indexOf(view))
    .flatMap(({ candidates: [best] }) => best ?? [])
    .filter(({ entity }) => entity.kind !== kindOfKinds && entity.kind !== "Namespace")
    .sort((a, b) => b.score - a.score)
    .map(({ entity }) => entity.name);
}

function entitiesIn(view: ClusterView): readonly NamedEntity[] {
  return [...named, "Namespace" as const].flatMap((kind) =>
    view
      .list(kind)
      .flatMap((object) => [
        { kind, name: object.metadata.name },
        ...hostsOfRoute(object).map((name) => ({ kind: "Host", name })),
      ]),
  );
}
