import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { distance } from "./distance.js";

/** Ids of the objects whose names are most like a name that nothing has, the nearest first. */
export function findSimilarNames(
  name: string,
  all: readonly KubernetesObject[],
): readonly string[] {
  const wanted = name.toLowerCase();
  const scored = all.flatMap((object) => {
    const other = object.metadata.name.toLowerCase();
    const maxDistance = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
    const away = distance(wanted, other, maxDistance);
    const part = wanted.split("-").some((piece) => piece.length > 3 && other.includes(piece));
    return away <= maxDistance ? [{ object, away }] : part ? [{ object, away: 4 }] : [];
  });
  return scored
    .sort((a, b) => a.away - b.away)
    .slice(0, 5)
    .map(({ object }) => toObjectId(object));
}
