import { isBare, placesIn, toNames } from "./question/namespace.js";
import type { Surroundings } from "./surroundings.js";

/**
 * Finds other namespaces to search: all the named ones, if the question names several and nothing in them, or every
 * namespace, if a word of the question is a namespace's name only by chance.
 *
 * @returns Undefined if the right namespace was searched already. An empty list means every namespace.
 */
export function findOtherNamespaces({
  named,
  namespace,
  namespaces,
  now,
}: Surroundings): readonly string[] | undefined {
  const { target } = now;
  const known = toNames(namespaces.items);
  const isThing =
    target.kind === "ambiguous" ||
    (target.kind === "objects" && target.objects.some(({ kind }) => kind !== "Namespace"));
  if (isThing) return undefined;
  const places = placesIn(named, known);
  if (places.length > 1) return places;
  const isChance =
    namespace !== undefined &&
    target.kind === "all" &&
    named.names.length > 0 &&
    isBare(named, known);
  return isChance ? [] : undefined;
}
