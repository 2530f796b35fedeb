import { isBare, namesOf, placesIn } from "./question/namespace.js";
import type { Surroundings } from "./surroundings.js";

/**
 * Where else to look for what a question is about: in all the namespaces that it names, where it names several and
 * nothing in them, or everywhere, where a word of it is a namespace's name by chance.
 *
 * @returns Undefined where it was looked for in the right place. An empty list: everywhere.
 */
export function otherPlaces({
  named,
  namespace,
  namespaces,
  now,
}: Surroundings): readonly string[] | undefined {
  const { target } = now;
  const known = namesOf(namespaces.items);
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
