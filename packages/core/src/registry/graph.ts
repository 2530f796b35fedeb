/** Declared delegates by id; `undefined`: any. */
export type Graph = ReadonlyMap<string, readonly string[] | undefined>;

/**
 * Strongly connected components, each after those it delegates to.
 *
 * Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972;
 * without recursion, because a mesh may be deep.
 */
export function components(graph: Graph): readonly (readonly string[])[] {
  const found: string[][] = [];
  const indexOf = new Map<string, number>();
  const lowOf = new Map<string, number>();
  const stack: string[] = [];
  const isOnStack = new Set<string>();

  for (const root of graph.keys()) {
    if (indexOf.has(root)) continue;
    const work: { id: string; next: number }[] = [{ id: root, next: 0 }];
    while (work.length > 0) {
      const frame = work[work.length - 1];
      if (frame === undefined) break;
      const { id } = frame;
      if (frame.next === 0) {
        indexOf.set(id, indexOf.size);
        lowOf.set(id, indexOf.size - 1);
        stack.push(id);
        isOnStack.add(id);
      }
      const targets = graph.get(id) ?? [];
      const target = targets[frame.next++];
      if (target !== undefined) {
        if (!graph.has(target)) continue;
        if (!indexOf.has(target)) work.push({ id: target, next: 0 });
        else if (isOnStack.has(target)) lower(lowOf, id, indexOf.get(target));
        continue;
      }
      work.pop();
      const above = work[work.length - 1];
      if (above !== undefined) lower(lowOf, above.id, lowOf.get(id));
      if (lowOf.get(id) !== indexOf.get(id)) continue;
      const group: string[] = [];
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        isOnStack.delete(member);
        group.push(member);
        if (member === id) break;
      }
      found.push(group.reverse());
    }
  }
  return found;
}

function lower(lowOf: Map<string, number>, id: string, low: number | undefined): void {
  lowOf.set(id, Math.min(lowOf.get(id) ?? Infinity, low ?? Infinity));
}
