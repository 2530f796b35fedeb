import type { LibrarianInfo } from "../contract/librarian-info.js";

/** Something wrong with a mesh, found before any query. */
export interface MeshProblem {
  readonly kind: "cycle" | "unknown-target" | "too-deep" | "unreachable";
  /**
   * Ids it is about. `cycle` and `too-deep`: the path, the first id again at the end of a cycle;
   * `unknown-target`: who declares it, and the id; `unreachable`: the one.
   */
  readonly ids: readonly string[];
  /** For people: what is wrong and what to do. */
  readonly message: string;
}

/** What `router.check()` found. */
export interface MeshReport {
  /** Whether there are no problems. */
  readonly ok: boolean;
  readonly problems: readonly MeshProblem[];
  /** The declared delegations as a Mermaid flowchart, problems in red. */
  toMermaid(): string;
}

/**
 * Checks who may delegate to whom, by what librarians declare in `delegatesTo`. One that declares
 * nothing may delegate to anybody, which reaches everybody and proves no cycle.
 */
export function checkMesh(
  librarians: readonly LibrarianInfo[],
  { maxDepth, entry }: { readonly maxDepth: number; readonly entry?: string | undefined },
): MeshReport {
  const graph = new Map(librarians.map((each) => [each.id, each.delegatesTo]));
  const problems = [
    ...unknownTargets(graph, entry),
    ...cycles(graph),
    ...tooDeep(graph, maxDepth, entry),
    ...unreachable(graph, entry),
  ];
  return { ok: problems.length === 0, problems, toMermaid: () => meshMermaid(graph, problems) };
}

/** Declared delegates by id; `undefined`: anybody. */
type Graph = ReadonlyMap<string, readonly string[] | undefined>;

function unknownTargets(graph: Graph, entry: string | undefined): MeshProblem[] {
  const problems: MeshProblem[] = [];
  if (entry !== undefined && !graph.has(entry)) {
    problems.push({
      kind: "unknown-target",
      ids: [entry],
      message: `The entry "${entry}" is not registered. Register it, or name another entry.`,
    });
  }
  for (const [id, targets = []] of graph) {
    for (const target of targets) {
      if (graph.has(target)) continue;
      problems.push({
        kind: "unknown-target",
        ids: [id, target],
        message: `"${id}" delegates to "${target}", which is not registered. Register it, or take it out of delegatesTo.`,
      });
    }
  }
  return problems;
}

/** One cycle of every group of librarians that can reach each other. */
function cycles(graph: Graph): MeshProblem[] {
  return components(graph).flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const members = new Set(group);
    const path = shortestCycle(graph, first, members);
    if (path === undefined) return [];
    return {
      kind: "cycle" as const,
      ids: path,
      message: `${path.join(" -> ")} is a cycle: a query that goes round ends with LOOP_DETECTED. Take one of them out of delegatesTo.`,
    };
  });
}

/** Breadth first from one member back to itself, inside its group. */
function shortestCycle(
  graph: Graph,
  start: string,
  members: ReadonlySet<string>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let index = 0; index < open.length; index++) {
    const id = open[index];
    if (id === undefined) break;
    for (const target of graph.get(id) ?? []) {
      if (target === start) {
        const path = [start];
        for (let back: string | undefined = id; back !== start && back !== undefined; ) {
          path.push(back);
          back = cameFrom.get(back);
        }
        return [start, ...path.slice(1).reverse(), start];
      }
      if (members.has(target) && !cameFrom.has(target)) {
        cameFrom.set(target, id);
        open.push(target);
      }
    }
  }
  return undefined;
}

/**
 * Strongly connected components, each after those it delegates to.
 *
 * Source: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972;
 * without recursion, because a mesh may be deep.
 */
function components(graph: Graph): readonly (readonly string[])[] {
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

/** The longest declared chain from the entry, or from anybody, cycles cut, where it is too long. */
function tooDeep(graph: Graph, maxDepth: number, entry: string | undefined): MeshProblem[] {
  const nextOf = new Map<string, string | undefined>();
  const lengthOf = new Map<string, number>();
  const groupOf = new Map<string, number>();
  const order = components(graph);
  for (const [index, group] of order.entries()) for (const id of group) groupOf.set(id, index);
  // Each group comes after those it delegates to, so their lengths are known when it is reached.
  for (const group of order) {
    for (const id of group) {
      let length = 1;
      for (const target of graph.get(id) ?? []) {
        if (groupOf.get(target) === groupOf.get(id)) continue;
        const below = lengthOf.get(target);
        if (below !== undefined && below + 1 > length) {
          length = below + 1;
          nextOf.set(id, target);
        }
      }
      lengthOf.set(id, length);
    }
  }
  const starts = entry === undefined || !graph.has(entry) ? [...graph.keys()] : [entry];
  const longest = starts.reduce<string | undefined>(
    (top, id) => ((lengthOf.get(id) ?? 0) > (lengthOf.get(top ?? "") ?? 0) ? id : top),
    undefined,
  );
  if (longest === undefined || (lengthOf.get(longest) ?? 0) <= maxDepth) return [];
  const path: string[] = [];
  for (let id: string | undefined = longest; id !== undefined; id = nextOf.get(id)) path.push(id);
  return [
    {
      kind: "too-deep",
      ids: path,
      message: `${path.join(" -> ")} has ${path.length} librarians, and maxDepth is ${maxDepth}. Shorten the chain, or raise maxDepth.`,
    },
  ];
}

function unreachable(graph: Graph, entry: string | undefined): MeshProblem[] {
  if (entry === undefined || !graph.has(entry)) return []; // each can be asked by name
  const reached = new Set([entry]);
  for (const id of reached) {
    if (!graph.has(id)) continue;
    const targets = graph.get(id);
    if (targets === undefined) return []; // it may delegate to anybody
    for (const target of targets) reached.add(target);
  }
  return [...graph.keys()]
    .filter((id) => !reached.has(id))
    .map((id) => ({
      kind: "unreachable",
      ids: [id],
      message: `Nobody can reach "${id}" from "${entry}". Add it to somebody's delegatesTo, or take it out.`,
    }));
}

function meshMermaid(graph: Graph, problems: readonly MeshProblem[]): string {
  const numberOf = new Map([...graph.keys()].map((id, index) => [id, index]));
  const unknown = new Set(problems.flatMap(({ ids }) => ids.filter((id) => !graph.has(id))));
  for (const id of unknown) numberOf.set(id, numberOf.size);
  const bad = new Set(problems.flatMap(({ ids }) => ids));
  const node = (id: string) => `n${numberOf.get(id)}`;
  const lines = [...numberOf.keys()].map((id) => `  ${node(id)}["${id}"]`);
  for (const [id, targets = []] of graph) {
    for (const target of targets) lines.push(`  ${node(id)} --> ${node(target)}`);
  }
  if (bad.size > 0) {
    lines.push("  classDef problem stroke:#c00,color:#c00");
    lines.push(`  class ${[...bad].map(node).join(",")} problem`);
  }
  return ["flowchart TD", ...lines].join("\n");
}
