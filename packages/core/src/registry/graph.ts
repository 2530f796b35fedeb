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

/** Maximum number of librarians that the search visits. */
const maxSteps = 200_000;

/**
 * Finds a declared chain, no librarian twice, of `maxDepth` librarians and one more.
 *
 * Without cycles it is always found, at once. Among librarians that can reach each other the longest chain is a hard
 * problem: there the search gives up after 200,000 steps.
 *
 * @param starts - Ids a chain may begin with.
 */
export function chainLongerThan(
  maxDepth: number,
  graph: Graph,
  starts: readonly string[],
): readonly string[] | undefined {
  if (maxDepth >= graph.size) return undefined;
  const walks = longestWalks(graph, maxDepth + 1);
  let steps = 0;
  for (const start of starts) {
    if ((walks.get(start) ?? 0) <= maxDepth) continue;
    const path = [start];
    const nextIndex = [0];
    for (let id = path.at(-1); id !== undefined; id = path.at(-1)) {
      if (path.length > maxDepth) return path;
      if (++steps > maxSteps) return undefined;
      const place = path.length - 1;
      const index = nextIndex[place] ?? 0;
      const target = graph.get(id)?.[index];
      nextIndex[place] = index + 1;
      if (target === undefined) {
        path.pop();
        nextIndex.pop();
      } else if (path.length + (walks.get(target) ?? 0) > maxDepth && !path.includes(target)) {
        path.push(target);
        nextIndex.push(0);
      }
    }
  }
  return undefined;
}

/** By id, the length of the longest walk from there, repeats allowed, up to `maxLength`. */
function longestWalks(graph: Graph, maxLength: number): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  let layer = new Set(graph.keys());
  for (let length = 1; length <= maxLength && layer.size > 0; length++) {
    for (const id of layer) lengths.set(id, length);
    const last = layer; // those from which a walk of this length begins
    layer = new Set([...last].filter((id) => graph.get(id)?.some((target) => last.has(target))));
  }
  return lengths;
}

/** The shortest way from the first of a component back to itself. `undefined`: there is none. */
export function shortestCycle(
  graph: Graph,
  component: readonly string[],
): readonly string[] | undefined {
  const [start = ""] = component;
  const members = new Set(component);
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const id of cameFrom.keys()) {
    for (const target of graph.get(id) ?? []) {
      if (members.has(target) && !cameFrom.has(target)) cameFrom.set(target, id);
      if (target !== start) continue;
      const path = [start];
      for (let back: string | undefined = id; back !== undefined; back = cameFrom.get(back)) {
        path.push(back);
      }
      return path.reverse();
    }
  }
  return undefined;
}

/** Ids below a librarian; `undefined`: all ids, because one on the way may delegate to any. */
export function reachedFrom(graph: Graph, id: string): ReadonlySet<string> | undefined {
  const reached = new Set([id]);
  for (const each of reached) {
    if (!graph.has(each)) continue;
    const targets = graph.get(each);
    if (targets === undefined) return undefined;
    for (const target of targets) reached.add(target);
  }
  return reached;
}
