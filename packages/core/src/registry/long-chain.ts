import { components, type Graph } from "./graph.js";

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
