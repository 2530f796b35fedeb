import type { HopRecord } from "@constellation/core";

/**
 * Chooses the hops of a large run that are shown: those that failed first, then the others in order,
 * each with its parents.
 *
 * @param maxHops - Maximum number of hops, as far as parents allow.
 * @returns In the order given.
 */
export function foldHops(hops: readonly HopRecord[], maxHops: number): readonly HopRecord[] {
  if (hops.length <= maxHops) return hops;
  const byId = new Map(hops.map((hop) => [hop.id, hop]));
  const chosen = new Set<HopRecord>();
  const hasFailed = ({ outcome }: HopRecord) => outcome === "error" || outcome === "refused";
  const ranked = [...hops.filter(hasFailed), ...hops.filter((hop) => !hasFailed(hop))];
  for (const hop of ranked) {
    if (chosen.size >= maxHops) break;
    for (
      let each: HopRecord | undefined = hop;
      each !== undefined && !chosen.has(each);
      each = each.parentId === undefined ? undefined : byId.get(each.parentId)
    ) {
      chosen.add(each);
    }
  }
  return hops.filter((hop) => chosen.has(hop));
}
