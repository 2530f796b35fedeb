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

/** Maximum number of librarians that the search among cycles visits. */
const maxSteps = 200_000;

/**
 * Finds a declared chain, no librarian twice, of more than `maxDepth` librarians.
 *
 * Without cycles it is the longest one, and it is always found. Among librarians that can reach each
 * other the longest chain is a hard problem: there the search ends with the first that is too long,
 * and gives up after 200,000 steps.
 *
 * @param starts - Ids a chain may begin with.
 */
export function chainLongerThan(
  maxDepth: number,
  graph: Graph,
  starts: readonly string[],
): readonly string[] | undefined {
  const groups = components(graph);
  const longest = longestAcyclic(graph, groups, starts);
  if (longest.length > maxDepth) return longest;
  if (maxDepth >= graph.size || groups.length === graph.size) return undefined; // no cycles
  return searchChain(maxDepth, graph, starts, upperBounds(graph, groups));
}

/** The longest chain that uses no delegation inside a group of librarians that reach each other. */
function longestAcyclic(
  graph: Graph,
  groups: readonly (readonly string[])[],
  starts: readonly string[],
): readonly string[] {
  const groupOf = groupNumbers(groups);
  const nextOf = new Map<string, string>();
  const lengthOf = new Map<string, number>();
  // Each group comes after those it delegates to, so their lengths are known when it is reached.
  for (const id of groups.flat()) {
    let length = 1;
    for (const target of graph.get(id) ?? []) {
      const below = groupOf.get(target) === groupOf.get(id) ? undefined : lengthOf.get(target);
      if (below === undefined || below + 1 <= length) continue;
      length = below + 1;
      nextOf.set(id, target);
    }
    lengthOf.set(id, length);
  }
  const lengthFrom = (id: string | undefined) => lengthOf.get(id ?? "") ?? 0;
  const first = starts.reduce<string | undefined>(
    (top, id) => (lengthFrom(id) > lengthFrom(top) ? id : top),
    undefined,
  );
  const path: string[] = [];
  for (let id = first; id !== undefined; id = nextOf.get(id)) path.push(id);
  return path;
}

/** By id, a length that no chain from there exceeds: every librarian of each group on the way. */
function upperBounds(
  graph: Graph,
  groups: readonly (readonly string[])[],
): ReadonlyMap<string, number> {
  const groupOf = groupNumbers(groups);
  const bounds: number[] = [];
  for (const [index, group] of groups.entries()) {
    let below = 0;
    for (const target of group.flatMap((id) => graph.get(id) ?? [])) {
      const at = groupOf.get(target);
      if (at !== undefined && at !== index) below = Math.max(below, bounds[at] ?? 0);
    }
    bounds.push(group.length + below);
  }
  return new Map([...groupOf].map(([id, index]) => [id, bounds[index] ?? 0]));
}

/** Depth first, without recursion: `maxDepth` may be large. */
function searchChain(
  maxDepth: number,
  graph: Graph,
  starts: readonly string[],
  boundOf: ReadonlyMap<string, number>,
): readonly string[] | undefined {
  let steps = 0;
  for (const start of starts) {
    if ((boundOf.get(start) ?? 0) <= maxDepth) continue;
    const path = [start];
    const isOnPath = new Set(path);
    const nextIndex = [0];
    while (path.length > 0) {
      if (path.length > maxDepth) return path;
      if (++steps > maxSteps) return undefined;
      const place = path.length - 1;
      const id = path[place] ?? "";
      const index = nextIndex[place] ?? 0;
      const target = graph.get(id)?.[index];
      nextIndex[place] = index + 1;
      if (target === undefined) {
        isOnPath.delete(id);
        path.pop();
        nextIndex.pop();
      } else if (!isOnPath.has(target) && path.length + (boundOf.get(target) ?? 0) > maxDepth) {
        path.push(target);
        isOnPath.add(target);
        nextIndex.push(0);
      }
    }
  }
  return undefined;
}

function groupNumbers(groups: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(groups.flatMap((group, index) => group.map((id) => [id, index] as const)));
}
